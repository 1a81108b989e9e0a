import { LatinText, madeText, type Text } from '../../message/latin-text.ts';
import { LONG_TEXT } from '../wire/texts.ts';

/** Blocks, or texts, that cross a thread as one: each object of a message takes about a microsecond on either side. */
interface Packed<T extends string | ArrayBuffer> {
  readonly all: T;
  /** The end of each of them in `all`. */
  readonly ends: Uint32Array;
}
export type PackedBlocks = Packed<ArrayBuffer>;
/** Texts that are long go as they are: to join them would take longer. */
export type PackedTexts = Packed<string> | readonly string[];

/** A text on its way to a thread; bytes are its code units, in memory that both have. */
export type SentText = string | Uint8Array;

export const sentText = (text: Text): SentText =>
  typeof text !== 'string' && text.bytes.buffer instanceof SharedArrayBuffer ? text.bytes : madeText(text);

export const receivedText = (sent: SentText): Text =>
  typeof sent === 'string' ? sent : new LatinText(Buffer.from(sent.buffer, sent.byteOffset, sent.length));

export function packTexts(texts: readonly string[]): PackedTexts {
  const ends = endsOf(texts, ({ length }) => length);
  return (ends.at(-1) ?? 0) > LONG_TEXT * texts.length ? texts : { all: texts.length === 1 ? (texts[0] as string) : texts.join(''), ends };
}

/** Packs blocks; one alone is handed on as it is. */
export function packBlocks(blocks: readonly ArrayBuffer[]): PackedBlocks {
  const ends = endsOf(blocks, ({ byteLength }) => byteLength);
  if (blocks.length === 1) return { all: blocks[0] as ArrayBuffer, ends };
  return { all: joined(blocks.map((block) => new Uint8Array(block))), ends };
}

/** The bytes of pieces as one block. */
export function joined(pieces: readonly Uint8Array[]): ArrayBuffer {
  const block = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    block.set(piece, at);
    at += piece.byteLength;
  }
  return block.buffer;
}

/** The texts that were packed, in order. */
export const unpackedTexts = (texts: PackedTexts): readonly string[] => ('ends' in texts ? slicesOf(texts) : texts);

/** The blocks that were packed, in order. */
export const unpackedBlocks = (blocks: PackedBlocks): readonly ArrayBuffer[] => slicesOf(blocks);

function slicesOf<T extends string | ArrayBuffer>({ all, ends }: Packed<T>): readonly T[] {
  if (ends.length === 1) return [all];
  return Array.from(ends, (end, i) => all.slice(i === 0 ? 0 : ends[i - 1], end) as T);
}

function endsOf<T>(pieces: readonly T[], sizeOf: (piece: T) => number): Uint32Array {
  const ends = new Uint32Array(pieces.length);
  let end = 0;
  for (const [i, piece] of pieces.entries()) ends[i] = end += sizeOf(piece);
  return ends;
}
