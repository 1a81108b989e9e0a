/** Texts measured in bytes of UTF-8. */

/** The length of a text in bytes of UTF-8. A lone surrogate counts as the replacement character, three bytes. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    bytes += code < 0x800 ? 1 : 2;
    if (isPair(text, i)) i++;
  }
  return bytes;
}

/** The longest beginning of the text that takes no more than `limit` bytes; no character is cut apart. */
export function utf8Prefix(text: string, limit: number): string {
  let bytes = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const pair = isPair(text, at);
    bytes += pair ? 4 : code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    if (bytes > limit) break;
    at += pair ? 2 : 1;
  }
  return text.slice(0, at);
}

function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}
