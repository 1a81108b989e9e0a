import { inflateSync } from 'node:zlib';

/** The bit of the second byte that says that a dictionary is needed. */
const DICTIONARY = 0x20;
/** The first byte for the window that nearly all have, and of what is sent compressed one by one the one before it, `z`. */
const [USUAL, SINGLE] = [0x78, 0x7a];
/** Bytes of memory for what is unpacked: those of most messages, and of few that are much larger. */
const [LEAST_CHUNK, MOST_CHUNK, USUAL_RATIO] = [64, 16 << 10, 4];

/** Whether the head of zlib (RFC 1950) is at a place: its method, and a number that makes both bytes divisible by 31. */
export function isZlib(bytes: Uint8Array, at = 0): boolean {
  const [first, second] = [bytes[at] ?? 0, bytes[at + 1] ?? 0];
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

/** Whether it is the head that rsyslog writes, which text seldom begins with. */
export function isUsualZlib(bytes: Uint8Array, at = 0): boolean {
  return bytes[at] === USUAL && isZlib(bytes, at) && ((bytes[at + 1] ?? 0) & DICTIONARY) === 0;
}

/** Whether a record is one that rsyslog has packed by itself: `z`, and zlib behind it. */
export function isSingle(bytes: Uint8Array, start: number, end: number): boolean {
  return bytes[start] === SINGLE && end - start > 2 && isUsualZlib(bytes, start + 1);
}

/** Unpacks zlib of at most so many bytes. Throws for more, and for what is damaged. */
export function inflated(bytes: Uint8Array, most: number): Buffer {
  const chunkSize = Math.max(LEAST_CHUNK, Math.min(MOST_CHUNK, USUAL_RATIO * bytes.length));
  return inflateSync(bytes, { maxOutputLength: most, chunkSize });
}
