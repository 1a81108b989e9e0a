import type { Cuts, CutState, Outlook, Splitter } from '../splitter.ts';

/** Longest piece of a stream in bytes. */
const PIECE_BYTES = 64 << 10;

/**
 * Splits nothing, for a script that does so itself. A piece holds the bytes that are there, or, with `whole`, all of the source. Its text has one
 * character for each byte, so that nothing of a binary source is lost.
 */
export class RawSplitter implements Splitter {
  readonly isRaw = true;
  readonly maxRecord: number;
  readonly #whole: boolean;

  /** @param maxRecord longest piece of a whole in bytes */
  constructor(whole: boolean, maxRecord: number) {
    this.#whole = whole;
    this.maxRecord = whole ? maxRecord : PIECE_BYTES;
  }

  cut(bytes: Buffer, from: number, outlook: Outlook, _state: CutState, cuts: Cuts): number {
    cuts.reset();
    const length = Math.min(bytes.length - from, this.maxRecord);
    if (length === 0 || (this.#whole && outlook !== 'end' && length < this.maxRecord)) return from;
    const end = from + length;
    cuts.texts = [bytes.toString('latin1', from, end)];
    cuts.starts[0] = from;
    cuts.count = 1;
    return end;
  }
}
