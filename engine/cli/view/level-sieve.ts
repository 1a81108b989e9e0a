import { isStringOneByteRepresentation } from 'node:v8';
import { findPlugin } from '../../plugins/catalog.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import type { TextValues } from '../../message/batch/columns.ts';
import { LatinText, textHeader } from '../../message/latin-text.ts';
import type { InputChunk } from '../message-source.ts';
import { rowsOf } from '../search/matched-chunks.ts';
import type { DecodedSource } from '../file-decoders.ts';
import { behindBlanks, behindValue, BRACE, BRACE_END, COLON, COMMA, QUOTE } from './json-text.ts';

const DECODER = 'json_lines';
/** Longer records are decoded. */
const MOST_BYTES = 1 << 14;
const [BLANK, BACKSLASH] = [32, 92];
/** Longer names have no meaning. */
const LONGEST_NAME = 64;
/** Words that are levels wherever they stand alone. Others, and numbers, are left to the decoder. */
const LEVELS: readonly (readonly [word: Uint8Array, severity: number])[] = Object.entries({
  info: 6,
  debug: 7,
  warn: 4,
  trace: 7,
  warning: 4,
  notice: 5,
  information: 6,
}).map(([word, severity]) => [Buffer.from(word), severity]);
/** The bit by which a small letter differs from a large one. */
const SMALL = 32;

/** Signs in words that are no record of their own and begin with no level: they have no pairs, brackets, escapes or quotes. */
const SIGNS = new Set(
  [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 !$%&'()*+,-./:;>?@_|~"].map((sign) => sign.charCodeAt(0)),
);
const IS_SIGN = Uint8Array.from({ length: 256 }, (_, code) => (SIGNS.has(code) ? 1 : 0));
/** Programs whose lines begin with their names. */
const PROGRAMS = /^(?:p?npm|gyp|node-pre-gyp) /;
const LONGEST_PROGRAM = 13;
const FIRSTS = new Set([...'png'].map((letter) => letter.charCodeAt(0)));

/** The meaning of a member, by its name. A level that is no text, and a `part` of a name with dots that is an object, are left to the decoder. */
interface Role {
  readonly name: Uint8Array;
  readonly kind: 'level' | 'text' | 'part';
}

/**
 * Finds the lines of JSON whose level is told by their bytes and is not so bad as those that are wanted, so that they need not be decoded. It is sure of these:
 * each is an object with one level that is a usual word, and words that are no record of their own. All others are for the decoder.
 */
export class LevelSieve {
  readonly #level: number;
  /** By the lengths and the first letters of the names. */
  readonly #roles: (Role[] | undefined)[] = Array.from({ length: LONGEST_NAME << 8 });

  private constructor(level: number, roles: readonly Role[]) {
    this.#level = level;
    for (const role of roles) {
      (this.#roles[keyOf(role.name, 0, role.name.length)] ??= []).push(role);
    }
  }

  /** Null: the decoder finds levels in other ways. @param level the least bad one that is wanted */
  static of(decoder: DecodedSource['decoder'], level: number): LevelSieve | null {
    if (decoder === null) return null;
    const [{ name, path, meta }, config] = decoder;
    if (name !== DECODER || path !== findPlugin('decoder', DECODER).path) return null;
    const setting = (key: string): string => String(config[key] ?? meta?.parameters?.[key]?.default ?? '');
    // A time that cannot be read makes the decoder refuse a record, and a zone with two equal hours looks at the record before.
    if (setting('records') !== 'lines' || config['tz'] !== undefined || setting('time_field') + setting('time_format') !== '') return null;
    const [levels, texts] = [setting('severity_field'), setting('message_field')].map((names) => names.split(',').map((one) => one.trim()));
    return new LevelSieve(level, rolesOf(levels ?? [], texts ?? []));
  }

  /** The records that are to be decoded, with the last one, of which the time counts for others; null: all. */
  wanted(chunk: InputChunk): InputChunk | null {
    const rows = this.#rows(chunk.batch);
    if (rows === null) return null;
    const wanted = rowsOf(chunk, rows);
    return { ...wanted, batch: withOwnTexts(wanted.batch) };
  }

  #rows({ payload, length }: MessageBatch): Uint32Array | null {
    if (payload === null || payload.constant !== undefined || payload.rows !== null || length < 2) return null;
    const { starts, ends } = payload;
    const bytes = bytesOf(payload);
    if (bytes === null) return null;
    const rows = new Uint32Array(length);
    let count = 0;
    for (let row = 0; row < length; row++)
      if (row === length - 1 || !this.#isUnwanted(bytes, starts[row] as number, ends[row] as number)) rows[count++] = row;
    return count === length ? null : rows.subarray(0, count);
  }

  #isUnwanted(bytes: Uint8Array, start: number, end: number): boolean {
    if (bytes[start] !== BRACE || end - start > MOST_BYTES) return false;
    let isLess = false;
    for (let at = behindBlanks(bytes, start + 1); ; at = behindBlanks(bytes, at + 1)) {
      if (bytes[at] !== QUOTE) return false;
      const behindName = behindPlain(bytes, at + 1, end);
      if (behindName < 0) return false;
      const kind = this.#kindOf(bytes, at + 1, behindName - 1);
      at = behindBlanks(bytes, behindName);
      if (bytes[at] !== COLON) return false;
      const value = behindBlanks(bytes, at + 1);
      const behind = behindValue(bytes, value, end);
      if (behind < 0) return false;
      if (kind === 'level') {
        if (isLess || !this.#isLess(bytes, value, behind)) return false;
        isLess = true;
      } else if (kind === 'text' && !isWords(bytes, value, behind)) return false;
      else if (kind === 'part' && bytes[value] === BRACE) return false;
      at = behindBlanks(bytes, behind);
      if (bytes[at] === BRACE_END) return isLess && at < end && behindBlanks(bytes, at + 1) >= end;
      if (bytes[at] !== COMMA || at >= end) return false;
    }
  }

  #kindOf(bytes: Uint8Array, from: number, to: number): Role['kind'] | 'other' {
    const roles = this.#roles[keyOf(bytes, from, to)];
    if (roles !== undefined) for (const { name, kind } of roles) if (isSame(bytes, from, name)) return kind;
    return 'other';
  }

  /** Whether a value is the word for a level that is not so bad as those that are wanted. */
  #isLess(bytes: Uint8Array, from: number, to: number): boolean {
    if (bytes[from] !== QUOTE) return false;
    for (const [word, severity] of LEVELS)
      if (word.length === to - from - 2 && isSame(bytes, from + 1, word, SMALL)) return severity > this.#level;
    return false;
  }
}

