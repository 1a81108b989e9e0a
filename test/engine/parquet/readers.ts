import { writeFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { DuckDBInstance, type DuckDBConnection, type DuckDBUUIDValue } from '@duckdb/node-api';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { Layout } from '../../../engine/parquet/message-table.ts';
import { MORE_COLUMN, type ColumnKey } from '../../../engine/parquet/column-names.ts';
import { ValueType, type Message } from '../../../engine/message/types.ts';

/** A value as a text that tells all values apart: -0 from 0, texts from bytes. */
type Told = string | null;

/** A message as what a file keeps of it: its headers, and its fields in an order of their own. */
export interface Kept {
  readonly headers: Readonly<Record<string, Told>>;
  readonly fields: readonly string[];
}

export const told = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (value instanceof Uint8Array) return `x${Buffer.from(value).toString('hex')}`;
  return String(value);
};

const fieldText = (name: string, type: number, representation: string | null, list: boolean, values: readonly unknown[]): string =>
  `${JSON.stringify([name, type, representation, list])}=${values.map(told).join(',')}`;

/** A stable order by all but the values: fields that have the rest in common stay in theirs. */
const sorted = (fields: readonly string[]): string[] => {
  const key = (field: string): string => field.slice(0, field.indexOf(']=') + 1);
  return [...fields].sort((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0));
};

/** The parts of a message that a file must keep; lone surrogates become U+FFFD. */
export function keptOf(message: Message): Kept {
  const text = (value: string | undefined): Told => (value === undefined ? null : told(value.toWellFormed()));
  const number = (value: number | undefined): Told => (value === undefined ? null : told(value));
  const values = (list: readonly unknown[]): unknown[] => list.map((value) => (typeof value === 'string' ? value.toWellFormed() : value));
  return {
    headers: {
      Timestamp: told(message.timestamp),
      Uuid: told(message.uuid),
      Type: text(message.type),
      Logger: text(message.logger),
      Payload: text(message.payload),
      EnvVersion: text(message.envVersion),
      Hostname: text(message.hostname),
      Severity: number(message.severity),
      Pid: number(message.pid),
    },
    fields: sorted(
      message.fields.map(({ name, valueType, representation, values: list }) =>
        fieldText(name.toWellFormed(), valueType, representation?.toWellFormed() ?? null, list.length !== 1, values(list)),
      ),
    ),
  };
}

/** A row of a file, its values in the forms of messages; maps as their entries. */
export type Row = Readonly<Record<string, unknown>>;

/** The messages of a file's rows. */
export function keptOfRows(rows: readonly Row[], { columns, more }: Layout): Kept[] {
  return rows.map((row) => {
    const header = (name: string): Told => (row[name] === null || row[name] === undefined ? null : told(row[name]));
    const names = ['Timestamp', 'Uuid', 'Type', 'Logger', 'Payload', 'EnvVersion', 'Hostname', 'Severity', 'Pid'];
    const entries = new Map((row[MORE_COLUMN] ?? []) as [string, string][]);
    const ordered = columns.toSorted((one, other) => one.nth - other.nth);
    const fields = ordered.flatMap(({ column, name, valueType, representation, list }) => {
      const value = row[column];
      if (value === null || value === undefined) return [];
      return [
        fieldText(name.toWellFormed(), valueType, representation?.toWellFormed() ?? null, list, list ? (value as unknown[]) : [value]),
      ];
    });
    const further = more.flatMap((key) => {
      const text = entries.get(key.column);
      if (text === undefined) return [];
      const { name, valueType, representation, list } = key;
      return [fieldText(name.toWellFormed(), valueType, representation?.toWellFormed() ?? null, list, valuesOfText(text, key))];
    });
    return { headers: Object.fromEntries(names.map((name) => [name, header(name)])), fields: sorted([...fields, ...further]) };
  });
}

/** The values that a text of a map stands for; the opposite of what was written. */
function valuesOfText(text: string, { valueType, list }: ColumnKey): (string | Uint8Array | bigint | number | boolean)[] {
  const texts = list ? (JSON.parse(text) as string[]) : [text];
  return texts.map((each) => {
    switch (valueType) {
      case ValueType.STRING:
        return each;
      case ValueType.BYTES:
        return Buffer.from(each, 'base64');
      case ValueType.INTEGER:
        return BigInt(each);
      case ValueType.DOUBLE:
        return Number(each);
      case ValueType.BOOL:
        return each === 'true';
    }
  });
}

let connection: Promise<DuckDBConnection> | null = null;

/** One DuckDB for all tests of a file. */
export const duckdb = (): Promise<DuckDBConnection> =>
  (connection ??= DuckDBInstance.create(':memory:', { threads: '1' }).then((instance) => instance.connect()));

/** The rows as DuckDB reads them. */
export async function byDuckDb(bytes: Buffer, path: string): Promise<Row[]> {
  writeFileSync(path, bytes);
  const result = await (await duckdb()).runAndReadAll(`SELECT * FROM read_parquet('${path}')`);
  const names = result.columnNames();
  return result.getRows().map((row) => Object.fromEntries(row.map((value, i) => [names[i] as string, plainValue(value)])));
}

export function plainValue(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if ('nanos' in value) return value.nanos;
  if ('bytes' in value) return value.bytes;
  if ('items' in value) return (value.items as unknown[]).map(plainValue);
  if ('entries' in value) return (value.entries as { key: string; value: string }[]).map((entry) => [entry.key, entry.value]);
  return Buffer.from((value as DuckDBUUIDValue).toString().replaceAll('-', ''), 'hex');
}

/** The rows as hyparquet reads them. */
export async function byHyparquet(bytes: Buffer): Promise<Row[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const rows = await parquetReadObjects({
    file,
    utf8: false,
    compressors: { ZSTD: (input: Uint8Array) => zstdDecompressSync(input) },
    parsers: {
      timestampFromNanoseconds: ((value: bigint) => value) as never,
      uuidFromBytes: ((value: Uint8Array) => value) as never,
      stringFromBytes: ((value: Uint8Array) => Buffer.from(value).toString()) as never,
    },
  });
  return rows.map((row) => {
    const entries = (row[MORE_COLUMN] ?? []) as unknown;
    const pairs = Array.isArray(entries)
      ? entries.map((entry: { key: string; value: string }) => [entry.key, entry.value])
      : Object.entries(entries as object);
    return { ...row, [MORE_COLUMN]: pairs };
  });
}

/** The metadata of a file. */
export const metadataOf = (bytes: Buffer): ReturnType<typeof parquetMetadata> =>
  parquetMetadata(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer);
