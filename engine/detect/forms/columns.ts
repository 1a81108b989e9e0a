/** Recognition of values in columns with a header. */
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
const TIME_COLUMNS = /^(?:time|timestamp|datetime)$/;
/** Fewest records after a header. */
const FEWEST_RECORDS = 2;

/**
 * Recognises columns with a header: nearly all records have as many values as the header has names, and some column holds only numbers or dates, or two
 * together hold a date and a time.
 */
export function columns(head: Head): FormMatch[] {
  const [first = '', second = ''] = head.text.split('\n', 2);
  // PowerShell writes a line with the type of the objects first.
  const before = first.startsWith('#TYPE ') ? 2 : 1;
  const header = (before === 1 ? first : second).replace(/^\ufeff|\r$/g, '');
  for (const [delimiter, name] of DELIMITERS) {
    const names = valuesOf(header, delimiter);
    if (names === null || names.length < 2 || new Set(names).size < names.length) continue;
    if (!names.every((column) => COLUMN_NAME.test(column.trim()))) continue;
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
    const dates = names.filter(kind(DATE));
    const joined = dayAndClock(
      names.map((column) => column.trim()),
      fitting,
    );
    if (dates.length === 0 && joined === null && !names.some(kind(NUMBER))) continue;
    const plain = { header, delimiter: name };
    const time = timeColumn(dates.map((column) => column.trim()));
    const dated = time === null ? joined : { time_field: time };
    const configs = dated === null ? [plain] : [{ ...plain, ...dated }, plain];
    // The header is a parameter and not among the records to try.
    return configs.map((config) => ({ config, records }));
  }
  return [];
}

/** Name of the time column; null when the decoder knows one by its name, or there is none. */
function timeColumn(dates: readonly string[]): string | null {
  const [time] = dates;
  return time === undefined || dates.some((name) => TIME_COLUMNS.test(name)) || time.includes(',') ? null : time;
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