/** The characters of texts, one byte each; null: there are others among them. */
function bytesOf(values: TextValues): Buffer | null {
  if (values.latin !== undefined) return values.latin.bytes;
  return isStringOneByteRepresentation(values.text) ? Buffer.from(values.text, 'latin1') : null;
}

/** The records with texts of their own, so that no thread gets what stands between them. */
function withOwnTexts(batch: MessageBatch): MessageBatch {
  const { payload } = batch;
  const bytes = payload === null || payload.constant !== undefined ? null : bytesOf(payload);
  if (payload === null || payload.constant !== undefined || bytes === null) return batch;
  const ends = payload.ends.map((end, i) => end - (payload.starts[i] as number));
  for (let i = 1; i < ends.length; i++) ends[i] = (ends[i] as number) + (ends[i - 1] as number);
  const own = Buffer.from(new SharedArrayBuffer(ends.at(-1) ?? 0));
  const starts = Uint32Array.from(ends, (_end, i) => ends[i - 1] ?? 0);
  for (const [i, start] of starts.entries()) bytes.copy(own, start, payload.starts[i], payload.ends[i]);
  return batch.with({ payload: textHeader(payload.rows, new LatinText(own), starts, ends) });
}

/** The place behind the end of a string without escapes; -1: it has one. */
function behindPlain(bytes: Uint8Array, at: number, end: number): number {
  for (; at < end; at++) {
    const code = bytes[at] as number;
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH || code < BLANK) return -1;
  }
  return -1;
}

const keyOf = (bytes: Uint8Array, from: number, to: number): number => ((to - from) << 8) | (bytes[from] ?? 0);

/** @param bit that makes no difference */
function isSame(bytes: Uint8Array, from: number, name: Uint8Array, bit = 0): boolean {
  for (let i = 0; i < name.length; i++) if (((bytes[from + i] as number) | bit) !== name[i]) return false;
  return true;
}

/** The names, and for those with dots what they begin with. A name that means several things means the first of them. */
function rolesOf(levels: readonly string[], texts: readonly string[]): Role[] {
  const parts = [...levels, ...texts].flatMap((name) => {
    const pieces = name.split('.');
    return pieces.slice(1).map((_piece, at) => pieces.slice(0, at + 1).join('.'));
  });
  const all = [['level', levels] as const, ['text', texts] as const, ['part', parts] as const];
  return all.flatMap(([kind, names]) => names.map((name): Role => ({ name: Buffer.from(name), kind })));
}

/** Whether a value is a text of mere words, which may be a date with a number in it only if they begin with a capital. */
function isWords(bytes: Uint8Array, from: number, to: number): boolean {
  const first = bytes[from + 1] as number;
  const isSmall = first >= 97 && first <= 122;
  if (bytes[from] !== QUOTE || !(isSmall || (first >= 65 && first <= 90))) return false;
  for (let at = from + 1; at < to - 1; at++) {
    const code = bytes[at] as number;
    if (IS_SIGN[code] === 0 || (!isSmall && code >= 48 && code <= 57)) return false;
  }
  return !(
    FIRSTS.has(first) && PROGRAMS.test(String.fromCharCode(...bytes.subarray(from + 1, Math.min(to - 1, from + 1 + LONGEST_PROGRAM))))
  );
}
