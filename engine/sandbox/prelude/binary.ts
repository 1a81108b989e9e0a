import { utf8Length, writeUtf8 } from '../../message/utf8.ts';

/** The bytes of a string whose characters are bytes; null when one is above 255. */
export function bytesOfBinary(text: string): Uint8Array | null {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 255) return null;
    bytes[i] = unit;
  }
  return bytes;
}

/** The text in UTF-8. */
export function bytesOfText(text: string): Uint8Array {
  const bytes = new Uint8Array(utf8Length(text));
  writeUtf8(text, bytes, 0);
  return bytes;
}
