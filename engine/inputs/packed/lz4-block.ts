import { DamagedError } from './errors.ts';

/** Bytes of text that a block may repeat from before its beginning. */
export const HISTORY_BYTES = 64 << 10;
/** A length of four bits that goes on in further bytes. */
const LONG = 15;
const LEAST_MATCH = 4;
/** Up to so many bytes a loop copies faster than a call. */
const SHORT = 32;

const damaged = (): DamagedError => new DamagedError('a block is damaged');

/** Unpacks a block behind the text at `start`, up to `most`. Returns the end. @throws {DamagedError} */
export function appendBlock(block: Buffer, text: Buffer, start: number, most: number): number {
  let [at, to] = [0, start];
  const longLength = (first: number): number => {
    if (first < LONG) return first;
    let length = first;
    for (;;) {
      const more = block[at++];
      if (more === undefined) throw damaged();
      length += more;
      if (more < 255) return length;
    }
  };
  while (at < block.length) {
    const token = block[at++] as number;
    const literals = longLength(token >> 4);
    if (at + literals > block.length || to + literals > most) throw damaged();
    if (literals > SHORT) block.copy(text, to, at, at + literals);
    else for (let i = 0; i < literals; i++) text[to + i] = block[at + i] as number;
    at += literals;
    to += literals;
    // The last sequence has literals alone.
    if (at === block.length) return to;
    if (at + 2 > block.length) throw damaged();
    const offset = block.readUInt16LE(at);
    at += 2;
    const length = longLength(token & LONG) + LEAST_MATCH;
    if (offset === 0 || offset > to || to + length > most) throw damaged();
    repeat(text, to, offset, length);
    to += length;
  }
  throw damaged();
}

/** Copies what stands so many bytes before; what is copied may be a part of it. */
function repeat(text: Buffer, to: number, offset: number, length: number): void {
  if (offset >= length && length > SHORT) {
    text.copyWithin(to, to - offset, to - offset + length);
    return;
  }
  for (let i = to; i < to + length; i++) text[i] = text[i - offset] as number;
}
