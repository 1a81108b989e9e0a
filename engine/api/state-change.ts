import type { EngineState, PartChanges, StateChange } from './types.ts';

/** The state after a change. What has not changed stays the object that it was. @param known of the same process; null: none */
export function changedState(known: EngineState | null, change: StateChange): EngineState {
  return {
    ...change,
    sources: changedParts(known?.sources ?? [], change.sources),
    plugins: changedParts(known?.plugins ?? [], change.plugins),
  };
}

function changedParts<T extends { readonly id: unknown }>(known: readonly T[], { changed, ids }: PartChanges<T>): readonly T[] {
  if (changed.length === 0 && ids === null) return known;
  const parts = new Map([...known, ...changed].map((part) => [part.id, part]));
  return [...(ids ?? parts.keys())].flatMap((id) => parts.get(id) ?? []);
}
