/** Shades of a heat map, the palest first. */
export const SHADES = 7;

/** The shade of a count, from 1 to `SHADES`; 0: none. Each shade stands for the same factor, so that one record among thousands can be seen. */
export function shadeOf(count: number, most: number): number {
  if (count <= 0) return 0;
  return most <= 1 ? SHADES : 1 + Math.min(SHADES - 1, Math.floor((Math.log(count) / Math.log(most)) * (SHADES - 1) + 1e-9));
}
