/** Recognition of values in columns with a header. */
import { columnRoles, timeColumn } from './column-roles.ts';
import { sampleOf, type Head } from './head.ts';
import { DATE } from './date.ts';
import { dayAndClock } from './day-and-clock.ts';
import { NEARLY_ALL, type FormMatch } from './types.ts';

const DELIMITERS: readonly (readonly [character: string, name: string])[] = [
  ['\t', 'tab'],
  [',', ','],
  [';', ';'],
  ['|', '|'],
];
const COLUMN_NAME = /^[A-Za-z_@#][\w .:@/()%-]{0,63}$/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** The line before the header by which spreadsheets know the delimiter, and PowerShell's with the type of the objects. */
const PREAMBLE = /^\ufeff?(?:#TYPE |sep=.\r?$)/;
/** Most of the names of a header are different. */
const DISTINCT = 0.75;
/** Fewest records after a header. */
const FEWEST_RECORDS = 2;

/**
 * Recognises columns with a header: nearly all records have as many values as the header has names, and some column holds only numbers or dates, or two
 * together hold a date and a time.
 */
export function columns(head: Head): FormMatch[] {
  const [first = '', second = ''] = head.text.split('\n', 2);
  const before = PREAMBLE.test(first) ? 2 : 1;
  const header = (before === 1 ? first : second).replace(/^\ufeff|\r$/g, '');
  for (const [delimiter, name] of DELIMITERS) {
    const names = valuesOf(header, delimiter);
    if (names === null || names.length < 2 || new Set(names).size < names.length * DISTINCT) continue;
    if (!names.every((column, at) => COLUMN_NAME.test(column.trim()) || isEmptyEnd(names, at))) continue;
    // Files that were put together, and programs that were started again, have the header several times.
    const records = sampleOf(
      head
        .cut({ kind: 'csv', delimiter })
        .slice(before)
        .filter((record) => record !== header),
    );
    const rows = records.map((record) => valuesOf(record, delimiter));
    const fitting = rows.filter((row) => row?.length === names.length) as string[][];
    if (rows.length < FEWEST_RECORDS || fitting.length < rows.length * NEARLY_ALL) continue;
    const kind = (form: RegExp) => (_: string, at: number) => {
      const values = fitting.map((row) => row[at] as string).filter((value) => value !== '');
      return values.length > 0 && values.every((value) => form.test(value));
    };
    const trimmed = names.map((column) => column.trim());
    const valuesIn = (at: number): string[] => fitting.map((row) => row[at] as string);
    const joined = dayAndClock(trimmed, fitting);
    const time = timeColumn(trimmed, valuesIn);
    if (!names.some(kind(DATE)) && joined === null && time === null && !names.some(kind(NUMBER))) continue;
    const plain = { header, delimiter: name, ...columnRoles(trimmed, valuesIn) };
    const dated = time ?? joined;
    const configs = dated === null ? [plain] : [{ ...plain, ...dated }, plain];
    // The header is a parameter and not among the records to try.
    return configs.map((config) => ({ config, records }));
  }
  return [];
}

/** Whether it is the empty name behind a delimiter at the end of the header. */
function isEmptyEnd(names: readonly string[], at: number): boolean {
  return at > 1 && at === names.length - 1 && names[at]?.trim() === '';
}

/** Splits a record into values; null when a quote in it is not closed. */
function valuesOf(line: string, delimiter: string): string[] | null {
  if (!line.includes('"')) return line.split(delimiter);
  const values: string[] = [];
  let at = 0;
  for (;;) {
    if (line[at] === '"') {
      const end = /"(?:[^"]|"")*"/y;
      end.lastIndex = at;
      const found = end.exec(line)?.[0];
      if (found === undefined) return null;
      values.push(found.slice(1, -1).replaceAll('""', '"'));
      at += found.length;
    } else {
      const to = line.indexOf(delimiter, at);
      values.push(line.slice(at, to < 0 ? line.length : to));
      at = to < 0 ? line.length : to;
    }
    if (at >= line.length) return values;
    if (line[at] !== delimiter) return null;
    at++;
  }
}
