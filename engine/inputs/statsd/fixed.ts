/**
 * A number with six decimals, as `%f` of C prints it: exact, and halves go to the even digit (which `toFixed` rounds away from zero).
 * @param value finite
 */
export function sixDecimals(value: number): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const size = Math.abs(value);
  if (size >= 1e21) return `${sign}${BigInt(size)}.000000`;
  return sign + (isHalf(size) ? toEven(size) : size.toFixed(6));
}

/** Whether a number lies exactly between two of six decimals: then it has seven, so it is a whole number of 128ths. */
const isHalf = (size: number): boolean => Number.isInteger(size * 128) && size.toFixed(7).endsWith('5');

function toEven(size: number): string {
  const down = size.toFixed(7).slice(0, -1);
  return Number(down.at(-1)) % 2 === 0 ? down : size.toFixed(6);
}
