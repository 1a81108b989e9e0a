import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { Store } from '../../../../engine/lake/store.ts';

/** The payloads in a store, in the order of their texts. @throws when a file of it is damaged */
export async function storedLines(folder: string): Promise<string[]> {
  using store = Store.toRead(folder);
  if (store.broken.length > 0) throw new Error(`damaged: ${JSON.stringify(store.broken)}`);
  const files = store.manifest.files().map(({ name }) => `'${join(store.filesFolder, name)}'`);
  if (files.length === 0) return [];
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  try {
    const rows = await connection.runAndReadAll(`SELECT Payload FROM read_parquet([${files.join(', ')}]) ORDER BY 1`);
    return rows.getRows().map(([payload]) => String(payload));
  } finally {
    connection.closeSync();
  }
}
