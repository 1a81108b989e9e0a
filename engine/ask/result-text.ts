import { exactCell, spreadsheetCell } from '../api/csv.ts';
import { printableJson } from '../api/printable.ts';
import type { QueryResult } from './asker.ts';
import type { ResultValue } from './protocol.ts';

/** Takes text, and says when there is room for more. */
export interface TextSink {
  add(text: string): void;
  room(): Promise<void>;
}

type LineEnd = '\n' | '\r\n';
type Row = readonly ResultValue[];

/** Writes a result as CSV with its values exact; a null is empty, an empty text is `""`. @param end of lines, the one of RFC 4180 by default */
export const writeCsv = (result: QueryResult, out: TextSink, end: LineEnd = '\r\n'): Promise<number> =>
  writeCells(result, out, exactCell, end);

/** The same for spreadsheets: no cell is a formula to them. */
export const writeSpreadsheet = (result: QueryResult, out: TextSink): Promise<number> => writeCells(result, out, spreadsheetCell, '\r\n');

async function writeCells({ columns, rows }: QueryResult, out: TextSink, cell: (text: string) => string, end: LineEnd): Promise<number> {
  const cellOf = (value: ResultValue): string => (value === null ? '' : value === '' ? '""' : cell(plainText(value)));
  let count = 0;
  out.add(`${columns.map(({ name }) => cell(name)).join(',')}${end}`);
  for await (const chunk of rows) {
    for (const row of chunk) out.add(`${row.map(cellOf).join(',')}${end}`);
    count += chunk.length;
    await out.room();
  }
  return count;
}

/** Writes a result as JSON, one object a line. Integers and decimals keep all their digits; what is no number in JSON is null. */
export async function writeJson({ columns, rows }: QueryResult, out: TextSink): Promise<number> {
  let count = 0;
  const names = columns.map(({ name }) => JSON.stringify(name));
  const forms = columns.map(({ type }) => (DECIMAL.test(type) ? decimalJson : json));
  const lineOf = (row: Row): string => `{${row.map((value, i) => `${names[i] as string}:${(forms[i] as typeof json)(value)}`).join(',')}}`;
  for await (const chunk of rows) {
    out.add(printableJson(chunk.map((row) => `${lineOf(row)}\n`).join('')));
    await out.room();
    count += chunk.length;
  }
  return count;
}

/** Numbers that come as text, or lists of them. */
const DECIMAL = /^(?:DECIMAL\(\d+,\d+\)|BIGNUM)(?:\[\d*\])*$/;

const decimalJson = (value: ResultValue): string =>
  isList(value) ? `[${value.map(decimalJson).join(',')}]` : typeof value === 'string' ? value : json(value);

function json(value: ResultValue): string {
  if (typeof value === 'bigint') return String(value);
  if (Object.is(value, -0)) return '-0';
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
