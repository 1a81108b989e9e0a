/**
 * Log formats: from the items of a format (literals, white space, fields) to a parser of lines. A parser tries item after item from the start
 * of the line, without going back; text after the last item is ignored. It finds the ends of all items first and works out
 * values only when the whole line fits, so a line that does not fit costs little and leaves nothing behind.
 */
import { codeScope, scanCode, unitsCode, writeCode } from './field_code.ts';
import type { FieldType } from './log_fields.ts';
import { isSpace, lineEnd, skipSpace, upTo, upToQuote, upToSpace, type Scan } from '../../base/scan.ts';

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

/** A field that is written. */
export interface Capture {
  /** The piece of the line that the field is. */
  readonly piece: number;
  readonly column: number;
  readonly type: FieldType;
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

/**
 * Makes the layout of a format. Of two fields with the same name only the later one is written.
 * @param first the number of the first column in the writer
 */
export function layoutOf(items: readonly LogItem[], first = 0): Layout {
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
    captures.push({ piece, column: first + columns.length, type });
    columns.push(...type.columns(name));
  }
  return { pieces, captures, columns };
}

type Read = (writer: MessageWriter, text: string, at: number, end: number) => number;
type ReadUnits = (writer: MessageWriter, span: PayloadSpan, at: number, end: number, units: Uint8Array) => number;

/**
 * Reads lines of one format into the columns of a message writer, with one function that is compiled from the format: for each piece of the line
 * the code that finds its end, then for each field the code that writes it. There is one function for texts, and one for those whose code units are at
 * hand as bytes; each is made for the first of its lines.
 */
export class LineParser {
  readonly #layout: Layout;
  #readText: Read | null = null;
  #readUnits: ReadUnits | null = null;
  readonly #refusals: readonly Refusal[];
  /** The piece that was not found in the line refused last. */
  #refused = 0;

  constructor(layout: Layout) {
    this.#layout = layout;
    this.#refusals = layout.pieces.map(({ name }): Refusal => [-1, `no ${name} where the format has it`]);
  }

  /** The result of `process_message` for a line that `read` did not accept: the status and the item that was not found. */
  get refusal(): Refusal {
    return this.#refusals[this.#refused] as Refusal;
  }

  /** Writes the fields of the line [at, end) if it fits the format, and says whether it does. */
  read(writer: MessageWriter, text: string, at: number, end: number): boolean {
    return this.#accepts((this.#readText ??= compiled<Read>(this.#layout, 'text'))(writer, text, at, end));
  }

  /** Writes the fields of the current record if it fits the format, and says whether it does. */
  readSpan(writer: MessageWriter, span: PayloadSpan): boolean {
    const { start, end, units } = span;
    if (units === null) return this.read(writer, span.text, start, end);
    return this.#accepts((this.#readUnits ??= compiled<ReadUnits>(this.#layout, 'span'))(writer, span, start, end, units));
  }

  /** @param refused number of the piece that is not there; -1: all are */
  #accepts(refused: number): boolean {
    if (refused >= 0) this.#refused = refused;
    return refused < 0;
  }
}

/** A function that writes a line, or returns the number of the first piece that is not there; else it returns -1. Piece i begins at `at<i>`. */
function compiled<F extends Read | ReadUnits>({ pieces, captures }: Layout, source: 'text' | 'span'): F {
  const inUnits = source === 'span';
  const steps = pieces.map((piece, i) => `const at${i} = at; ${pieceStep(piece, i, inUnits)}`);
  const writes = captures.map(({ piece, column, type }) =>
    inUnits ? unitsCode(writeCode(type, piece, column)) : writeCode(type, piece, column),
  );
  const values = pieces.map((_, i) => `value${i} = 0`);
  const body = `let code = 0, ${values.join(', ')};\n${steps.join('\n')}\n${writes.join('\n')}\nreturn -1;`;
  const scope: Record<string, unknown> = { isSpace, lineEnd, skipSpace };
  for (const [i, { type }] of pieces.entries()) if (type !== undefined) Object.assign(scope, codeScope(type, i));
  return compile_function<F>(['writer', source, 'at', 'end', ...(inUnits ? ['units'] : [])], body, scope);
}

function pieceStep({ delimiters = [], type }: Piece, i: number, inUnits: boolean): string {
  if (type === undefined) {
    const steps = delimiters.map((code) => delimiterStep(code, `return ${i};`)).join(' ');
    return inUnits ? unitsCode(steps) : steps;
  }
  return `${scanCode(type, i, inUnits)} if (at < 0) return ${i}; const to${i} = at;`;
}

function delimiterStep(code: number, refuse: string): string {
  if (code === NEWLINE) return `if (at >= end || (at = lineEnd(text, at, end)) < 0) ${refuse}`;
  if (code === LAST_NEWLINE) return `if ((at = lineEnd(text, at, end)) < 0) ${refuse}`;
  const differs = code < 0 ? '!isSpace(text.charCodeAt(at))' : `text.charCodeAt(at) !== ${code}`;
  const more = code === SPACES ? ' if (at < end && isSpace(text.charCodeAt(at))) at = skipSpace(text, at, end);' : '';
  return `if (at >= end || ${differs}) ${refuse} at++;${more}`;
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
