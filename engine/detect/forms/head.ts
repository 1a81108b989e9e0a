import { cutPieces } from '../../inputs/pieces.ts';
import { makeSplitter, type SplitOptions } from '../../inputs/splitters/index.ts';
import { initialState } from '../../inputs/splitter.ts';
import type { Test } from './patterns.ts';

/** As many characters of a source are looked at. */
export const HEAD_LENGTH = 64 << 10;

const BYTE_ORDER_MARK = /^\ufeff/;
const SAMPLE_LINES = 100;
/** These many lines of the sample are the first ones. */
const FIRST_LINES = 50;

/** The beginning of a source. What is worked out of it is kept: many decoders ask for the same. */
export class Head {
  /** With line feeds alone, and without a line that is cut off at its end. */
  readonly text: string;
  /** Some of its lines, without empty ones: the first of them, and others from all over the rest. */
  readonly lines: readonly string[];
  readonly #isCut: boolean;
  readonly #kept = new Map<unknown, unknown>();

  constructor(source: string) {
    const cut = source.slice(0, HEAD_LENGTH).replace(BYTE_ORDER_MARK, '');
    this.#isCut = source.length > HEAD_LENGTH;
    this.text = (this.#isCut ? cut.slice(0, cut.lastIndexOf('\n') + 1) : cut).replaceAll('\r\n', '\n');
    this.lines = sampleOf(this.text.split('\n').filter((line) => line.trim() !== ''));
  }

  /** The lines without the colours of a terminal. */
  get plainLines(): readonly string[] {
    return this.once('plain', () => this.lines.map(withoutColours));
  }

  /** What `make` makes, made once. */
  once<T>(key: unknown, make: (head: this) => T): T {
    if (!this.#kept.has(key)) this.#kept.set(key, make(this));
    return this.#kept.get(key) as T;
  }

  /** All records, as an input would cut them. */
  cut(split: SplitOptions): readonly string[] {
    return this.once(JSON.stringify(split), () => this.#whole(cutRecords(this.text, split)));
  }

  /**
   * Records that begin with such lines, the first ones of them. Each line is tested by itself, which is faster than to find such a
   * delimiter in a text.
   * @param isPreamble tells lines that stand in front of all records
   */
  recordsFrom(begins: Test, isPreamble: Test): readonly string[] {
    return this.once(begins, () => {
      const [first = '', ...others] = this.#cutBefore(begins);
      const isLeft = first.trim() === '' || first.split('\n').every(isPreamble);
      return (isLeft ? others : [first, ...others]).filter((record) => record.trim() !== '');
    });
  }

  #cutBefore(begins: Test): readonly string[] {
    if (!this.lines.some(begins)) return [];
    const records: string[] = [];
    let from = 0;
    for (let at = 0; at < this.text.length && records.length < SAMPLE_LINES;) {
      const found = this.text.indexOf('\n', at);
      const end = found < 0 ? this.text.length : found;
      if (at > from && begins(this.text.slice(at, end))) {
        records.push(this.text.slice(from, at - 1));
        from = at;
      }
      at = end + 1;
    }
    return records.length < SAMPLE_LINES ? this.#whole([...records, this.text.slice(from)]) : records;
  }

  /** The last of several records may be cut off. */
  #whole(records: readonly string[]): readonly string[] {
    return this.#isCut && records.length > 1 ? records.slice(0, -1) : records;
  }
}

const ESCAPE = '\u001b';
const COLOURS = new RegExp(`${ESCAPE}\\[[\\d;]*m`, 'g');

/** A line or record without the colours of a terminal. */
export const withoutColours = (text: string): string => (text.includes(ESCAPE) ? text.replace(COLOURS, '') : text);

/** A text cut as an input would cut it, without empty records. */
function cutRecords(text: string, split: SplitOptions): string[] {
  const pieces = cutPieces(makeSplitter(split), Buffer.from(text), 0, 'end', initialState());
  const records = [...pieces].flatMap(({ payload: { text: all, starts, ends } }) =>
    [...starts].map((start, i) => all.slice(start, ends[i])),
  );
  return records.filter((record) => record.trim() !== '');
}

/** Some lines of many: the first ones, and others from all over the rest. */
export function sampleOf(lines: readonly string[]): readonly string[] {
  if (lines.length <= SAMPLE_LINES) return lines;
  const step = (lines.length - FIRST_LINES) / (SAMPLE_LINES - FIRST_LINES);
  const others = Array.from({ length: SAMPLE_LINES - FIRST_LINES }, (_, i) => lines[FIRST_LINES + Math.floor(i * step)] as string);
  return [...lines.slice(0, FIRST_LINES), ...others];
}
