/** Comment lines of slow query logs that hold pairs: `# Query_time: 3.500000  Lock_time: 0.000100 Rows_sent: 5`. */
import { NameCache } from '../name_cache.ts';
import { isDigit, isLetter, plainNumber } from '../../base/scan.ts';
import type { LogField } from '../../modules/table_writer.ts';

const UNITS: ReadonlyMap<string, string> = new Map([
  ...['Query_time', 'Lock_time', 'InnoDB_IO_r_wait', 'InnoDB_rec_lock_wait', 'InnoDB_queue_wait'].map(inUnit('s')),
  ...['Pages_read_time', 'Engine_time'].map(inUnit('ms')),
  ...['Bytes_sent', 'Bytes_received', 'Tmp_table_sizes', 'InnoDB_IO_r_bytes'].map(inUnit('B')),
]);
/** Names as the servers write them that are fields of another name. */
const FIELD_NAMES: ReadonlyMap<string, string> = new Map([
  ['QC_Hit', 'QC_hit'],
  ['Stored routine', 'Stored_routine'],
]);
/** These are texts, also when they look like numbers. */
export const TEXTS = new Set(['Schema', 'Stored_routine', 'InnoDB_trx_id']);
/** The only name of two words. */
const LONG_NAME = 'Stored routine';
const [TAB, BLANK, PLUS, UNDERSCORE] = [9, 32, 43, 95];

function inUnit(unit: string): (name: string) => [string, string] {
  return (name) => [name, unit];
}

/** Reads the pairs of a line, one after the other. A value reaches as far as the next name, so it may be empty or hold blanks. */
export class PairLineReader {
  name = '';
  value = '';
  readonly #names = new NameCache();
  #text = '';
  #end = 0;
  /** Positions of the next name and of the colon behind it; the colon is -1 when there are no more names. */
  #start = 0;
  #colon = -1;

  /** Begins with an entry. */
  beginEntry(): void {
    this.#names.begin();
  }

  /** Begins with the line [at, end). False when it does not begin with a name. */
  begin(text: string, at: number, end: number): boolean {
    while (at < end && isBlank(text.charCodeAt(at))) at++;
    this.#text = text;
    this.#end = end;
    this.#seek(at);
    return this.#colon >= 0 && this.#start === at;
  }

  /** Reads the next pair. False at the end of the line. */
  next(): boolean {
    const [text, colon] = [this.#text, this.#colon];
    if (colon < 0) return false;
    this.name = this.#names.next(text, this.#start, colon);
    this.#seek(colon + 1);
    this.value = trimmed(text, Math.min(colon + 2, this.#end), this.#colon < 0 ? this.#end : this.#start);
    return true;
  }

  /** Does what `nameStart` does, faster when the name is the same as at this place of the last record. */
  #nameStart(at: number, colon: number): number {
    const start = colon - this.#names.lengthBefore(this.#text, colon);
    const begins = start <= colon && (start === at || (start > at && isBlank(this.#text.charCodeAt(start - 1))));
    return begins && !this.#text.startsWith(LONG_NAME, colon - LONG_NAME.length) ? start : nameStart(this.#text, at, colon);
  }

  /** Finds the next colon that ends a name: behind a word, and before a blank or the end. */
  #seek(at: number): void {
    const [text, end] = [this.#text, this.#end];
    for (let colon = text.indexOf(':', at); colon >= 0 && colon < end; colon = text.indexOf(':', colon + 1)) {
      if (colon + 1 < end && !isBlank(text.charCodeAt(colon + 1))) continue;
      this.#start = this.#nameStart(at, colon);
      this.#colon = colon;
      if (this.#start < colon) return;
    }
    this.#colon = -1;
  }
}

/** The field that a pair is: a number with its unit where the value is one. */
export function pairField(written: string, value: string): LogField {
  const name = FIELD_NAMES.get(written) ?? written;
  const number = TEXTS.has(name) || value.charCodeAt(0) === PLUS ? NaN : plainNumber(value);
  const representation = UNITS.get(name);
  if (Number.isNaN(number) || (representation === undefined && String(number) !== value)) return { name, value };
  return representation === undefined ? { name, value: number } : { name, value: number, representation };
}

/** The start of the name before `colon`, not before `at`; `colon` itself when no name follows a blank. */
function nameStart(text: string, at: number, colon: number): number {
  let from = colon;
  while (from > at && isWord(text.charCodeAt(from - 1))) from--;
  const long = colon - LONG_NAME.length;
  if (long >= at && long < from && text.startsWith(LONG_NAME, long)) return long;
  return from === at || isBlank(text.charCodeAt(from - 1)) ? from : colon;
}

function isBlank(code: number): boolean {
  return code === BLANK || code === TAB;
}

function isWord(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === UNDERSCORE;
}

function trimmed(text: string, from: number, to: number): string {
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}
