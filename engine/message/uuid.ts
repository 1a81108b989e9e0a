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

const LENGTH = 36;
const PREFIX = 'urn:uuid:';

/** The value of each digit in hexadecimal by its code, 255 for other characters. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return digit < 0 ? 255 : digit;
});

/** The 16 bytes of a UUID in text form, in any letter case and with or without `urn:uuid:` before it; null when it is none. */
export function parseUuid(text: string): Uint8Array | null {
  let at = text.length - LENGTH;
  if (at !== 0 && text.slice(0, Math.max(0, at)).toLowerCase() !== PREFIX) return null;
  const bytes = new Uint8Array(16);
  for (let i = 0; i < 16; i++) {
    if ((i === 4 || i === 6 || i === 8 || i === 10) && text[at++] !== '-') return null;
    const high = DIGITS[text.charCodeAt(at++)] ?? 255;
    const low = DIGITS[text.charCodeAt(at++)] ?? 255;
    if ((high | low) > 15) return null;
    bytes[i] = (high << 4) | low;
  }
  return bytes;
}

/** Turns 16 random bytes from `at` on into a UUID of version 4 (RFC 9562, section 5.4), in place. */
export function markRandomUuid(bytes: Uint8Array, at = 0): Uint8Array {
  bytes[at + 6] = ((bytes[at + 6] as number) & 0x0f) | 0x40;
  bytes[at + 8] = ((bytes[at + 8] as number) & 0x3f) | 0x80;
  return bytes;
}
