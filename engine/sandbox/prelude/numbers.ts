import { trunc } from './intrinsics.ts';

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** Truncates a number to an int64; numbers out of range become the nearest one, NaN becomes 0. */
export function int64Of(value: number): bigint {
  if (value !== value) return 0n;
  if (value >= 2 ** 63) return INT64_MAX;
  if (value <= -(2 ** 63)) return INT64_MIN;
  return BigInt(trunc(value));
}

/** Clamps a BigInt to the range of int64. */
export function clampInt64(value: bigint): bigint {
  return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : value;
}

/** A number, or a text that is one; null for anything else. */
export function numericValue(value: unknown): number | null {
  if (typeof value === 'number') return value === value ? value : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  const number = text.length === 0 ? NaN : +text;
  return number === number ? number : null;
}
