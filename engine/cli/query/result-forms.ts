import { printableLine } from '../../api/printable.ts';
import type { QueryResult } from '../../ask/asker.ts';
import type { ResultValue } from '../../ask/protocol.ts';
import { plainText } from '../../ask/result-text.ts';
import type { Output } from '../output.ts';

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
