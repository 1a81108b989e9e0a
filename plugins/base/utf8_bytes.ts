/** Writes a text as UTF-8 (RFC 3629) into `bytes`, which has room for three bytes a code unit. Returns how many it wrote. */
export function writeUtf8(text: string, bytes: Uint8Array): number {
  let to = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      bytes[to++] = unit;
      continue;
    }
    const code = text.codePointAt(i) as number;
    if (code < 0x800) {
      bytes[to++] = 0xc0 | (code >> 6);
      bytes[to++] = continuation(code);
    } else if (code < 0x10000) {
      bytes[to++] = 0xe0 | (code >> 12);
      bytes[to++] = continuation(code >> 6);
      bytes[to++] = continuation(code);
    } else {
      bytes[to++] = 0xf0 | (code >> 18);
      bytes[to++] = continuation(code >> 12);
      bytes[to++] = continuation(code >> 6);
      bytes[to++] = continuation(code);
      i++;
    }
  }
  return to;
}

function continuation(bits: number): number {
  return 0x80 | (bits & 0x3f);
}
