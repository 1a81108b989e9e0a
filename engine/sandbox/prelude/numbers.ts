import { trunc } from './intrinsics.ts';

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** A number cut to an int64; what is outside becomes the nearest one, NaN becomes 0. */
export function int64Of(value: number): bigint {
  if (value !== value) return 0n;
  if (value >= 2 ** 63) return INT64_MAX;
  if (value <= -(2 ** 63)) return INT64_MIN;
  return BigInt(trunc(value));
}

/** A BigInt brought into int64. */
export function clampInt64(value: bigint): bigint {
  return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : value;
}

/** An integer text, its base found from a prefix as in C: `0x` hexadecimal, `0` octal, else decimal. null: no such text. */
export function parseInteger(text: string): bigint | null {
  let at = 0;
  let negative = false;
  if (text.startsWith('-') || text.startsWith('+')) {
    negative = text.startsWith('-');
    at = 1;
  }
  let base = 10n;
  if (text.startsWith('0x', at) || text.startsWith('0X', at)) {
    base = 16n;
    at += 2;
  } else if (text.startsWith('0', at) && text.length > at + 1) {
    base = 8n;
    at += 1;
  }
  if (at === text.length || text.length > 40) return null;
  let value = 0n;
  for (; at < text.length; at++) {
    const digit = digitOf(text.charCodeAt(at));
    if (digit < 0 || BigInt(digit) >= base) return null;
    value = value * base + BigInt(digit);
  }
  return negative ? -value : value;
}

function digitOf(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  if (unit >= 97 && unit <= 102) return unit - 87;
  if (unit >= 65 && unit <= 70) return unit - 55;
  return -1;
}

/** A number, or a text that is one; null for anything else. */
export function numericValue(value: unknown): number | null {
  if (typeof value === 'number') return value === value ? value : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  const number = text.length === 0 ? NaN : +text;
  return number === number ? number : null;
}
