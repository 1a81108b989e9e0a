/** The first index below `length` at which the condition holds; it must hold at all that follow. `length` when there is none. */
export function firstIndex(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Index of the first element for which the condition holds; it must hold for all behind it. The length when there is none. */
export const firstWhere = <T>(list: ArrayLike<T>, condition: (element: T) => boolean): number =>
  firstIndex(list.length, (i) => condition(list[i] as T));
