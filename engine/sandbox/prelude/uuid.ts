import { bytesOfBinary } from './utf8.ts';

/** The 16 bytes of a uuid in the text form of RFC 9562, any letter case, with or without `urn:uuid:`; null for other texts. */
export function parseUuid(text: string): Uint8Array | null {
  const start = text.slice(0, 9).toLowerCase() === 'urn:uuid:' ? 9 : 0;
  if (text.length - start !== 36) return null;
  const bytes = new Uint8Array(16);
  let at = start;
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) if (text.charCodeAt(at++) !== 45) return null;
    const high = nibble(text.charCodeAt(at++));
    const low = nibble(text.charCodeAt(at++));
    if (high < 0 || low < 0) return null;
    bytes[i] = high * 16 + low;
  }
  return bytes;
}

function nibble(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  const lower = unit | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/** The bytes of a uuid that is given as 16 raw bytes; null for anything else. */
export function rawUuid(value: unknown): Uint8Array | null {
  if (typeof value === 'string') return value.length === 16 ? bytesOfBinary(value) : null;
  if (!isBytes(value) || value.length !== 16) return null;
  const copy = new Uint8Array(16);
  copy.set(value);
  return copy;
}

export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}
