/**
 * Log formats: from the items of a format (literals, white space, fields) to a parser of lines. A parser tries item after item from the start
 * of the line, without going back; text after the last item is ignored. It finds the ends of all items first and works out
 * values only when the whole line fits, so a line that does not fit costs little and leaves nothing behind.
 */
import type { FieldType } from './log_fields.ts';
import { isSpace, lineEnd, skipSpace, upTo, upToQuote, upToSpace, type Scan } from '../base/scan.ts';

/** A delimiter between fields: exact text, one white space character, or one or more of them. `text` is its text in the format. */
export interface Delimiter {
  readonly kind: 'literal' | 'space' | 'spaces';
  readonly text: string;
}

/** An item of a format. */
export type LogItem = Delimiter | { readonly kind: 'field'; readonly name: string; readonly type: FieldType };

export const isField = ({ kind }: LogItem): boolean => kind === 'field';

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
/** A line end within a format, and one that ends it: there the record may end without one. */
const NEWLINE = -3;
const LAST_NEWLINE = -4;
/** The line ends at the end of a format's last delimiter. */
export const LAST_NEWLINES = /[\r\n]*\n$/;

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
  return compile_function<Parse>(['text', 'at', 'end'], body, { starts, isSpace, lineEnd, skipSpace, ...Object.fromEntries(scans) });
}

function parseStep({ delimiters }: Piece, i: number): string {
  if (delimiters === undefined) return `at = scan${i}(text, at, end); if (at < 0) return ${i};`;
  return delimiters.map((code) => delimiterStep(code, `return ${i};`)).join(' ');
}

function delimiterStep(code: number, refuse: string): string {
  if (code === NEWLINE) return `if (at >= end || (at = lineEnd(text, at, end)) < 0) ${refuse}`;
  if (code === LAST_NEWLINE) return `if ((at = lineEnd(text, at, end)) < 0) ${refuse}`;
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
  const glue = (isLast: boolean): void => {
    if (delimiters.length > 0) pieces.push(delimiterPiece(delimiters, isLast));
    delimiters = [];
  };
  for (const item of items) {
    if (item.kind !== 'field') {
      delimiters.push(item);
      continue;
    }
    glue(false);
    pieces.push({ name: item.name, scan: item.type.scan, type: item.type });
  }
  glue(true);
  return pieces;
}

function delimiterPiece(delimiters: readonly Delimiter[], isLast: boolean): Piece {
  const text = delimiters.map((item) => item.text).join('');
  const shown = delimiters.map((item) => (item.kind === 'literal' ? item.text : ' ')).join('');
  return { name: JSON.stringify(shown), scan: delimiterScan(delimiters, isLast), text, delimiters: codesOf(delimiters, isLast) };
}

/** Delimiters in a row, in one scan; the last ones of a format may end with the record instead of a line end. */
export function delimiterScan(delimiters: readonly Delimiter[], isLast: boolean): Scan {
  const pattern = Int32Array.from(codesOf(delimiters, isLast));
  return (text, at, end) => {
    for (let i = 0; i < pattern.length && at >= 0; i++) at = delimiter(pattern[i] as number, text, at, end);
    return at;
  };
}

function delimiter(expected: number, text: string, at: number, end: number): number {
  if (expected === LAST_NEWLINE) return lineEnd(text, at, end);
  if (at >= end) return -1;
  if (expected === NEWLINE) return lineEnd(text, at, end);
  const code = text.charCodeAt(at++);
  if (expected >= 0) return code === expected ? at : -1;
  if (!isSpace(code)) return -1;
  return expected === SPACES ? skipSpace(text, at, end) : at;
}

function codesOf(delimiters: readonly Delimiter[], isLast: boolean): number[] {
  const last = delimiters.map(({ text }) => text).join('');
  const kept = isLast ? last.length - (LAST_NEWLINES.exec(last)?.[0].length ?? 0) : last.length;
  const codes: number[] = [];
  let at = 0;
  for (const item of delimiters) {
    if (at < kept) codes.push(...itemCodes({ ...item, text: item.text.slice(0, kept - at) }));
    at += item.text.length;
  }
  return kept < last.length ? [...codes, LAST_NEWLINE] : codes;
}

function itemCodes({ kind, text }: Delimiter): number[] {
  if (kind !== 'literal') return [kind === 'space' ? ONE_SPACE : SPACES];
  return text
    .replaceAll('\r\n', '\n')
    .split('')
    .map((letter) => (letter === '\n' ? NEWLINE : letter.charCodeAt(0)));
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
