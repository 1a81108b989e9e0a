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

/** A record with the fields that an edge has made of it. */
export interface StoredRecord {
  readonly text: string;
  /** `older`: as before the change of the fields. null: neither as before nor as after it. */
  readonly fields: 'older' | 'newer' | null;
}

const NUMBER = "split_part(Payload, ' ', 2)";
/** Which fields a record has. In a file that has texts and numbers of a name, those that come second have a column of their own. */
const FIELDS = `CASE
  WHEN bytes = length(Payload) AND coalesce(code_double, TRY_CAST(code AS DOUBLE)) = TRY_CAST(${NUMBER} AS DOUBLE) THEN 'newer'
  WHEN bytes IS NULL AND coalesce(code_text, code::VARCHAR) = 'c' || ${NUMBER} THEN 'older' END`;

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
    try {
      const [row] = await this.#rows(`SELECT count(*), count(DISTINCT Payload), count(DISTINCT Uuid) FROM ${this.#files}`);
      const [rows, records, withoutRepeats] = (row ?? []).map(Number);
      return { rows: rows ?? 0, records: records ?? 0, withoutRepeats: withoutRepeats ?? 0 };
    } catch (error) {
      if (/No files found/.test(String(error))) return NOTHING;
      throw error;
    }
  }

  /** The records once each, by their Uuid. */
  async records(): Promise<StoredRecord[]> {
    const none = 'SELECT NULL::VARCHAR AS code_text, NULL::DOUBLE AS code_double, NULL::DOUBLE AS bytes WHERE false';
    const all = `${none} UNION ALL BY NAME SELECT Payload, Uuid, COLUMNS('^(code|bytes)') FROM ${this.#files}`;
    const rows = await this.#rows(`SELECT DISTINCT ON (Uuid) Payload, ${FIELDS} FROM (${all})`);
    return rows.map(([text, fields]) => ({ text: String(text), fields: fields as StoredRecord['fields'] }));
  }

  close(): void {
    this.#connection?.closeSync();
  }

  get #files(): string {
    return `read_parquet('${this.#folder}/**/*.parquet', union_by_name = true)`;
  }

  async #rows(sql: string): Promise<unknown[][]> {
    const reader = await this.#connection?.runAndReadAll(sql);
    return reader?.getRows() ?? [];
  }
}
