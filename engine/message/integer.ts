import { match } from './match.ts';

const FORM = /^([+-]?)(?:0x([0-9a-f]+)|0o([0-7]+)|0b([01]+)|0([0-7]+)|(0|[1-9][0-9]*))$/i;

/**
 * Parses an integer, whose prefix gives the base: `0x` hexadecimal, `0o` or a leading 0 octal, `0b` binary, else
 * decimal; with or without a sign. null when the text is no integer or it does not fit into `bits` bits, signed.
 */
export function parseInteger(text: string, bits: 32 | 64): bigint | null {
  const parts = text.length > MAX_DIGITS ? null : match(FORM, text);
  if (parts === null) return null;
  const [, sign, hex, octal, binary, oldOctal, decimal] = parts;
  const magnitude =
    hex !== undefined
      ? BigInt(`0x${hex}`)
      : binary !== undefined
        ? BigInt(`0b${binary}`)
        : decimal !== undefined
          ? BigInt(decimal)
          : BigInt(`0o${octal ?? oldOctal ?? ''}`);
  const value = sign === '-' ? -magnitude : magnitude;
  return BigInt.asIntN(bits, value) === value ? value : null;
}

/** No integer of 64 bits is longer, unless it begins with many zeros. */
const MAX_DIGITS = 80;
