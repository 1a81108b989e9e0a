/**
 * A second way to read lines of a log format, for those that the first one does not take: formats such as `$a|$b` and `[$a] [$b]`, where the literal
 * before a field does not say how far it reaches, and values that a type does not have. Here a field reaches to the delimiters behind
 * it, as the format has them; where they occur several times, the first place counts from which on the rest of the line fits. What stands between
 * quotes has none but escaped ones, as servers write it: with one more, the line was torn.
 */
import type { FieldType } from './log_fields.ts';
import { LAST_NEWLINES, type Capture, type Layout, type Piece } from './log_format.ts';
import { isDash, lineEnd, upToLineEnd, withoutLineEnd } from '../../base/scan.ts';

/** Places that are tried for one line: a line of some hundred fields, or one that fits nowhere. */
const MOST_TRIALS = 2_000;
/** Characters that a value which is no free text has at most: a long list of servers. */
const LONGEST_VALUE = 4_096;
const QUOTE = 34;
const BACKSLASH = 92;

export class RelaxedLine {
  readonly #pieces: readonly Piece[];
  readonly #captures: readonly Capture[];
  readonly #absentValues: boolean;
  readonly #starts: Int32Array;
  /** Fields that have nothing, or a `-`, where their type wants a value. */
  readonly #absent: Uint8Array;
  /** For each free text the first place from which on nothing fits: what begins behind it fits neither. */
  readonly #fruitless: Int32Array;
  #trials = 0;

  /** @param absentValues whether a number or a name of a fixed set may be missing, or be `-`: then it sets no field */
  constructor({ pieces, captures }: Layout, absentValues: boolean) {
    this.#pieces = pieces;
    this.#captures = captures;
    this.#absentValues = absentValues;
    this.#starts = new Int32Array(pieces.length + 1);
    this.#absent = new Uint8Array(pieces.length);
    this.#fruitless = new Int32Array(pieces.length);
  }

  /** Whether the line [at, end) fits the format. `write` then writes it. An empty one has no field at all. */
  parse(text: string, at: number, end: number): boolean {
    this.#trials = MOST_TRIALS;
    this.#fruitless.fill(end + 1);
    return at < end && this.#fits(0, text, at, end);
  }

  /** Writes the fields of the line that `parse` accepted last. */
  write(writer: MessageWriter, text: string): void {
    const starts = this.#starts;
    for (const { piece, column, type } of this.#captures) {
      if (this.#absent[piece] === 0) type.write(writer, column, text, starts[piece] as number, starts[piece + 1] as number);
    }
  }

  /** Whether the pieces from number `i` on fit what stands at `at`. */
  #fits(i: number, text: string, at: number, end: number): boolean {
    this.#starts[i] = at;
    const piece = this.#pieces[i];
    if (piece === undefined) return true;
    if (piece.text !== undefined) {
      const expected = this.#expected(i) ?? '';
      const to = at + expected.length;
      return to <= end && text.startsWith(expected, at) && this.#ends(i, text, to, end) && this.#fits(i + 1, text, to, end);
    }
    const delimiter = this.#expected(i + 1);
    if (delimiter !== undefined) return this.#fitsUpTo(delimiter, i, text, at, end);
    return this.#isLineEnd(i + 1) ? this.#fitsLine(i, text, at, end) : this.#fitsAlone(i, text, at, end);
  }

  /** The delimiters that piece number `i` is; white space at the end of a log format is hardly meant, and a line end is not always there. */
  #expected(i: number): string | undefined {
    const text = this.#pieces[i]?.text;
    if (i + 1 < this.#pieces.length) return text;
    const trimmed = this.#absentValues ? text?.trimEnd() : text?.replace(LAST_NEWLINES, '');
    return trimmed === '' ? undefined : trimmed;
  }

  /** Whether piece number `i` is a line end, which the record must have there or end. */
  #isLineEnd(i: number): boolean {
    return !this.#absentValues && i + 1 === this.#pieces.length && this.#expected(i) === undefined;
  }

  /** Whether a line end stands behind the last delimiters where the format has one. */
  #ends(i: number, text: string, at: number, end: number): boolean {
    const needed = !this.#absentValues && i + 1 === this.#pieces.length && LAST_NEWLINES.test(this.#pieces[i]?.text ?? '');
    return !needed || lineEnd(text, at, end) >= 0;
  }

  /** The same for a field number `i` that reaches to the line end. */
  #fitsLine(i: number, text: string, at: number, end: number): boolean {
    const to = upToLineEnd(text, at, end);
    return takes((this.#pieces[i] as Piece).type as FieldType, text, at, to) && this.#fits(i + 1, text, to, end);
  }

  /** The same for a field number `i` that is the last one or has another field right behind it. */
  #fitsAlone(i: number, text: string, at: number, end: number): boolean {
    const { scan, type } = this.#pieces[i] as Piece;
    const to = scan(text, at, end);
    this.#absent[i] = to < 0 ? 1 : 0;
    if (to >= 0) return this.#fits(i + 1, text, to, end);
    const rest = withoutLineEnd(text, at, end);
    return i + 1 === this.#pieces.length && this.#mayBeAbsent(type as FieldType, text, at, rest) && this.#fits(i + 1, text, rest, end);
  }

  /** The same for a field number `i` that has this delimiter behind it. */
  #fitsUpTo(delimiter: string, i: number, text: string, at: number, end: number): boolean {
    const type = (this.#pieces[i] as Piece).type as FieldType;
    if (at >= (this.#fruitless[i] as number)) return false;
    const isQuoted = delimiter.charCodeAt(0) === QUOTE && this.#pieces[i - 1]?.text?.endsWith('"') === true;
    const line = text.slice(0, type.isText === true ? end : Math.min(end, at + LONGEST_VALUE));
    for (let to = line.indexOf(delimiter, at); to >= 0; to = line.indexOf(delimiter, to + 1)) {
      if (this.#trials-- <= 0) return false;
      if (isEscaped(text, at, to)) continue;
      if (isQuoted && hasQuote(text, at, to)) break;
      const value = takes(type, text, at, to);
      if (!value && !this.#mayBeAbsent(type, text, at, to)) continue;
      this.#absent[i] = value ? 0 : 1;
      if (this.#fits(i + 1, text, to, end)) return true;
    }
    if (type.isText === true) this.#fruitless[i] = at;
    return false;
  }

  #mayBeAbsent({ required }: FieldType, text: string, from: number, to: number): boolean {
    return this.#absentValues && required !== true && (from === to || isDash(text, from, to));
  }
}

/** Whether the type takes all of [from, to). */
function takes({ scan, further, isText }: FieldType, text: string, from: number, to: number): boolean {
  return isText === true || scan(text, from, to) === to || further?.(text, from, to) === to;
}

/** Whether a quote at `to` has an odd number of backslashes before it. */
function isEscaped(text: string, from: number, to: number): boolean {
  if (text.charCodeAt(to) !== QUOTE) return false;
  let at = to;
  while (at > from && text.charCodeAt(at - 1) === BACKSLASH) at--;
  return (to - at) % 2 === 1;
}

/** Whether a quote without a backslash stands in [from, to). */
function hasQuote(text: string, from: number, to: number): boolean {
  let at = text.indexOf('"', from);
  while (at >= 0 && at < to && isEscaped(text, from, at)) at = text.indexOf('"', at + 1);
  return at >= 0 && at < to;
}
