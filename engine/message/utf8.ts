/**
 * UTF-8 (RFC 3629) without Node: the same code runs in an isolate. Lone surrogates are written as U+FFFD, and bytes that are no UTF-8
 * are read as U+FFFD, one for each maximal part of a sequence, as the WHATWG Encoding Standard says.
 */

/** The length of the text in bytes of UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (isPair(unit, text, i)) {
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}

/** The longest beginning of a text that takes at most `maxBytes` bytes and ends at the end of a character. */
export function truncateUtf8(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  let bytes = 0;
  for (let i = 0; i < text.length;) {
    const unit = text.charCodeAt(i);
    const pair = isPair(unit, text, i);
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : pair ? 4 : 3;
    if (bytes > maxBytes) return text.slice(0, i);
    i += pair ? 2 : 1;
  }
  return text;
}

/** Writes the text from `at` on and returns the place behind it. The target must have room for 3 bytes a code unit. */
export function writeUtf8(text: string, target: Uint8Array, at: number): number {
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code < 0x80) {
      target[at++] = code;
      continue;
    }
    if (code < 0x800) {
      target[at++] = 0xc0 | (code >> 6);
      target[at++] = 0x80 | (code & 0x3f);
      continue;
    }
    if (isPair(code, text, i)) {
      code = 0x10000 + ((code & 0x3ff) << 10) + (text.charCodeAt(++i) & 0x3ff);
      target[at++] = 0xf0 | (code >> 18);
      target[at++] = 0x80 | ((code >> 12) & 0x3f);
    } else {
      if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
      target[at++] = 0xe0 | (code >> 12);
    }
    target[at++] = 0x80 | ((code >> 6) & 0x3f);
    target[at++] = 0x80 | (code & 0x3f);
  }
  return at;
}

/** The text of the bytes [start, end). */
export function readUtf8(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  let units: number[] = [];
  let at = start;
  while (at < end) {
    if (units.length >= CHUNK) {
      text += String.fromCharCode.apply(null, units);
      units = [];
    }
    const lead = bytes[at++] as number;
    if (lead < 0x80) {
      units.push(lead);
      continue;
    }
    at = readSequence(lead, bytes, at, end, units);
  }
  return text + String.fromCharCode.apply(null, units);
}

/** Well below the number of arguments that a call may have. */
const CHUNK = 4096;
const REPLACEMENT = 0xfffd;

/** Reads the rest of a sequence that begins with `lead`, and returns the position behind the sequence. */
function readSequence(lead: number, bytes: Uint8Array, at: number, end: number, units: number[]): number {
  const more = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
  let code = more === 0 ? REPLACEMENT : lead & (0x3f >> more);
  for (let k = 0; k < more; k++) {
    const next = at < end ? (bytes[at] as number) : 0;
    if (next < lowest(lead, k) || next > highest(lead, k)) {
      units.push(REPLACEMENT);
      return at;
    }
    code = (code << 6) | (next & 0x3f);
    at++;
  }
  if (code < 0x10000) units.push(code);
  else units.push(0xd800 + ((code - 0x10000) >> 10), 0xdc00 + (code & 0x3ff));
  return at;
}

/** The bounds of the byte behind the lead exclude overlong forms, surrogates and code points above U+10FFFF. */
function lowest(lead: number, k: number): number {
  return k === 0 && lead === 0xe0 ? 0xa0 : k === 0 && lead === 0xf0 ? 0x90 : 0x80;
}

function highest(lead: number, k: number): number {
  return k === 0 && lead === 0xed ? 0x9f : k === 0 && lead === 0xf4 ? 0x8f : 0xbf;
}

function isPair(unit: number, text: string, i: number): boolean {
  if (unit < 0xd800 || unit > 0xdbff) return false;
  const next = text.charCodeAt(i + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}
