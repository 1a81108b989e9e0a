import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { Lake as Catalogue, readableSnapshot } from '../../../engine/catalogue/lake.ts';
import { filesAt } from '../../../engine/catalogue/place.ts';

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

/** Asks the lake of the workers. */
export class Lake {
  readonly #lake: Catalogue;
  #connection: DuckDBConnection | null = null;

  constructor(folder: string) {
    this.#lake = new Catalogue(filesAt({ path: folder }));
  }

  /** Counts what is there now. */
  async figures(): Promise<LakeFigures> {
    this.#connection ??= await (await DuckDBInstance.create(':memory:')).connect();
    const files = await this.#files();
    if (files === null) return NOTHING;
    const [row] = await this.#rows(`SELECT count(*), count(DISTINCT Payload), count(DISTINCT Uuid) FROM ${files}`);
    const [rows, records, withoutRepeats] = (row ?? []).map(Number);
    return { rows: rows ?? 0, records: records ?? 0, withoutRepeats: withoutRepeats ?? 0 };
  }

  /** The records once each, by their Uuid. */
  async records(): Promise<StoredRecord[]> {
    const files = await this.#files();
    if (files === null) return [];
    const none = 'SELECT NULL::VARCHAR AS code_text, NULL::DOUBLE AS code_double, NULL::DOUBLE AS bytes WHERE false';
    const all = `${none} UNION ALL BY NAME SELECT Payload, Uuid, COLUMNS('^(code|bytes)') FROM ${files}`;
    const rows = await this.#rows(`SELECT DISTINCT ON (Uuid) Payload, ${FIELDS} FROM (${all})`);
    return rows.map(([text, fields]) => ({ text: String(text), fields: fields as StoredRecord['fields'] }));
  }

  close(): void {
    this.#connection?.closeSync();
  }

  /** All that belongs to the lake now; files that workers had not entered when they were killed do not. */
  async #files(): Promise<string | null> {
    const { files } = await readableSnapshot(this.#lake);
    const paths = await Promise.all([...files.keys()].map((path) => this.#lake.files.local(path)));
    return paths.length === 0 ? null : `read_parquet([${paths.map((path) => `'${path}'`).join(', ')}], union_by_name = true)`;
  }

  async #rows(sql: string): Promise<unknown[][]> {
    const reader = await this.#connection?.runAndReadAll(sql);
    return reader?.getRows() ?? [];
  }
}
