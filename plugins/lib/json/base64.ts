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

function digit(bits: number): string {
  return ALPHABET[bits & 63] as string;
}
