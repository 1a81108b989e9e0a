import { utf8Text } from '../../base/utf8_text.ts';

const HIGHEST_BYTE = 255;

/** The text of bytes written as `\195\169`, a backslash and up to three decimal digits for each; bytes that are no UTF-8 are characters of their numbers. */
export function escapedBytes(escapes: string): string {
  const bytes = escapes.slice(1).split('\\').map(Number);
  const text = bytes.some((byte) => byte > HIGHEST_BYTE) ? '\ufffd' : utf8Text(Uint8Array.from(bytes));
  return text.includes('\ufffd') ? String.fromCharCode(...bytes) : text;
}
