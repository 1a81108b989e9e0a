/** Integers of 64 bits. */

export const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

/** An integer as a field holds all of its digits: a number where that does, a BigInt within 64 bits, a text beyond. */
export function exactInteger(value: bigint): number | bigint | string {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  return isInt64(value) ? value : String(value);
}
