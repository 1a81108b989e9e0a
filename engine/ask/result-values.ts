import type { DuckDBValue } from '@duckdb/node-api';
import { duckdb } from './duckdb.ts';
import type { ResultValue } from './protocol.ts';

const { DuckDBArrayValue, DuckDBBlobValue, DuckDBListValue, DuckDBMapValue, DuckDBStructValue } = duckdb;

/** Characters, bytes and entries that the values of a row may have. */
const MOST_IN_ROW = 32 << 20;

/** Turns rows of DuckDB into a form that goes through a pipe, and counts what is in them. */
export class ResultRows {
  readonly #names: readonly string[];
  #left = 0;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** @throws {Error} for a row that is too large: it would be in memory several times, also in the process that shows it */
  row(values: readonly DuckDBValue[]): { readonly values: readonly ResultValue[]; readonly size: number } {
    this.#left = MOST_IN_ROW;
    const row = values.map((value, i) => this.#counted(value, this.#names[i] ?? ''));
    return { values: row, size: MOST_IN_ROW - this.#left };
  }

  #counted(value: DuckDBValue, column: string): ResultValue {
    try {
      return this.#value(value);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const most = MOST_IN_ROW.toLocaleString('en');
      throw new Error(
        `a row is too large at its column ${column}: at most ${most} characters and entries are answered; ask for less of it, as by left(…, 1000)`,
        {
          cause: error,
        },
      );
    }
  }

  #value(value: DuckDBValue): ResultValue {
    this.#take(1);
    if (typeof value === 'string') this.#take(value.length);
    if (value === null || typeof value !== 'object') return value;
    if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map((item) => this.#value(item));
    if (value instanceof DuckDBBlobValue) {
      this.#take(value.bytes.length);
      return new Uint8Array(value.bytes);
    }
    if (value instanceof DuckDBStructValue)
      return Object.fromEntries(Object.entries(value.entries).map(([key, entry]) => [key, this.#value(entry)]));
    if (value instanceof DuckDBMapValue)
      return Object.fromEntries(value.entries.map(({ key, value: entry }) => [textOf(this.#value(key)), this.#value(entry)]));
    return value.toString();
  }

  #take(count: number): void {
    this.#left -= count;
    if (this.#left < 0) throw new RangeError('the row is too large');
  }
}

const textOf = (key: ResultValue): string => (typeof key === 'object' ? JSON.stringify(key) : String(key));
