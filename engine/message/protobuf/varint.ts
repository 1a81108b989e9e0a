/** Bytes that numbers take as varints (the encoding of protobuf). Uses nothing of Node: the same code runs in an isolate. */

/** The number of bytes of a whole number from 0 on as a varint. */
export function varintSize(value: number): number {
  let bytes = 1;
  for (let rest = value; rest > 127; rest = (rest - (rest & 127)) / 128) bytes++;
  return bytes;
}

/** Bytes that a varint of 64 bits takes at most. */
export const MAX_VARINT_BYTES = 10;

/** Writes a varint of 64 bits, given by its halves, from `at` on; there is room for it. Returns the place behind it. */
export function writeVarint(bytes: Uint8Array, at: number, low: number, high: number): number {
  let rest = low >>> 0;
  let above = high >>> 0;
  while (above > 0 || rest > 0x7f) {
    bytes[at++] = (rest & 0x7f) | 0x80;
    rest = ((rest >>> 7) | (above << 25)) >>> 0;
    above >>>= 7;
  }
  bytes[at++] = rest;
  return at;
}

/** Negative numbers are extended to 64 bits. */
const NEGATIVE_BYTES = 10;
/** The smallest numbers that take nine bytes, eight, and so on. */
const BOUNDS = [2n ** 56n, 2n ** 49n, 2n ** 42n, 2n ** 35n, 2n ** 28n, 2n ** 21n, 2n ** 14n, 2n ** 7n];

export const int32Size = (value: number): number => (value < 0 ? NEGATIVE_BYTES : varintSize(value));

export function int64Size(value: bigint): number {
  if (value < 0n) return NEGATIVE_BYTES;
  let at = 0;
  while (at < BOUNDS.length && value < (BOUNDS[at] as bigint)) at++;
  return 9 - at;
}

/** The size of a number of bytes with their length and a key below 16 in front of them. */
export const nestedSize = (bytes: number): number => 1 + varintSize(bytes) + bytes;
