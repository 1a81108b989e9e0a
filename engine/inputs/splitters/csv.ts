import { LineSplitter } from './line.ts';
import type { Cuts, CutState, Outlook } from '../splitter.ts';

const QUOTE = 34;
const LF = 10;
const CR = 13;

/** A quote whose end is not within these bytes of its record is a plain character. */
export const MOST_QUOTED_BYTES = 64 << 10;
/** Bytes that one call may look through in vain; from then on line ends count wherever they stand. */
const MOST_IN_VAIN = 4 * MOST_QUOTED_BYTES;

/**
 * Records of delimited values (RFC 4180): lines, but for line ends between quotes that enclose a whole value. A quote that does not end, or behind whose
 * end there is neither a delimiter nor a line end, is none: then the line alone is the record, so that a stray quote costs no more than that.
 */
export class CsvSplitter extends LineSplitter {
  /** The first and last byte of the delimiter. */
  readonly #first: number;
  readonly #last: number;
  readonly #mostQuoted: number;
  #inVain = 0;
  /** The first quote at or behind where was looked last; Infinity: there is none. */
  #nextQuote = -1;

  constructor(delimiter: string, maxRecord: number) {
    super(maxRecord);
    const bytes = Buffer.from(delimiter);
    this.#first = bytes[0] ?? LF;
    this.#last = bytes.at(-1) ?? LF;
    this.#mostQuoted = Math.min(maxRecord, MOST_QUOTED_BYTES);
  }

  override cut(bytes: Buffer, from: number, outlook: Outlook, state: CutState, cuts: Cuts): number {
    this.#inVain = 0;
    this.#nextQuote = -1;
    return super.cut(bytes, from, outlook, state, cuts);
  }

  protected override lineEnd(bytes: Buffer, at: number, outlook: Outlook): number {
    const lineEnd = bytes.indexOf(LF, at);
    const limit = at + this.#mostQuoted;
    let end = lineEnd;
    let open = this.#openingQuote(bytes, at, at, end);
    while (open >= 0 && this.#inVain < MOST_IN_VAIN) {
      const close = closingQuote(bytes, open, limit);
      const behind = bytes[close + 1];
      const undecided = close < 0 || behind === undefined || (behind === CR && close + 2 === bytes.length);
      if (undecided && outlook !== 'end' && bytes.length < limit) return -1;
      // The value is the last one of all.
      if (undecided && outlook === 'end' && close >= 0) return -1;
      if (undecided || !this.#endsValue(bytes, close + 1)) {
        this.#inVain += (close < 0 ? Math.min(bytes.length, limit) : close) - at;
        return lineEnd;
      }
      end = bytes.indexOf(LF, close);
      open = this.#openingQuote(bytes, at, close + 1, end);
    }
    return end;
  }

  /** The next quote at or behind `from`, and before `end`, with which a value of the record at `start` begins; -1: none. */
  #openingQuote(bytes: Buffer, start: number, from: number, end: number): number {
    const last = end < 0 ? bytes.length : end;
    for (let quote = this.#quoteFrom(bytes, from); quote < last; quote = this.#quoteFrom(bytes, quote + 1)) {
      if (quote === start || bytes[quote - 1] === this.#last) return quote;
    }
    return -1;
  }

  #quoteFrom(bytes: Buffer, from: number): number {
    if (this.#nextQuote < from) {
      const found = bytes.indexOf(QUOTE, from);
      this.#nextQuote = found < 0 ? Infinity : found;
    }
    return this.#nextQuote;
  }

  /** Whether a delimiter or the end of the record stands at `at`. */
  #endsValue(bytes: Buffer, at: number): boolean {
    return bytes[at] === this.#first || bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] === LF);
  }
}

/** The quote, well before `limit`, that ends the value which begins with the one at `open`; -1: none. Quotes within it are doubled. */
function closingQuote(bytes: Buffer, open: number, limit: number): number {
  let quote = bytes.indexOf(QUOTE, open + 1);
  while (quote >= 0 && quote < limit && bytes[quote + 1] === QUOTE) quote = bytes.indexOf(QUOTE, quote + 2);
  return quote + 2 < limit ? quote : -1;
}
