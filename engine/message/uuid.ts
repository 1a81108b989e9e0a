import { match } from './match.ts';

/** UUIDs (RFC 9562): 16 bytes in messages, text of 36 characters for people. Uses nothing of Node: the same code runs in an isolate. */

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The text `8-4-4-4-12` in lower case of the 16 bytes from `at` on. */
export function formatUuid(bytes: Uint8Array, at = 0): string {
  let text = '';
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += '-';
    text += HEX[bytes[at + i] as number] as string;
  }
  return text;
}

const SHAPE = /^(?:urn:uuid:)?([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/i;

/** The 16 bytes of a UUID in text form, in any letter case and with or without `urn:uuid:` before it; null when it is none. */
export function parseUuid(text: string): Uint8Array | null {
  const groups = match(SHAPE, text);
  if (groups === null) return null;
  const digits = groups.slice(1).join('');
  const bytes = new Uint8Array(16);
  for (let i = 0; i < 16; i++) bytes[i] = parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

/** Turns 16 random bytes from `at` on into a UUID of version 4 (RFC 9562, section 5.4), in place. */
export function markRandomUuid(bytes: Uint8Array, at = 0): Uint8Array {
  bytes[at + 6] = ((bytes[at + 6] as number) & 0x0f) | 0x40;
  bytes[at + 8] = ((bytes[at + 8] as number) & 0x3f) | 0x80;
  return bytes;
}
