import { existsSync } from 'node:fs';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';

/** Figures of the stored messages. */
export interface LakeFigures {
  /** Messages, repeated ones included. */
  readonly rows: number;
  /** Different records. */
  readonly records: number;
  /** Messages after those of the same Uuid were reduced to one. */
  readonly withoutRepeats: number;
}

const NOTHING: LakeFigures = { rows: 0, records: 0, withoutRepeats: 0 };

/** Asks the Parquet files of the workers. */
export class Lake {
  readonly #folder: string;
  #connection: DuckDBConnection | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Counts what is there now. */
  async figures(): Promise<LakeFigures> {
    if (!existsSync(this.#folder)) return NOTHING;
    this.#connection ??= await (await DuckDBInstance.create(':memory:')).connect();
    const files = `read_parquet('${this.#folder}/**/*.parquet', union_by_name = true)`;
    try {
      const [row] = await this.#rows(`SELECT count(*), count(DISTINCT Payload), count(DISTINCT Uuid) FROM ${files}`);
      const [rows, records, withoutRepeats] = (row ?? []).map(Number);
      return { rows: rows ?? 0, records: records ?? 0, withoutRepeats: withoutRepeats ?? 0 };
    } catch (error) {
      if (/No files found/.test(String(error))) return NOTHING;
      throw error;
    }
  }

  /** The records once each, by their Uuid. */
  async records(): Promise<string[]> {
    const files = `read_parquet('${this.#folder}/**/*.parquet', union_by_name = true)`;
    return (await this.#rows(`SELECT DISTINCT ON (Uuid) Payload FROM ${files}`)).map(([payload]) => String(payload));
  }

  close(): void {
    this.#connection?.closeSync();
  }

  async #rows(sql: string): Promise<unknown[][]> {
    const reader = await this.#connection?.runAndReadAll(sql);
    return reader?.getRows() ?? [];
  }
}
