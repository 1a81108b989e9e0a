import { printableLine } from '../../api/printable.ts';
import type { QueryResult } from '../../ask/asker.ts';
import type { ResultColumn, ResultValue } from '../../ask/protocol.ts';
import { plainText } from '../../ask/result-text.ts';
import { cutTo, displayWidth, fillOf } from '../display-width.ts';
import type { Output } from '../output.ts';
import { fittingWidths } from './table-layout.ts';

/** Rows by whose values the widths of a table's columns are found. */
const MEASURED_ROWS = 1000;
/** Widest cell of a table, in columns of the terminal. */
const MAX_WIDTH = 120;
/** Names of columns that a note lists. */
const MOST_NAMES = 8;

/**
 * Prints a result for people: columns side by side, numbers to the right. Control characters become escapes, line breaks ` | `.
 * @param available columns of the terminal, to which the table is fitted; null: it may be as wide as it is
 */
export async function printTable(result: QueryResult, out: Output, available: number | null = null): Promise<number> {
  const first: string[][] = [];
  let table: FittedTable | null = null;
  let count = 0;
  for await (const chunk of result.rows) {
    for (const row of chunk) {
      const cells = row.map(cellText);
      count++;
      if (table !== null) out.add(table.line(cells));
      else if (first.push(cells) === MEASURED_ROWS) out.add((table = new FittedTable(result.columns, first, available)).begin());
    }
    await out.room();
  }
  out.add(table === null ? (table = new FittedTable(result.columns, first, available)).begin() : '');
  out.add(table.end());
  await out.room();
  return count;
}

/** A table whose columns have their widths. */
class FittedTable {
  readonly #names: readonly string[];
  readonly #first: readonly (readonly string[])[];
  readonly #widths: readonly number[];
  readonly #isNumber: readonly boolean[];
  readonly #isWhole: readonly boolean[];
  readonly #isFitted: boolean;

  /** @param first the rows that tell how wide the columns are */
  constructor(columns: readonly ResultColumn[], first: readonly (readonly string[])[], available: number | null) {
    this.#names = columns.map(({ name }) => printableLine(name));
    this.#first = first;
    this.#isNumber = columns.map(({ type }) => NUMBER.test(type));
    this.#isWhole = columns.map(({ type }) => NUMBER.test(type) || TIME.test(type));
    this.#isFitted = available !== null;
    const measured = this.#names.map((name, i) => ({
      width: Math.max(displayWidth(name), ...first.map((cells) => displayWidth(cells[i] as string))),
      isWhole: this.#isWhole[i] === true,
    }));
    this.#widths = fittingWidths(measured, available);
  }

  /** The names of the columns and the rows that they were measured by. */
  begin(): string {
    const rule = this.#widths.map((width) => '-'.repeat(width)).join('  ');
    return [this.line(this.#names), `${rule}\n`, ...this.#first.map((cells) => this.line(cells))].join('');
  }

  line(cells: readonly string[]): string {
    return `${this.#widths
      .map((width, i) => {
        const whole = cells[i] as string;
        const cell = this.#isFitted && this.#isWhole[i] !== true ? cutTo(whole, width) : whole;
        const fill = fillOf(cell, width);
        return this.#isNumber[i] === true ? fill + cell : cell + fill;
      })
      .join('  ')
      .trimEnd()}\n`;
  }

  /** Says which columns there was no room for. */
  end(): string {
    const left = this.#names.slice(this.#widths.length);
    if (left.length === 0) return '';
    const names = left.slice(0, MOST_NAMES).map((name) => cutTo(name, 30));
    const list = `${names.join(', ')}${left.length > names.length ? ', …' : ''}`;
    return `(${left.length} of ${this.#names.length} columns did not fit: ${list}; --wide prints all)\n`;
  }
}

const NUMBER = /^(?:(?:U?(?:TINY|SMALL|BIG|HUGE)?INT|INTEGER|UINTEGER|DOUBLE|FLOAT)$|DECIMAL\([\d,]+\)$)/;
const TIME = /^(?:TIMESTAMP.*|TIME.*|DATE|BOOLEAN)$/;

const cellText = (value: ResultValue): string => cutTo(printableLine(value === null ? '' : plainText(value)), MAX_WIDTH);
