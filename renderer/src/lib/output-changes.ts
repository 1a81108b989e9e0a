import type { OutputChanges } from '../../../engine/api/types.ts';

/** Graphs or lists with what changed of them. Those that did not change stay the same objects, so that nothing draws them again. */
export function withChanges<T extends { readonly key: string }>(known: readonly T[], { keys, changed }: OutputChanges<T>): readonly T[] {
  const byKey = new Map([...known, ...changed].map((output) => [output.key, output]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}
