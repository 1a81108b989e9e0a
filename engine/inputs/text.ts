import { isAscii, isUtf8 } from 'node:buffer';
import type { TextValues } from '../message/batch/columns.ts';
import { LatinText, textValues, type Text } from '../message/latin-text.ts';
import type { TextPool } from '../message/text-pool.ts';
import type { Cuts } from './splitter.ts';

/**
 * How texts are wanted: `made`; as `bytes`, whose text is made when it is asked for; or as bytes in memory that is used again, if there is some: whoever
 * releases the texts of records when these are done with gives a pool.
 */
export type TextForm = 'made' | 'bytes' | TextPool;

/** A shorter text is always made: that takes less than memory that is shared. */
const SHORT = 16 << 10;

/** Records as text, and whether some of them were no UTF-8. */
export interface RecordText {
  readonly values: TextValues;
  readonly invalid: boolean;
}

/**
 * The text of records that were cut from bytes, with one backing string for all of them. UTF-8 is expected; a record that is none is
 * read as windows-1252, unless most of it is UTF-8: then it keeps U+FFFD in place of its damaged bytes. So a file that mixes both is
 * readable, and no line is lost.
 */
export function recordText(bytes: Buffer, cuts: Cuts, form: TextForm = 'made'): RecordText {
  if (cuts.texts !== null) return { values: joinTexts(cuts.texts), invalid: cuts.invalid };
  const { textStart, textEnd, count } = cuts;
  const span = bytes.subarray(textStart, textEnd);
  if (isAscii(span)) {
    const starts = cuts.starts.slice(0, count);
    const ends = cuts.ends.slice(0, count);
    if (textStart > 0) {
      for (let i = 0; i < count; i++) {
        starts[i] = (starts[i] as number) - textStart;
        ends[i] = (ends[i] as number) - textStart;
      }
    }
    return { values: textValues(asciiText(span, form), starts, ends), invalid: false };
  }
  const values = isUtf8(span) ? utf8Values(bytes, cuts, span) : null;
  if (values !== null) return { values, invalid: false };
  let invalid = false;
  const texts: string[] = [];
  for (let i = 0; i < count; i++) {
    const record = decodeRecord(bytes.subarray(cuts.starts[i], cuts.ends[i]));
    invalid ||= !record.valid;
    texts.push(record.text);
  }
  return { values: joinTexts(texts), invalid };
}

function asciiText(bytes: Buffer, form: TextForm): Text {
  if (form === 'made' || bytes.length < SHORT) return bytes.toString('latin1');
  return form === 'bytes' ? LatinText.shared(bytes) : (form.text(bytes) ?? bytes.toString('latin1'));
}

/** Texts one behind the other as text values. */
export function joinTexts(texts: readonly string[]): TextValues {
  const starts = new Uint32Array(texts.length);
  const ends = new Uint32Array(texts.length);
  let at = 0;
  for (let i = 0; i < texts.length; i++) {
    starts[i] = at;
    at += (texts[i] as string).length;
    ends[i] = at;
  }
  return { text: texts.join(''), starts, ends };
}

/** Valid UTF-8: decodes once and counts code units between the cuts. Null when a cut goes through a sequence. */
function utf8Values(bytes: Buffer, cuts: Cuts, span: Buffer): TextValues | null {
  const starts = new Uint32Array(cuts.count);
  const ends = new Uint32Array(cuts.count);
  let unit = 0;
  let at = cuts.textStart;
  for (let i = 0; i < cuts.count; i++) {
    const start = cuts.starts[i] as number;
    const end = cuts.ends[i] as number;
    if (((bytes[start] as number) & 0xc0) === 0x80 && start < end) return null;
    unit += codeUnits(bytes, at, start);
    starts[i] = unit;
    unit += codeUnits(bytes, start, end);
    ends[i] = unit;
    at = end;
  }
  return { text: span.toString('utf8'), starts, ends };
}

/** UTF-16 code units of valid UTF-8 in bytes [from, to). */
function codeUnits(bytes: Uint8Array, from: number, to: number): number {
  let units = 0;
  for (let i = from; i < to; i++) {
    const byte = bytes[i] as number;
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

export interface DecodedRecord {
  readonly text: string;
  /** It was UTF-8. */
  readonly valid: boolean;
}

/** One record as text. See `recordText`. */
export function decodeRecord(record: Buffer): DecodedRecord {
  if (isAscii(record)) return { text: record.toString('latin1'), valid: true };
  if (isUtf8(record)) return { text: record.toString('utf8'), valid: true };
  return { text: isMostlyUtf8(record) ? record.toString('utf8') : windows1252(record), valid: false };
}

/** Whether there are more valid multi-byte sequences of UTF-8 than stray bytes. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  let valid = 0;
  let invalid = 0;
  for (let i = 0; i < bytes.length;) {
    if ((bytes[i] as number) < 0x80) {
      i++;
      continue;
    }
    const length = sequenceLength(bytes, i);
    if (length > 0) valid++;
    else invalid++;
    i += length || 1;
  }
  return valid > invalid;
}

/** Length of the valid UTF-8 sequence of several bytes at a position, or 0 (overlong forms and surrogates are not told apart). */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const length = expectedLength(bytes[at] as number);
  for (let i = 1; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

function expectedLength(lead: number): number {
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

/** Bytes at the end that are the beginning of a UTF-8 sequence whose rest is not there yet: 0 to 3. */
export function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    return expectedLength(byte) > back ? back : 0;
  }
  return 0;
}

/** The characters of windows-1252 at 0x80 to 0x9f (https://encoding.spec.whatwg.org/index-windows-1252.txt); the rest is as in Latin-1. */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

function windows1252(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  return text.replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80] as string);
}
