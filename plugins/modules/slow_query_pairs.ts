/** Comment lines of slow query logs that hold pairs: `# Query_time: 3.500000  Lock_time: 0.000100 Rows_sent: 5`. */
import { isDigit, isLetter, run } from './scan.ts';

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
const [BLANK, COLON, UNDERSCORE] = [32, 58, 95];

const word = run((code) => isLetter(code) || isDigit(code) || code === UNDERSCORE);

/**
 * The pairs of the line [at, end). A value reaches as far as the next name, so it may be empty or hold blanks. Null when the line is not made of
 * pairs.
 */
export function readPairs(text: string, at: number, end: number): Pair[] | null {
  const pairs: Pair[] = [];
  let name = skipBlanks(text, at, end);
  let colon = nameEnd(text, name, end);
  if (colon < 0) return null;
  while (colon >= 0) {
    const value = Math.min(colon + 2, end);
    let next = skipBlanks(text, value, end);
    let following = nameEnd(text, next, end);
    while (following < 0 && next < end) {
      next = skipBlanks(text, wordEnd(text, next, end), end);
      following = nameEnd(text, next, end);
    }
    pairs.push([text.slice(name, colon), text.slice(value, Math.max(value, next)).trimEnd()]);
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

/** The colon behind the name that begins at `at`, before a blank or the end; -1 when no name begins there. */
function nameEnd(text: string, at: number, end: number): number {
  let to = word(text, at, end);
  if (to >= 0 && text.startsWith('Stored routine', at)) to = at + 'Stored routine'.length;
  if (to < 0 || to >= end || text.charCodeAt(to) !== COLON) return -1;
  return to + 1 === end || text.charCodeAt(to + 1) === BLANK ? to : -1;
}

function wordEnd(text: string, at: number, end: number): number {
  while (at < end && text.charCodeAt(at) !== BLANK) at++;
  return at;
}

function skipBlanks(text: string, at: number, end: number): number {
  while (at < end && text.charCodeAt(at) === BLANK) at++;
  return at;
}
