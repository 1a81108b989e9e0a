const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Bytes as base64 (RFC 4648, section 4), with padding. */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const bits = ((bytes[i] as number) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text += digit(bits >> 18) + digit(bits >> 12) + (left > 1 ? digit(bits >> 6) : '=') + (left > 2 ? digit(bits) : '=');
  }
  return text;
}

/** The bytes that a text in base64 stands for, with padding or without; null: it is none. */
export function bytesOfBase64(text: string): Uint8Array | null {
  const length = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  let [bits, count, at] = [0, 0, 0];
  for (let i = 0; i < length; i++) {
    const value = ALPHABET.indexOf(text.charAt(i));
    if (value < 0) return null;
    bits = ((bits << 6) | value) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[at++] = bits >> count;
  }
  return bytes;
}

function digit(bits: number): string {
  return ALPHABET[bits & 63] as string;
}
