import { isUtf8 } from 'node:buffer';
import type { Relation } from './ast.ts';

/** Whether an ordering of -1, 0 or 1 satisfies a relation. */
export function satisfies(relation: Relation, order: number): boolean {
  switch (relation) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
  }
}

/**
 * Orders `text.slice(start, end)` against `other` as their UTF-8 bytes are ordered, which is the order of their code points: surrogates,
 * which stand for U+10000 and above, come after U+E000 to U+FFFF. Returns a negative number, 0 or a positive one.
 */
export function compareUtf8(text: string, start: number, end: number, other: string): number {
  const length = Math.min(end - start, other.length);
  for (let i = 0; i < length; i++) {
    const a = text.charCodeAt(start + i);
    const b = other.charCodeAt(i);
    if (a !== b) return rank(a) - rank(b);
  }
  return end - start - other.length;
}

/** Moves surrogates behind the rest of the basic plane. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes as text for regular expressions: UTF-8, each byte that is none as U+FFFD. */
export function decodeBytes(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return decoder.decode(bytes);
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    text += length === 0 ? '\ufffd' : decoder.decode(bytes.subarray(at, at + length));
    at += length || 1;
  }
  return text;
}

/** Length of the valid UTF-8 sequence at `at`, or 0. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const part = bytes.subarray(at, at + length);
  return part.length === length && isUtf8(part) ? length : 0;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const DASH_AFTER = new Set([3, 5, 7, 9]);

/** The 36-character lower-case form of the 16 bytes at `offset` (RFC 9562, section 4). */
export function formatUuid(bytes: Uint8Array, offset: number): string {
  let text = '';
  for (let i = 0; i < 16; i++) text += HEX[bytes[offset + i] as number] + (DASH_AFTER.has(i) ? '-' : '');
  return text;
}
