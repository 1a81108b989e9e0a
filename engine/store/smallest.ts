/** The key of an element, by its number. */
export type NumberKey = (at: number) => number;

/**
 * Finds the `limit` elements that come first by the first key, among equal ones by the next, and so on; then by their order in `elements`. Of hundreds of
 * thousands, only those that are returned are sorted with a comparison function.
 */
export function smallest(elements: Uint32Array, keys: readonly NumberKey[], limit: number): number[] {
  const [key, ...others] = keys;
  if (key === undefined) return [...elements.subarray(0, limit)];
  if (elements.length === 0 || limit <= 0) return [];
  const values = Float64Array.from(elements, (at) => key(at));
  const bound = values.toSorted()[Math.min(limit, elements.length) - 1] as number;
  const below = elements.filter((_at, i) => (values[i] as number) < bound);
  const equal = elements.filter((_at, i) => values[i] === bound);
  return [...[...below].sort((a, b) => compare(keys, a, b)), ...smallest(equal, others, limit - below.length)];
}

function compare(keys: readonly NumberKey[], a: number, b: number): number {
  for (const key of keys) {
    const difference = key(a) - key(b);
    if (difference !== 0) return difference;
  }
  return 0;
}
