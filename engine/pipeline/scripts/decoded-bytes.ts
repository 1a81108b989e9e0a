import { isUtf8 } from 'node:buffer';

/** Bytes decoded as UTF-8, with U+FFFD for invalid ones, and the byte length of any end of the text. */
export interface DecodedBytes {
  readonly text: string;
  /** Number of bytes of the last `units` UTF-16 units of the text. Half of a surrogate pair counts as the whole pair. */
  bytesOf(units: number): number;
}

export function decodeBytes(bytes: Buffer): DecodedBytes {
  const text = bytes.toString('utf8');
  const isWhole = isUtf8(bytes);
  return {
    text,
    bytesOf: (units) => {
      const from = text.length - units;
      if (isWhole) return Buffer.byteLength(text.slice(splitsPair(text, from) ? from - 1 : from));
      return bytes.length - byteAt(bytes, from);
    },
  };
}

function splitsPair(text: string, at: number): boolean {
  const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isLow && at > 0 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}

/** Offset of the byte at which a unit of the text begins. */
function byteAt(bytes: Uint8Array, unit: number): number {
  let at = 0;
  for (let units = 0; units < unit && at < bytes.length;) {
    const { length, isPair } = sequenceAt(bytes, at);
    if (isPair && units + 2 > unit) break;
    units += isPair ? 2 : 1;
    at += length;
  }
  return at;
}

/** Reads one character: a valid sequence, or the invalid prefix that becomes one U+FFFD (see https://encoding.spec.whatwg.org/#utf-8-decoder). */
function sequenceAt(bytes: Uint8Array, at: number): { readonly length: number; readonly isPair: boolean } {
  const lead = bytes[at] as number;
  const wanted = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
  for (let i = 1; i <= wanted; i++) {
    const [least, most] = i === 1 ? secondBytes(lead) : [0x80, 0xbf];
    const byte = bytes[at + i] ?? 0;
    if (byte < least || byte > most) return { length: i, isPair: false };
  }
  return { length: wanted + 1, isPair: wanted === 3 };
}

/** Range of second bytes after a first byte, without overlong forms, surrogates and values above U+10FFFF. */
function secondBytes(lead: number): readonly [least: number, most: number] {
  if (lead === 0xe0) return [0xa0, 0xbf];
  if (lead === 0xed) return [0x80, 0x9f];
  if (lead === 0xf0) return [0x90, 0xbf];
  if (lead === 0xf4) return [0x80, 0x8f];
  return [0x80, 0xbf];
}
