/**
 * Log formats: from the items of a format (literals, white space, fields) to a parser of lines. A parser tries item after item from the start
 * of the line, without going back; text after the last item is ignored. It finds the ends of all items first and works out
 * values only when the whole line fits, so a line that does not fit costs little and leaves nothing behind.
 */
import type { FieldType } from './log_fields.ts';
import { isSpace, upTo, upToQuote, upToSpace, type Scan } from './scan.ts';

/** An item of a format, in order: exact text, one or more white space characters, or a field. */
export type LogItem =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'space' }
  | { readonly kind: 'field'; readonly name: string; readonly type: FieldType };

/** A piece of the line: a field, or the delimiters between two fields. */
interface Piece {
  readonly name: string;
  readonly scan: Scan;
  readonly type?: FieldType;
}

type Refusal = [status: -1, reason: string];

interface Capture {
  /** The piece of the line that the field is. */
  readonly piece: number;
  readonly column: number;
  readonly write: FieldType['write'];
}

const WHITE_SPACE = -1;

/** Reads lines of one format into the columns of a message writer. */
export class LineParser {
  /** The columns that `write` fills. */
  readonly columns: readonly WriterColumn[];
  readonly #scans: readonly Scan[];
  readonly #captures: readonly Capture[];
  readonly #refusals: readonly Refusal[];
  /** The piece that was not found in the line refused last. */
  #refused = 0;
  /** Where the pieces of the line begin; the last is where the line ends. */
  readonly #starts: Int32Array;

  /** Of two fields of the same name the later counts; the earlier is only recognised. */
  constructor(items: readonly LogItem[]) {
    const pieces = glueDelimiters(items);
    const fields = new Map<string, { piece: number; type: FieldType }>();
    for (const [piece, { name, type }] of pieces.entries()) {
      if (type === undefined) continue;
      fields.delete(name);
      fields.set(name, { piece, type });
    }

    const columns: WriterColumn[] = [];
    const captures: Capture[] = [];
    for (const [name, { piece, type }] of fields) {
      captures.push({ piece, column: columns.length, write: type.write });
      columns.push(...type.columns(name));
    }
    this.columns = columns;
    this.#scans = pieces.map(({ scan }) => scan);
    this.#captures = captures;
    this.#refusals = pieces.map(({ name }): Refusal => [-1, `no ${name} where the format has it`]);
    this.#starts = new Int32Array(pieces.length + 1);
  }

  /** What `process_message` returns for a line that `parse` did not accept: the status and the item that was not found. */
  get refusal(): Refusal {
    return this.#refusals[this.#refused] as Refusal;
  }

  /** Whether the line [at, end) fits the format. `write` then writes it. */
  parse(text: string, at: number, end: number): boolean {
    const scans = this.#scans;
    const starts = this.#starts;
    for (let i = 0; i < scans.length; i++) {
      starts[i] = at;
      at = (scans[i] as Scan)(text, at, end);
      if (at < 0) {
        this.#refused = i;
        return false;
      }
    }
    starts[scans.length] = at;
    return true;
  }

  /** Writes the fields of the line that `parse` accepted last. */
  write(writer: MessageWriter, text: string): void {
    const starts = this.#starts;
    for (let i = 0; i < this.#captures.length; i++) {
      const { piece, column, write } = this.#captures[i] as Capture;
      write(writer, column, text, starts[piece] as number, starts[piece + 1] as number);
    }
  }
}

function glueDelimiters(items: readonly LogItem[]): Piece[] {
  const pieces: Piece[] = [];
  let delimiters: LogItem[] = [];
  for (const item of items) {
    if (item.kind !== 'field') {
      delimiters.push(item);
      continue;
    }
    if (delimiters.length > 0) pieces.push(glue(delimiters));
    delimiters = [];
    pieces.push({ name: item.name, scan: item.type.scan, type: item.type });
  }
  if (delimiters.length > 0) pieces.push(glue(delimiters));
  return pieces;
}

/** Literals and white space in a row, in one scan. */
function glue(delimiters: readonly LogItem[]): Piece {
  const text = delimiters.map((item) => (item.kind === 'literal' ? item.text : ' ')).join('');
  const pattern = Int32Array.from(delimiters.flatMap((item) => (item.kind === 'literal' ? codesOf(item.text) : [WHITE_SPACE])));
  return { name: JSON.stringify(text), scan: (line, at, end) => matchDelimiters(pattern, line, at, end) };
}

function matchDelimiters(pattern: Int32Array, text: string, at: number, end: number): number {
  for (let i = 0; i < pattern.length; i++) {
    if (at >= end) return -1;
    const code = text.charCodeAt(at++);
    if (code === pattern[i]) continue;
    if (pattern[i] !== WHITE_SPACE || !isSpace(code)) return -1;
    while (at < end && isSpace(text.charCodeAt(at))) at++;
  }
  return at;
}

function codesOf(text: string): number[] {
  return Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
}

/**
 * How far a text field extends: up to a quote after a literal that ends in a quote, up to white space after white space and at the start, else
 * up to the last character of the last literal.
 */
export function textAfter(items: readonly LogItem[]): Scan {
  const last = items.findLast((item) => item.kind !== 'field');
  if (last === undefined || last.kind !== 'literal') return upToSpace;
  const stop = last.text.at(-1) as string;
  return stop === '"' ? upToQuote : upTo(stop);
}
