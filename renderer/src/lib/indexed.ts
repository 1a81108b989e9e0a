/** The elements of a list by a key; of several with the same, the first. */
export const indexed = <K, T>(list: readonly T[], keyOf: (element: T) => K): ReadonlyMap<K, T> =>
  new Map(list.toReversed().map((element) => [keyOf(element), element]));
