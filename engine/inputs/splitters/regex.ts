import { isAscii, isUtf8 } from 'node:buffer';
import { decodeRecord, incompleteTail, type DecodedRecord } from '../text.ts';
import { compileDelimiter, type DelimiterFinder } from './delimiter.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_RECORDS, type Cuts, type CutState, type LineTest, type Outlook, type Splitter } from '../splitter.ts';

/** Bytes that are made a text at a time: those of a batch, and some in which its last record ends. */
const NEAR = MAX_BATCH_BYTES + (1 << 16);
/** A delimiter that is not there to its end has at most so many characters. */
const MOST_OF_DELIMITER = 1024;

/**
 * Records between matches of a regular expression. Without a group the match is thrown away. With one, its text is kept: at the
 * end of the record before it (`delimiterEol`), or else at the start of the one after it. Empty records are not delivered, nor is the first one when it
 * has only lines that stand in front of all records.
 */
export class RegexSplitter implements Splitter {
  readonly maxRecord: number;
  readonly #delimiter: DelimiterFinder;
  readonly #delimiterEol: boolean;
  readonly #preamble: LineTest | null;

  /**
   * Throws an InputError (`split.bad`) for an expression that cannot be used.
   * @param preamble the form of lines in front of all records; null: there are none
   */
  constructor(pattern: string, delimiterEol: boolean, maxRecord: number, preamble: LineTest | null = null) {
    this.maxRecord = maxRecord;
    this.#delimiter = compileDelimiter(pattern, !delimiterEol);
    this.#delimiterEol = delimiterEol;
    this.#preamble = preamble;
  }

  cut(bytes: Buffer, from: number, outlook: Outlook, state: CutState, cuts: Cuts): number {
    const [near, more] = [from + NEAR, bytes.length > from + NEAR];
    const used = more ? this.#cutWindow(bytes.subarray(0, near), from, 'more', state, cuts) : from;
    return used > from ? used : this.#cutWindow(bytes, from, outlook, state, cuts);
  }

  #cutWindow(bytes: Buffer, from: number, outlook: Outlook, state: CutState, cuts: Cuts): number {
    cuts.reset();
    cuts.firstLine = state.line;
    const window = textWindow(bytes, from, outlook);
    const isPlain = window.isPlain && !this.#delimiterEol;
    const add = isPlain ? addingPlaces(cuts, from, this.maxRecord) : addingTexts(cuts, window, this.maxRecord);
    const used = this.#cutText(window.text, outlook, state, cuts, add);
    if (!isPlain) startsInBytes(cuts, from, window);
    if (state.line > 0) state.line += cuts.count;
    return from + window.byteLength(0, used);
  }

  #cutText(text: string, outlook: Outlook, state: CutState, cuts: Cuts, add: Add): number {
    const delimiter = this.#delimiter;
    let start = 0;
    let search = 0;
    let weight = 0;
    while (weight < MAX_BATCH_BYTES && cuts.count < MAX_BATCH_RECORDS && !cuts.truncated) {
      if (!delimiter.find(text, search)) return this.#cutRest(text, start, outlook, state, cuts, add);
      // With more bytes at hand the delimiter could be longer.
      if (outlook === 'more' && delimiter.end === text.length && !this.#isTooLong(text, start)) return start;
      const { groupStart, groupEnd } = delimiter;
      const kept = this.#delimiterEol && groupStart >= 0 ? text.slice(groupStart, groupEnd) : '';
      weight += delimiter.start - start + kept.length;
      if (state.skipping) state.skipping = false;
      else if (!this.#isPreamble(text, start, delimiter.start, state, cuts)) add(text, start, delimiter.start, kept);
      start = !this.#delimiterEol && groupStart >= 0 ? groupStart : delimiter.end;
      search = Math.max(delimiter.end, delimiter.start + 1);
    }
    return start;
  }

  #cutRest(text: string, start: number, outlook: Outlook, state: CutState, cuts: Cuts, add: Add): number {
    if (outlook !== 'end' && !this.#isTooLong(text, start)) return start;
    if (!state.skipping && !this.#isPreamble(text, start, text.length, state, cuts)) add(text, start, text.length, '');
    state.skipping = outlook !== 'end' || text.length - start > this.maxRecord;
    return outlook === 'end' ? text.length : this.#beforeDelimiter(text);
  }

  /** Whether a record without a delimiter is longer than allowed, whatever of its end may be the beginning of one. */
  #isTooLong(text: string, start: number): boolean {
    return text.length - start > this.maxRecord + MOST_OF_DELIMITER;
  }

  /** Length of that part of a record that is too long with which no delimiter can begin. */
  #beforeDelimiter(text: string): number {
    const end = text.length - MOST_OF_DELIMITER;
    const isInPair = text.charCodeAt(end) >= 0xdc00 && text.charCodeAt(end) <= 0xdfff;
    return isInPair ? end - 1 : end;
  }

  #isPreamble(text: string, start: number, end: number, { line }: CutState, { count }: Cuts): boolean {
    const preamble = this.#preamble;
    if (preamble === null || line !== 1 || count > 0) return false;
    return text
      .slice(start, end)
      .split(/\r?\n/)
      .every((one) => preamble.test(one));
  }
}

