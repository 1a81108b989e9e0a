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
const COLUMN_NAME = /^[A-Za-z_@#][\w .:@/()%[\]-]{0,63}$/;
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
  const comments = preambleOf(head.text);
  for (const [delimiter, name] of DELIMITERS) {
    const all = head.cut({ kind: 'csv', delimiter });
    const skipped = comments > 0 ? comments : titlesOf(all, delimiter);
    // A name in quotes may have a line end in it.
    const header = (all[skipped] ?? '').replace(/^\ufeff|\r$/g, '');
    // Values lose the blanks behind their delimiters when all names of the header have them.
    const isSpaced = valuesOf(header, delimiter)?.every((name, at) => at === 0 || name.startsWith(' ')) ?? false;
    const split = (record: string): string[] | null => valuesOf(record, delimiter, isSpaced);
    const names = split(header);
    if (names === null || names.length < 2 || new Set(names).size < names.length * DISTINCT) continue;
    if (!names.every((column, at) => COLUMN_NAME.test(column.trim().replace(/\s+/g, ' ')) || isEmptyName(names, at))) continue;
    // Files that were put together, and programs that were started again, have the header several times.
    const records = sampleOf(all.slice(skipped + 1).filter((record) => record !== header && (record[0] !== '#' || header.startsWith('#'))));
    const rows = records.map(split);
    const fitting = rows.filter((row) => row?.length === names.length) as string[][];
    if (rows.length < FEWEST_RECORDS || fitting.length < rows.length * leastOf(names)) continue;
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
    return configs.map((config) => ({ config, records: fittingRecords(records, rows, names.length) }));
  }
  return [];
}

const fittingRecords = (records: readonly string[], rows: readonly (readonly string[] | null)[], width: number): readonly string[] =>
  records.filter((_, at) => rows[at]?.length === width);

/** Names of a log, among whose rows some may have commas too many. */
const LOG_NAME = /^\s*"?@?(?:time(?:stamp)?|ts|date(?:time)?|level|severity)"?\s*$/i;
const leastOf = (names: readonly string[]): number => (names.filter((name) => LOG_NAME.test(name)).length > 1 ? 0.5 : NEARLY_ALL);

/** Number of the lines in front of the header: by which programs know the form of the file, and comments. */
function preambleOf(text: string): number {
  const lines = text.split('\n', MOST_COMMENTS + 1);
  if (PREAMBLE.test(lines[0] ?? '')) return 1;
  const comments = lines.findIndex((line) => !/^\ufeff?#/.test(line));
  // A single one may be the header itself.
  return comments > 0 && comments <= MOST_COMMENTS && !COMMENTED_HEADER.test(lines[comments - 1] ?? '') ? comments : 0;
}

const MOST_COMMENTS = 20;
/** A header that begins with a number sign. */
const COMMENTED_HEADER = /^\ufeff?#\s?\w+(?:[,;|\t]\s?[\w ()%/.-]+)+\r?$/;

/** Lines in front of a header, such as the title of a report, at most; and names of a header behind such, at least. */
const [MOST_TITLES, FEWEST_NAMES] = [10, 3];

/** Number of the lines in front of the header that have fewer values, where all others have as many as it. */
function titlesOf(records: readonly string[], delimiter: string): number {
  const sample = records.slice(0, MOST_TITLES + FEWEST_RECORDS + 1);
  const widths = sample.map((record) => valuesOf(record.replace(/^\ufeff|\r$/g, ''), delimiter)?.length ?? 0);
  const header = widths.findIndex((width) => width >= FEWEST_NAMES);
  const [first, ...others] = header <= 0 ? [] : widths.slice(header);
  return others.length >= FEWEST_RECORDS && others.every((width) => width === first) ? header : 0;
}

/** Whether it is the only empty name of several: behind a delimiter at the end of the header, or of the column in which data frames have their index. */
function isEmptyName(names: readonly string[], at: number): boolean {
  return names.length >= FEWEST_NAMES && names[at]?.trim() === '' && names.every((name, other) => other === at || name.trim() !== '');
}

/** Splits a record into values; null when a quote in it is not closed. */
function valuesOf(line: string, delimiter: string, isSpaced = false): string[] | null {
  if (!isSpaced && !line.includes('"')) return line.split(delimiter);
  const values: string[] = [];
  let at = 0;
  for (;;) {
    while (isSpaced && values.length > 0 && line[at] === ' ') at++;
    if (line[at] === '"') {
      const end = /"(?:[^"]|"")*"/y;
      end.lastIndex = at;
      const found = end.exec(line)?.[0];
      if (found === undefined) return null;
      values.push(found.slice(1, -1).replaceAll('""', '"'));
      at += found.length;
    } else {
      const to = line.indexOf(delimiter, at);
      const value = line.slice(at, to < 0 ? line.length : to);
      values.push(isSpaced ? value.trimEnd() : value);
      at = to < 0 ? line.length : to;
    }
    if (at >= line.length) return values;
    if (line[at] !== delimiter) return null;
    at++;
  }
}
