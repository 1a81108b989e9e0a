import { INT64_MAX, INT64_MIN } from '../../message/int64.ts';
import { trunc } from './intrinsics.ts';

/** Truncates a number to an int64; numbers out of range become the nearest one, NaN becomes 0. */
export function int64Of(value: number): bigint {
  if (value !== value) return 0n;
  if (value >= 2 ** 63) return INT64_MAX;
  if (value <= -(2 ** 63)) return INT64_MIN;
  return BigInt(trunc(value));
}

/** A number, or a text that is one; null for anything else. */
export function numericValue(value: unknown): number | null {
  if (typeof value === 'number') return value === value ? value : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  const number = text.length === 0 ? NaN : +text;
  return number === number ? number : null;
}