/** Adds the record [start, end) of a text, with further characters at its end. */
type Add = (text: string, start: number, end: number, kept: string) => void;

/** Adds records of a text with a character for each byte: they are places in the bytes, in which the text begins at `from`. */
const addingPlaces =
  (cuts: Cuts, from: number, maxRecord: number): Add =>
  (_text, start, end) => {
    if (end === start) return;
    if (cuts.count === 0) cuts.textStart = from + start;
    cuts.truncated = end - start > maxRecord;
    cuts.add(from + start, from + Math.min(end, start + maxRecord));
  };

/** Adds records as texts. */
function addingTexts(cuts: Cuts, { decode }: TextWindow, maxRecord: number): Add {
  const texts: string[] = (cuts.texts = []);
  return (text, start, end, kept) => {
    const record = text.slice(start, end) + kept;
    if (record.length === 0) return;
    const isLong = record.length > maxRecord;
    const written = record.includes('\0') ? record.replace(HOLES, '') : record;
    if (written === '') return;
    const decoded = decode(isLong ? written.slice(0, maxRecord).toWellFormed() : written);
    cuts.starts[cuts.count++] = start;
    texts.push(decoded.text);
    cuts.invalid ||= !decoded.valid;
    cuts.truncated ||= isLong;
  };
}

/** NUL bytes at the beginning of a record, and in front of its line ends. */
const HOLES = /^\0+|\0+(?=\r?\n|$)/g;
const LF = 10;

/** The bytes with runs of NUL behind a line end moved in front of it: holes that a crash or a truncated file left are no part of the line behind them. */
function withHolesInFront(bytes: Buffer): Buffer {
  const moved = Buffer.from(bytes);
  for (let at = moved.indexOf(0); at >= 0;) {
    let to = at;
    while (to < moved.length && moved[to] === 0) to++;
    if (at > 0 && moved[at - 1] === LF) {
      moved[at - 1] = 0;
      moved[to - 1] = LF;
    }
    at = moved.indexOf(0, to);
  }
  return moved;
}

type Decode = (record: string) => DecodedRecord;

/** The bytes from a position on as text, with the way back from lengths in the text to lengths in the bytes. */
interface TextWindow {
  readonly text: string;
  /** Each character is the byte at its place, in ASCII. */
  readonly isPlain: boolean;
  readonly decode: Decode;
  /** Of the code units [from, to). */
  byteLength(from: number, to: number): number;
}

/** Turns the first characters of records into their first bytes. */
function startsInBytes({ starts, count }: Cuts, from: number, window: TextWindow): void {
  let at = from;
  let unit = 0;
  for (let i = 0; i < count; i++) {
    const start = starts[i] as number;
    at += window.byteLength(unit, start);
    unit = start;
    starts[i] = at;
  }
}

function textWindow(bytes: Buffer, from: number, outlook: Outlook): TextWindow {
  const rest = bytes.subarray(from);
  const part = outlook === 'end' ? rest : rest.subarray(0, rest.length - incompleteTail(rest));
  const whole = part.includes(0) ? withHolesInFront(part) : part;
  const isPlain = isAscii(whole);
  if (!isPlain && isUtf8(whole)) {
    const text = whole.toString('utf8');
    const byteLength = (start: number, end: number): number =>
      start === 0 && end === text.length ? whole.length : Buffer.byteLength(text.slice(start, end));
    return { text, isPlain, decode: (record) => ({ text: record, valid: true }), byteLength };
  }
  const text = whole.toString('latin1');
  return {
    text,
    isPlain: isPlain && whole === part,
    decode: (record) => decodeRecord(Buffer.from(record, 'latin1')),
    byteLength: (start, end) => end - start,
  };
}
