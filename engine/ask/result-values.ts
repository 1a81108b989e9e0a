import type { DuckDBValue } from '@duckdb/node-api';
import { duckdb } from './duckdb.ts';
import type { ResultValue } from './protocol.ts';

const { DuckDBArrayValue, DuckDBBlobValue, DuckDBListValue, DuckDBMapValue, DuckDBStructValue } = duckdb;

/** A value of DuckDB in a form that goes through a pipe. */
export function resultValue(value: DuckDBValue): ResultValue {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(resultValue);
  if (value instanceof DuckDBBlobValue) return new Uint8Array(value.bytes);
  if (value instanceof DuckDBStructValue)
    return Object.fromEntries(Object.entries(value.entries).map(([key, entry]) => [key, resultValue(entry)]));
  if (value instanceof DuckDBMapValue)
    return Object.fromEntries(value.entries.map(({ key, value: entry }) => [textOf(resultValue(key)), resultValue(entry)]));
  return value.toString();
}

const textOf = (key: ResultValue): string => (typeof key === 'object' ? JSON.stringify(key) : String(key));
