import type { QueryFormat } from '../../api/query-types.ts';
import type { QueryResult } from '../../ask/asker.ts';
import { parquetOf } from '../../ask/result-parquet.ts';
import { writeCsv, writeJson, writeSpreadsheet, type TextSink } from '../../ask/result-text.ts';

/** The file of an export, while it is written. */
export interface ExportTarget {
  readonly signal: AbortSignal;
  /** Appends to it. @param count records or rows that this is */
  readonly write: (data: string | Uint8Array, count: number) => Promise<void>;
  /** Says how many there will be. */
  readonly expect: (total: number) => void;
}

type Chunk = QueryResult['rows'] extends AsyncIterable<infer T> ? T : never;

/** Characters that are written at once. */
const PIECE = 1 << 16;

const TEXTS: Readonly<Record<Exclude<QueryFormat, 'parquet'>, (result: QueryResult, out: TextSink) => Promise<number>>> = {
  csv: writeSpreadsheet,
  'exact-csv': writeCsv,
  json: writeJson,
};

/** Writes all rows of a result. */
export async function exportResult(result: QueryResult, format: QueryFormat, target: ExportTarget): Promise<void> {
  if (format === 'parquet') {
    const { bytes, rows } = await parquetOf(result);
    return target.write(bytes, rows);
  }
  const sink = new CountingSink(target);
  await TEXTS[format](sink.counted(result), sink);
  await sink.flush();
}

/** Collects text, and knows of how many rows it is. */
class CountingSink implements TextSink {
  readonly #target: ExportTarget;
  #text = '';
  #rows = 0;

  constructor(target: ExportTarget) {
    this.#target = target;
  }

  /** The result, whose rows are counted as they are read. */
  counted(result: QueryResult): QueryResult {
    const count = (rows: number): void => void (this.#rows += rows);
    async function* rows(): AsyncGenerator<Chunk> {
      for await (const chunk of result.rows) {
        count(chunk.length);
        yield chunk;
      }
    }
    return { ...result, rows: rows() };
  }

  add(text: string): void {
    this.#text += text;
  }

  async room(): Promise<void> {
    if (this.#text.length >= PIECE) await this.flush();
  }

  async flush(): Promise<void> {
    const text = this.#text;
    const rows = this.#rows;
    this.#text = '';
    this.#rows = 0;
    await this.#target.write(text, rows);
  }
}
