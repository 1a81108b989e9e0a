import { fromCharCode } from './intrinsics.ts';

/** How many bytes a text takes in UTF-8; a lone surrogate counts as U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    if (unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(i + 1))) i++;
  }
  return bytes;
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** Writes a text as UTF-8 (RFC 3629) at `at`, and returns where it ends. There must be room. */
export function writeUtf8(text: string, into: Uint8Array, at: number): number {
  for (let i = 0; i < text.length; i++) {
    let point = text.charCodeAt(i);
    if (point < 0x80) {
      into[at++] = point;
      continue;
    }
    if (point >= 0xd800 && point < 0xe000) {
      if (point < 0xdc00 && isLow(text.charCodeAt(i + 1))) point = 0x10000 + ((point - 0xd800) << 10) + (text.charCodeAt(++i) - 0xdc00);
      else point = 0xfffd;
    }
    if (point < 0x800) {
      into[at++] = 0xc0 | (point >> 6);
    } else {
      if (point < 0x10000) {
        into[at++] = 0xe0 | (point >> 12);
      } else {
        into[at++] = 0xf0 | (point >> 18);
        into[at++] = 0x80 | ((point >> 12) & 63);
      }
      into[at++] = 0x80 | ((point >> 6) & 63);
    }
    into[at++] = 0x80 | (point & 63);
  }
  return at;
}

/** Reads UTF-8; what is malformed becomes U+FFFD, one for each maximal part (as in the WHATWG Encoding standard). */
export function readUtf8(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  let i = start;
  while (i < end) {
    const first = bytes[i++] as number;
    if (first < 0x80) {
      text += fromCharCode(first);
      continue;
    }
    let need = first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 && first < 0xf5 ? 3 : 0;
    let point = need === 0 ? 0xfffd : first & (0x3f >> need);
    let low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
    let high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
    for (; need > 0; need--) {
      const next = i < end ? (bytes[i] as number) : 0;
      if (next < low || next > high) {
        point = 0xfffd;
        break;
      }
      point = (point << 6) | (next & 63);
      low = 0x80;
      high = 0xbf;
      i++;
    }
    text += point < 0x10000 ? fromCharCode(point) : fromCharCode(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff));
  }
  return text;
}

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

export function bytesOfText(text: string): Uint8Array {
  const bytes = new Uint8Array(utf8Length(text));
  writeUtf8(text, bytes, 0);
  return bytes;
}
