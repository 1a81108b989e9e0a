/** Comment lines of slow query logs that hold pairs: `# Query_time: 3.500000  Lock_time: 0.000100 Rows_sent: 5`. */
import { isDigit, isLetter } from './scan.ts';

export type Pair = readonly [name: string, value: string];
export type LogField = FieldValue & { name: string };

const UNITS: Readonly<Record<string, string>> = {
  Query_time: 's',
  Lock_time: 's',
  InnoDB_IO_r_wait: 's',
  InnoDB_rec_lock_wait: 's',
  InnoDB_queue_wait: 's',
  Pages_read_time: 'ms',
  Engine_time: 'ms',
  Bytes_sent: 'B',
  Bytes_received: 'B',
  Tmp_table_sizes: 'B',
  InnoDB_IO_r_bytes: 'B',
};
/** Names as the servers write them that are fields of another name. */
const FIELD_NAMES: Readonly<Record<string, string>> = { QC_Hit: 'QC_hit', 'Stored routine': 'Stored_routine' };
/** These are texts, also when they look like numbers. */
const TEXTS = new Set(['Schema', 'Stored_routine', 'InnoDB_trx_id']);
const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** The only name of two words. */
const LONG_NAME = 'Stored routine';
const [TAB, BLANK, UNDERSCORE] = [9, 32, 95];

/**
 * The pairs of the line [at, end). A value reaches as far as the next name, so it may be empty or hold blanks. Null when the line does not begin
 * with a name.
 */
export function readPairs(text: string, at: number, end: number): Pair[] | null {
  while (at < end && isBlank(text.charCodeAt(at))) at++;
  let colon = nextColon(text, at, end);
  if (colon < 0 || nameStart(text, at, colon) !== at) return null;
  const pairs: Pair[] = [];
  let name = at;
  while (colon >= 0) {
    const value = Math.min(colon + 2, end);
    const following = nextColon(text, colon + 1, end);
    const next = following < 0 ? end : nameStart(text, value, following);
    pairs.push([text.slice(name, colon), trimmedEnd(text, value, next)]);
    name = next;
    colon = following;
  }
  return pairs;
}

/** The field that a pair is: a number with its unit where the value is one. */
export function pairField([written, value]: Pair): LogField {
  const name = FIELD_NAMES[written] ?? written;
  if (TEXTS.has(name) || !NUMBER.test(value)) return { name, value };
  const representation = UNITS[name];
  return representation === undefined ? { name, value: Number(value) } : { name, value: Number(value), representation };
}

/** The next colon that ends a name: behind a word, and before a blank or the end. -1 when there is none. */
function nextColon(text: string, at: number, end: number): number {
  for (let colon = text.indexOf(':', at); colon >= 0 && colon < end; colon = text.indexOf(':', colon + 1)) {
    const ends = colon + 1 === end || isBlank(text.charCodeAt(colon + 1));
    if (ends && nameStart(text, at, colon) < colon) return colon;
  }
  return -1;
}

/** Where the name before `colon` begins, not before `at`; `colon` itself when there is none behind a blank. */
function nameStart(text: string, at: number, colon: number): number {
  if (colon - LONG_NAME.length >= at && text.startsWith(LONG_NAME, colon - LONG_NAME.length)) return colon - LONG_NAME.length;
  let from = colon;
  while (from > at && isWord(text.charCodeAt(from - 1))) from--;
  return from === at || isBlank(text.charCodeAt(from - 1)) ? from : colon;
}

function isBlank(code: number): boolean {
  return code === BLANK || code === TAB;
}

function isWord(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === UNDERSCORE;
}

function trimmedEnd(text: string, from: number, to: number): string {
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}
