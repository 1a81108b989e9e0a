import { visibleText } from '../../../../engine/api/printable.ts';
import type { QueryCell, QueryRows, ResultColumnInfo } from '../../../../engine/api/types.ts';

const NUMBER = /^(?:U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER|DOUBLE|FLOAT|BIGNUM|DECIMAL\([\d,]+\))$/;
const TIME = /^(?:TIMESTAMP|DATE|TIME)/;

export const isNumber = ({ type }: ResultColumnInfo): boolean => NUMBER.test(type);
export const isTime = ({ type }: ResultColumnInfo): boolean => TIME.test(type);

/** A value as it is shown. */
export function cellText(cell: QueryCell, column: ResultColumnInfo): string {
  if (cell === null) return 'NULL';
  if (typeof cell === 'number') return numberText(cell, column);
  const text = String(cell);
  // Nanoseconds that are all 0, and a time of the day that is.
  if (isTime(column)) return text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  return visibleText(text).replaceAll('\n', '\\n');
}

function numberText(value: number, { type }: ResultColumnInfo): string {
  if (!/^(?:DOUBLE|FLOAT)/.test(type) || Number.isInteger(value)) return String(value);
  return String(Number(value.toPrecision(12)));
}

/** Rows that the widths are found by, and the widest and narrowest column, in characters. */
const MEASURED = 300;
const WIDEST = 60;
const NARROWEST = 4;

/** Widths of the columns, in characters. */
export function widthsOf({ columns, rows }: Pick<QueryRows, 'columns' | 'rows'>): number[] {
  return columns.map((column, i) => {
    // Beside the name stand the mark of the order and, for times, their zone.
    let width = Math.max(NARROWEST, column.name.length + (isTime(column) ? 6 : 2));
    for (const row of rows.slice(0, MEASURED)) width = Math.max(width, cellText(row[i] ?? null, column).length);
    return Math.min(WIDEST, width);
  });
}

/** The order of the rows, by one of the columns. */
export interface Sorting {
  readonly column: number;
  readonly descending: boolean;
}

/** Numbers of the rows in the order that someone chose; NULL comes last in either. */
export function sortedRows({ columns, rows }: Pick<QueryRows, 'columns' | 'rows'>, sorting: Sorting | null): Uint32Array {
  const order = Uint32Array.from(rows, (_, i) => i);
  if (sorting === null) return order;
  const { column, descending } = sorting;
  const numeric = isNumber(columns[column] as ResultColumnInfo);
  const sign = descending ? -1 : 1;
  const valueOf = (i: number): QueryCell => rows[i]?.[column] ?? null;
  return order.sort((a, b) => {
    const [one, other] = [valueOf(a), valueOf(b)];
    if (one === null || other === null) return one === other ? a - b : one === null ? 1 : -1;
    return sign * (numeric ? compareNumbers(String(one), String(other)) : compareTexts(String(one), String(other))) || a - b;
  });
}

const INTEGER = /^-?\d+$/;

/** Compares numbers as SQL does: NaN is the greatest, and integers count with all their digits. */
function compareNumbers(one: string, other: string): number {
  const [a, b] = [Number(one), Number(other)];
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  if (a !== b) return a < b ? -1 : 1;
  return INTEGER.test(one) && INTEGER.test(other) ? Number(BigInt(one) > BigInt(other)) - Number(BigInt(one) < BigInt(other)) : 0;
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Rows as lines with tabs, for the clipboard. */
export function copyText({ columns }: Pick<QueryRows, 'columns'>, rows: readonly (readonly QueryCell[])[]): string {
  const cell = (value: QueryCell): string => (value === null ? '' : String(value).replaceAll(/[\t\n\r]+/g, ' '));
  return [columns.map(({ name }) => cell(name)), ...rows.map((row) => row.map(cell))].map((cells) => cells.join('\t')).join('\n');
}
