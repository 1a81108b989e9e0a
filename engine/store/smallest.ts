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
  // Of hundreds of thousands, what is made by iterators and callbacks takes several times as long.
  const values = new Float64Array(elements.length);
  for (let i = 0; i < elements.length; i++) values[i] = key(elements[i] as number);
  const bound = values.toSorted()[Math.min(limit, elements.length) - 1] as number;
  const below: number[] = [];
  const equal = new Uint32Array(elements.length);
  let count = 0;
  for (let i = 0; i < elements.length; i++) {
    const value = values[i] as number;
    if (value < bound) below.push(elements[i] as number);
    else if (value === bound) equal[count++] = elements[i] as number;
  }
  return [...below.sort((a, b) => compare(keys, a, b)), ...smallest(equal.subarray(0, count), others, limit - below.length)];
}

function compare(keys: readonly NumberKey[], a: number, b: number): number {
  for (const key of keys) {
    const difference = key(a) - key(b);
    if (difference !== 0) return difference;
  }
  return 0;
}
