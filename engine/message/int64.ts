/** The range of the integers of 64 bits, which timestamps and integer fields of messages are. */
export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

/** Clamps a BigInt to the range of int64. */
export function clampInt64(value: bigint): bigint {
  return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : value;
}
