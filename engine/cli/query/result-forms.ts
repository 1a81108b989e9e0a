import { exactCell } from '../../api/csv.ts';
import { printableLine } from '../../api/printable.ts';
import type { QueryResult } from '../../ask/asker.ts';
import type { ResultValue } from '../../ask/protocol.ts';
import type { Output } from '../output.ts';

type Row = readonly ResultValue[];

/** Rows by whose values the widths of a table's columns are found. */
const MEASURED_ROWS = 1000;
/** Widest cell of a table, in characters. */
const MAX_WIDTH = 120;

/** Prints a result for people: columns side by side, numbers to the right. Control characters become escapes, line breaks ` | `. */
export async function printTable({ columns, rows }: QueryResult, out: Output): Promise<number> {
  const first: string[][] = [];
  let widths: number[] | null = null;
  let count = 0;
  const right = columns.map(({ type }) => NUMBER.test(type));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (right[i] === true ? cell.padStart(widths?.[i] ?? 0) : cell.padEnd(widths?.[i] ?? 0)))
      .join('  ')
      .trimEnd();
  const begin = async (): Promise<void> => {
    const names = columns.map(({ name }) => printableLine(name));
    widths = names.map((name, i) => Math.max(name.length, ...first.map((cells) => (cells[i] as string).length)));
    out.add(linesOf([line(names), widths.map((width) => '-'.repeat(width)).join('  '), ...first.map(line)]));
    await out.room();
  };
  for await (const chunk of rows) {
    for (const row of chunk) {
      const cells = row.map(cellText);
      count++;
      if (widths !== null) {
        out.add(`${line(cells)}\n`);
        continue;
      }
      first.push(cells);
      if (first.length === MEASURED_ROWS) await begin();
    }
    await out.room();
  }
  if (widths === null) await begin();
  return count;
}

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

const NUMBER = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT|INTEGER|UINTEGER|DOUBLE|FLOAT|DECIMAL)/;

function cellText(value: ResultValue): string {
  const text = printableLine(value === null ? '' : plainText(value));
  return text.length <= MAX_WIDTH ? text : `${text.slice(0, MAX_WIDTH - 1)}…`;
}

/** Prints a result as CSV (RFC 4180) with its values exact; a null is empty, an empty text is `""`. */
export async function printCsv({ columns, rows }: QueryResult, out: Output): Promise<number> {
  let count = 0;
  out.add(`${columns.map(({ name }) => exactCell(name)).join(',')}\r\n`);
  for await (const chunk of rows) {
    for (const row of chunk) out.add(`${row.map(csvCell).join(',')}\r\n`);
    count += chunk.length;
    await out.room();
  }
  return count;
}

const csvCell = (value: ResultValue): string => (value === null ? '' : value === '' ? '""' : exactCell(plainText(value)));

/** Prints a result as JSON, one object a line. Integers keep all their digits; what is no number in JSON is null. */
export async function printJson({ columns, rows }: QueryResult, out: Output): Promise<number> {
  let count = 0;
  const names = columns.map(({ name }) => JSON.stringify(name));
  const lineOf = (row: Row): string => `{${row.map((value, i) => `${names[i] as string}:${json(value)}`).join(',')}}`;
  for await (const chunk of rows) {
    out.add(linesOf(chunk.map(lineOf)));
    await out.room();
    count += chunk.length;
  }
  return count;
}

function json(value: ResultValue): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString('base64'));
  if (isList(value)) return `[${value.map(json).join(',')}]`;
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, entry]) => `${JSON.stringify(key)}:${json(entry)}`)
      .join(',')}}`;
  return JSON.stringify(value);
}

/** A value as text: bytes as Base64, lists and objects as JSON. */
export function plainText(value: Exclude<ResultValue, null>): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'object' ? json(value) : String(value);
}

const isList = (value: ResultValue): value is readonly ResultValue[] => Array.isArray(value);
