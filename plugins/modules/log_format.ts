/**
 * Log formats: from the items of a format (literals, white space, fields) to a parser of lines. A parser tries item after item from the start
 * of the line, without going back; text after the last item is ignored. It finds the ends of all items first and works out
 * values only when the whole line fits, so a line that does not fit costs little and leaves nothing behind.
 */
import type { FieldType } from './log_fields.ts';
import { isSpace, upTo, upToQuote, upToSpace, type Scan } from './scan.ts';

/** What stands between fields: exact text, one white space character, one or more of them. */
export type Delimiter = { readonly kind: 'literal'; readonly text: string } | { readonly kind: 'space' } | { readonly kind: 'spaces' };

/** An item of a format. */
export type LogItem = Delimiter | { readonly kind: 'field'; readonly name: string; readonly type: FieldType };

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

/** Codes of white space in a pattern of delimiters; a character has its own. */
const ONE_SPACE = -1;
const SPACES = -2;

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
  let delimiters: Delimiter[] = [];
  const glue = (): void => {
    if (delimiters.length > 0) pieces.push({ name: JSON.stringify(textOf(delimiters)), scan: delimiterScan(delimiters) });
    delimiters = [];
  };
  for (const item of items) {
    if (item.kind !== 'field') {
      delimiters.push(item);
      continue;
    }
    glue();
    pieces.push({ name: item.name, scan: item.type.scan, type: item.type });
  }
  glue();
  return pieces;
}

function textOf(delimiters: readonly Delimiter[]): string {
  return delimiters.map((item) => (item.kind === 'literal' ? item.text : ' ')).join('');
}

/** Delimiters in a row, in one scan. */
export function delimiterScan(delimiters: readonly Delimiter[]): Scan {
  const pattern = Int32Array.from(delimiters.flatMap(codesOf));
  return (text, at, end) => {
    for (let i = 0; i < pattern.length; i++) {
      if (at >= end) return -1;
      const code = text.charCodeAt(at++);
      const expected = pattern[i] as number;
      if (code === expected) continue;
      if (expected >= 0 || !isSpace(code)) return -1;
      if (expected === SPACES) while (at < end && isSpace(text.charCodeAt(at))) at++;
    }
    return at;
  };
}

function codesOf(item: Delimiter): number[] {
  if (item.kind === 'literal') return Array.from({ length: item.text.length }, (_, i) => item.text.charCodeAt(i));
  return [item.kind === 'space' ? ONE_SPACE : SPACES];
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
