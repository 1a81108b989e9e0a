import type { OutputChanges } from '../../../engine/api/types.ts';

/** Applies changes to graphs or lists. Unchanged entries stay the same objects, so that they are not drawn again. */
export function withChanges<T extends { readonly key: string }>(known: readonly T[], { keys, changed }: OutputChanges<T>): readonly T[] {
  const byKey = new Map([...known, ...changed].map((output) => [output.key, output]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}
