import { cutPieces } from '../../inputs/pieces.ts';
import { makeSplitter, type SplitOptions } from '../../inputs/splitters/index.ts';
import { initialState } from '../../inputs/splitter.ts';
import type { Test } from './patterns.ts';

/** Number of characters of a source that are examined. */
export const HEAD_LENGTH = 64 << 10;
/** The same where the first lines are longer: so many of them are examined, and no more characters than these. */
export const FEWEST_LINES = 3;
export const LONGEST_HEAD = 2 << 20;

const BYTE_ORDER_MARK = /^\ufeff/;
const SAMPLE_LINES = 100;
/** Lines of the sample taken from the beginning. */
const FIRST_LINES = 50;

/** Matches what records of logs have and other lines have not: a time, or the beginning of a JSON object. */
const RECORD = /\d:\d\d[:.]\d\d|\b[12]\d{9}(?:\d{3}){0,3}\b|^\s*\{\s*"/;
/** Smallest share of records among the lines that are not indented. */
const SMALLEST_CORE = 0.2;

/** The records of a beginning, and their share of the lines that are not indented. */
export interface CoreHead {
  readonly head: Head;
  readonly share: number;
}

/** The beginning of a source. Results computed from it are cached, since many decoders ask for the same. */
export class Head {
  /** The text with `
` line ends only, and without an incomplete last line unless it is the only one. */
  readonly text: string;
  /** A sample of its non-empty lines: the first ones, and others spread over the rest. */
  readonly lines: readonly string[];
  readonly #isCut: boolean;
  readonly #kept = new Map<unknown, unknown>();

  constructor(source: string) {
    const length = headLength(source);
    const cut = source.slice(0, length).replace(BYTE_ORDER_MARK, '');
    this.#isCut = source.length > length;
    this.text = (this.#isCut ? cut.slice(0, cut.lastIndexOf('\n') + 1) || cut : cut).replaceAll('\r\n', '\n');
    this.lines = sampleOf(this.text.split('\n').filter((line) => line.trim() !== ''));
  }

  /** The lines without terminal colour codes. */
  get plainLines(): readonly string[] {
    return this.once('plain', () => this.lines.map(withoutColours));
  }

  /** The plain lines that are not indented; all when all are. */
  get outerLines(): readonly string[] {
    return this.once('outer', () => {
      const outer = this.plainLines.filter((line) => !/^\s/.test(line));
      return outer.length > 0 ? outer : this.plainLines;
    });
  }

  /**
   * The beginning without lines that can be no records of a log: those without a time of day, a number of seconds since 1970 or an object of JSON,
   * such as banners, stack traces and warnings. null when there are none such, or hardly any others.
   */
  get core(): CoreHead | null {
    return this.once('core', () => {
      const lines = this.text.split('\n').filter((line) => line.trim() !== '');
      const records = lines.filter((line) => RECORD.test(line));
      const outer = lines.filter((line) => RECORD.test(line) || !/^\s/.test(line)).length;
      const share = records.length / outer;
      return records.length === lines.length || !(share >= SMALLEST_CORE) ? null : { head: new Head(`${records.join('\n')}\n`), share };
    });
  }

  /** Returns the result of `make`, computed once for each key. */
  once<T>(key: unknown, make: (head: this) => T): T {
    if (!this.#kept.has(key)) this.#kept.set(key, make(this));
    return this.#kept.get(key) as T;
  }

  /** Cuts the text into records as an input would. */
  cut(split: SplitOptions): readonly string[] {
    return this.once(JSON.stringify(split), () => this.#whole(cutRecords(this.text, split)));
  }

  /**
   * Returns the first records that begin with lines that pass a test. Testing each line by itself is faster than searching the text for a
   * delimiter.
   * @param isPreamble tells lines that come before all records
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

  /** Drops the last of several records when the text was cut, since it may be incomplete. */
  #whole(records: readonly string[]): readonly string[] {
    return this.#isCut && records.length > 1 ? records.slice(0, -1) : records;
  }
}

/** Number of characters of a text that are examined: more than `HEAD_LENGTH` when the first lines are longer than that. */
function headLength(text: string): number {
  let end = -1;
  for (let lines = 0; lines < FEWEST_LINES; lines++) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) return Math.min(text.length, LONGEST_HEAD);
  }
  return Math.max(HEAD_LENGTH, Math.min(end + 1, LONGEST_HEAD));
}

const ESCAPE = '\u001b';
const COLOURS = new RegExp(`${ESCAPE}\\[[\\d;]*m`, 'g');

/** Removes terminal colour codes from a text. */
export const withoutColours = (text: string): string => (text.includes(ESCAPE) ? text.replace(COLOURS, '') : text);

/** Cuts a text as an input would, and drops empty records. */
function cutRecords(text: string, split: SplitOptions): string[] {
  const pieces = cutPieces(makeSplitter(split), Buffer.from(text), 0, 'end', initialState());
  const records = [...pieces].flatMap(({ payload: { text: all, starts, ends } }) =>
    [...starts].map((start, i) => all.slice(start, ends[i])),
  );
  return records.filter((record) => record.trim() !== '');
}

/** Takes a sample of many lines: the first ones, and others spread evenly over the rest. */
export function sampleOf(lines: readonly string[]): readonly string[] {
  if (lines.length <= SAMPLE_LINES) return lines;
  const step = (lines.length - FIRST_LINES) / (SAMPLE_LINES - FIRST_LINES);
  const others = Array.from({ length: SAMPLE_LINES - FIRST_LINES }, (_, i) => lines[FIRST_LINES + Math.floor(i * step)] as string);
  return [...lines.slice(0, FIRST_LINES), ...others];
}
