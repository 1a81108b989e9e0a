/**
 * Log formats: from the items of a format (literals, white space, fields) to a parser of lines. A parser tries item after item from the start
 * of the line, without going back; text after the last item is ignored. It finds the ends of all items first and works out
 * values only when the whole line fits, so a line that does not fit costs little and leaves nothing behind.
 */
import type { FieldType } from './log_fields.ts';
import { isSpace, skipSpace, upTo, upToQuote, upToSpace, type Scan } from '../base/scan.ts';

/** A delimiter between fields: exact text, one white space character, or one or more of them. `text` is its text in the format. */
export interface Delimiter {
  readonly kind: 'literal' | 'space' | 'spaces';
  readonly text: string;
}

/** An item of a format. */
export type LogItem = Delimiter | { readonly kind: 'field'; readonly name: string; readonly type: FieldType };

/** A piece of the line: a field, or the delimiters between two fields. */
export interface Piece {
  /** The name of the field, or how the delimiters are shown. */
  readonly name: string;
  readonly scan: Scan;
  readonly type?: FieldType;
  /** The delimiters as the format has them. */
  readonly text?: string;
  /** The codes of their characters; `ONE_SPACE` and `SPACES` for white space. */
  readonly delimiters?: readonly number[];
}

type Refusal = [status: -1, reason: string];

export interface Capture {
  /** The piece of the line that the field is. */
  readonly piece: number;
  readonly column: number;
  readonly write: FieldType['write'];
}

/** Codes of white space in a pattern of delimiters; a character has its own. */
const ONE_SPACE = -1;
const SPACES = -2;

/** The layout of a format's lines: their pieces, and the columns that the pieces become. */
export interface Layout {
  readonly pieces: readonly Piece[];
  readonly captures: readonly Capture[];
  readonly columns: readonly WriterColumn[];
}

/** Makes the layout of a format. Of two fields with the same name only the later one is written. */
export function layoutOf(items: readonly LogItem[]): Layout {
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
  return { pieces, captures, columns };
}

type Parse = (text: string, at: number, end: number) => number;
type Write = (writer: MessageWriter, text: string) => void;

/**
 * Reads lines of one format into the columns of a message writer. Both ways are compiled from the format, one statement for each piece, so that
 * each scanner is called from a place of its own: that is twice as fast as a loop over them.
 */
export class LineParser {
  readonly #parse: Parse;
  readonly #write: Write;
  readonly #refusals: readonly Refusal[];
  /** The piece that was not found in the line refused last. */
  #refused = 0;

  constructor({ pieces, captures }: Layout) {
    // Start positions of the pieces, and behind them the end of the line.
    const starts = new Int32Array(pieces.length + 1);
    this.#parse = compiledParse(pieces, starts);
    this.#write = compiledWrite(captures, starts);
    this.#refusals = pieces.map(({ name }): Refusal => [-1, `no ${name} where the format has it`]);
  }

  /** The result of `process_message` for a line that `parse` did not accept: the status and the item that was not found. */
  get refusal(): Refusal {
    return this.#refusals[this.#refused] as Refusal;
  }

  /** Whether the line [at, end) fits the format. `write` then writes it. */
  parse(text: string, at: number, end: number): boolean {
    const refused = this.#parse(text, at, end);
    if (refused >= 0) this.#refused = refused;
    return refused < 0;
  }

  /** Writes the fields of the line that `parse` accepted last. */
  write(writer: MessageWriter, text: string): void {
    this.#write(writer, text);
  }
}

/** A function that notes where the pieces of a line begin, and returns the number of the first one that is not there, or -1. */
function compiledParse(pieces: readonly Piece[], starts: Int32Array): Parse {
  const scans = pieces.map(({ scan }, i): [string, Scan] => [`scan${i}`, scan]);
  const steps = pieces.map((piece, i) => `starts[${i}] = at; ${parseStep(piece, i)}`);
  const body = `${steps.join('\n')}\nstarts[${pieces.length}] = at; return -1;`;
  return compile_function<Parse>(['text', 'at', 'end'], body, { starts, isSpace, skipSpace, ...Object.fromEntries(scans) });
}

function parseStep({ delimiters }: Piece, i: number): string {
  if (delimiters === undefined) return `at = scan${i}(text, at, end); if (at < 0) return ${i};`;
  return delimiters.map((code) => delimiterStep(code, `return ${i};`)).join(' ');
}

function delimiterStep(code: number, refuse: string): string {
  const differs = code < 0 ? '!isSpace(text.charCodeAt(at))' : `text.charCodeAt(at) !== ${code}`;
  const more = code === SPACES ? ' if (at < end && isSpace(text.charCodeAt(at))) at = skipSpace(text, at, end);' : '';
  return `if (at >= end || ${differs}) ${refuse} at++;${more}`;
}

/** A function that writes the pieces that `compiledParse` found. */
function compiledWrite(captures: readonly Capture[], starts: Int32Array): Write {
  const writes = captures.map(({ write }, i): [string, Capture['write']] => [`write${i}`, write]);
  const steps = captures.map(({ piece, column }, i) => `write${i}(writer, ${column}, text, starts[${piece}], starts[${piece + 1}]);`);
  return compile_function<Write>(['writer', 'text'], steps.join('\n'), { starts, ...Object.fromEntries(writes) });
}

function glueDelimiters(items: readonly LogItem[]): Piece[] {
  const pieces: Piece[] = [];
  let delimiters: Delimiter[] = [];
  const glue = (): void => {
    if (delimiters.length > 0) pieces.push(delimiterPiece(delimiters));
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

function delimiterPiece(delimiters: readonly Delimiter[]): Piece {
  const text = delimiters.map((item) => item.text).join('');
  const shown = delimiters.map((item) => (item.kind === 'literal' ? item.text : ' ')).join('');
  return { name: JSON.stringify(shown), scan: delimiterScan(delimiters), text, delimiters: delimiters.flatMap(codesOf) };
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
 * A scanner for a text field. It stops at a quote after a literal that ends in a quote, at white space after white space and at the start, else
 * at the last character of the last literal.
 */
export function textAfter(items: readonly LogItem[]): Scan {
  const last = items.findLast((item) => item.kind !== 'field');
  if (last === undefined || last.kind !== 'literal') return upToSpace;
  const stop = last.text.at(-1) as string;
  return stop === '"' ? upToQuote : upTo(stop);
}
