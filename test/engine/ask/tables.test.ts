/** The tables of queries over files with different columns: every value of every message is in them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { queriedColumns, type QueriedColumn } from '../../../engine/ask/queried-columns.ts';
import { FIELD_MACROS } from '../../../engine/ask/field-sql.ts';
import { ALL, askedTables, columnsOfTables, TABLE_COLUMN, type StoredTable } from '../../../engine/ask/tables.ts';
import { isUnit } from '../../../engine/ask/units.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { Field, Message } from '../../../engine/message/types.ts';
import { ColumnNames, HEADER_COLUMNS } from '../../../engine/parquet/column-names.ts';
import { MessageTable } from '../../../engine/parquet/message-table.ts';
import { testMs } from '../../patience.ts';
import { messages } from '../message/arbitraries.ts';
import { duckdb, plainValue, told } from '../parquet/readers.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-tables-'));
afterAll(() => rmSync(folder, { recursive: true }));

const NAMES = ['one', 'TWO', 'drei"'];

let written = 0;

/** Tables of files, each with its messages; the names of columns stay from file to file, as in a store. */
function storedTables(contents: readonly (readonly (readonly Message[])[])[]): StoredTable[] {
  return contents.map((files, t) => {
    const names = new ColumnNames();
    return {
      name: NAMES[t] as string,
      files: files.map((list) => {
        const table = new MessageTable({ uuids: false });
        table.add(batchOf(list));
        const { bytes, layout, unused } = table.file('test', names);
        // DuckDB remembers what it has read of a path.
        const path = join(folder, `${written++}.parquet`);
        writeFileSync(path, bytes);
        return { path, layout, unused };
      }),
    };
  });
}

let hasMacros = false;

async function rowsOf(select: string): Promise<Map<string, string>[]> {
  const connection = await duckdb();
  if (!hasMacros) for (const macro of FIELD_MACROS) await connection.run(macro);
  hasMacros = true;
  const result = await connection.runAndReadAll(select);
  const names = result.columnNames();
  return result.getRows().map((row) => new Map(row.map((value, i) => [names[i] as string, cellText(plainValue(value))])));
}

const cellText = (value: unknown): string => (Array.isArray(value) ? `[${value.map(told).join()}]` : told(value));

type Value = Field['values'][number];

/** A value of a column in the type of its field. */
function valueOf({ field }: QueriedColumn, value: Value, unit: string | null): Value {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (field.type === 'text')
    return textOf(value) + (isNumber && field.namesUnits && isUnit(unit) ? ` ${unit.toWellFormed().replaceAll('\0', '\ufffd')}` : '');
  if (field.type === 'double' && typeof value === 'bigint') return Number(value);
  return field.type === 'integer' && typeof value === 'number' ? BigInt(value) : value;
}

function textOf(value: Value): string {
  if (typeof value === 'string') return value.toWellFormed();
  return typeof value === 'object' ? Buffer.from(value).toString('hex') : String(value);
}

const WRITTEN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function numberOf(value: Value): number | null {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  return typeof value === 'string' && WRITTEN.test(value) && Number.isFinite(Number(value)) ? Number(value) : null;
}

function expectedCell(column: QueriedColumn, { fields }: Message): string {
  const own = fields.filter(({ name }) => name === column.field.name);
  const values = own.flatMap(({ values: some, representation = null }) => [...some].map((value) => valueOf(column, value, representation)));
  const [first] = own.flatMap((field) => [...field.values] as Value[]);
  if (column.part === 'all') return own.length === 0 ? told(null) : cellText(values);
  if (first === undefined) return told(null);
  if (column.part === 'number') return told(numberOf(first));
  return told(values[0]);
}

async function expectExact(contents: readonly (readonly (readonly Message[])[])[]): Promise<void> {
  const tables = storedTables(contents);
  const described = columnsOfTables(tables);
  const all = tables.flatMap(({ files }) => files.flatMap(({ layout }) => layout.columns));
  for (const { name, select } of askedTables(tables)) {
    const t = tables.findIndex((table) => table.name === name);
    const list = name === ALL ? contents.flat(2) : (contents[t]?.flat() ?? []);
    const columns =
      name === ALL ? queriedColumns(all, [TABLE_COLUMN]) : queriedColumns(tables[t]?.files.flatMap(({ layout }) => layout.columns) ?? []);
    const held = new Set(columns.map(({ field }) => field.name));
    for (const { fields } of list) for (const field of fields) expect(held).toContain(field.name);
    const rows = await rowsOf(select);
    expect(rows.length).toBe(list.length);
    const names = described.get(name)?.flatMap((column) => (column.field === null ? [] : [column.name]));
    expect(columns.map((column) => column.name)).toEqual(names);
    rows.forEach((row, i) => {
      const found = columns.map((column) => row.get(column.name));
      expect(found).toEqual(columns.map((column) => expectedCell(column, list[i] as Message)));
    });
  }
}

/** Names that others are made of, that SQL does not tell apart, and that need quotes. */
const ODD = [
  'a_2',
  'A',
  'a_number',
  'a_list',
  'a.b',
  'a"b',
  "a'b",
  'a\nb',
  'a\0',
  '\ufffd',
  '__proto__',
  'select',
  '*',
  ...HEADER_COLUMNS,
  'RawLine',
  'more_fields',
  'timestamp',
  'table',
  'Table',
];
const oddly = messages(fc.oneof(fc.constantFrom(...ODD), fc.string()), 6);

describe('tables', () => {
  it('have every value of files with different columns', { timeout: 2 * testMs() }, async () => {
    const files = fc.array(fc.oneof(messages(undefined, 6), oddly), { minLength: 1, maxLength: 3 });
    await fc.assert(fc.asyncProperty(fc.array(files, { minLength: 1, maxLength: 2 }), expectExact), { numRuns: 50 });
  });

  it('tell a field that is called as the column of tables from it', async () => {
    const message = (name: string): Message => ({
      uuid: new Uint8Array(16),
      timestamp: 0n,
      fields: [{ name, valueType: 0, values: ['x'] }],
    });
    const tables = storedTables([[[message('table')], [message('TABLE')]], [[message('n')]]]);
    const [one, , all] = askedTables(tables);
    expect((await rowsOf(one?.select ?? '')).map((row) => [row.get('table'), row.get('TABLE_2')])).toEqual([
      [told('x'), told(null)],
      [told(null), told('x')],
    ]);
    expect((await rowsOf(all?.select ?? '')).map((row) => [row.get('table'), row.get('table_2')])).toEqual([
      [told('one'), told('x')],
      [told('one'), told(null)],
      [told('TWO'), told(null)],
    ]);
  });

  it('answer alike of files that counted the fields of a message by type', async () => {
    const tag = (...fields: Pick<Field, 'valueType' | 'values'>[]): Message => ({
      uuid: new Uint8Array(16),
      timestamp: 0n,
      fields: fields.map((field) => ({ name: 'tag', ...field }) as Field),
    });
    const text = { valueType: 0, values: ['a'] } as const;
    const number = { valueType: 3, values: [5] } as const;
    const [now] = storedTables([[[tag(text), tag(text, number)]]]) as [StoredTable];
    const files = now.files.map((file) => ({
      ...file,
      layout: { ...file.layout, columns: file.layout.columns.map((column) => ({ ...column, nth: 0 })) },
    }));
    const [table] = askedTables([{ ...now, files }]);
    const rows = await rowsOf(`SELECT tag, tag_number FROM (${table?.select ?? ''})`);
    expect(rows.map((row) => [...row.values()])).toEqual([
      [told('a'), told(null)],
      [told('5'), told(5)],
    ]);
  });

  it('have integers and doubles of a field as one column, over files and tables', { timeout: 2 * testMs() }, async () => {
    const value = fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((one): Field => ({ name: 'n', valueType: 2, values: [one] })),
      fc
        .oneof(fc.integer(), fc.double(), fc.constantFrom(-0, 2 ** 53, NaN))
        .map((one): Field => ({ name: 'n', valueType: 3, values: [one] })),
    );
    const message = fc.array(value, { maxLength: 2 }).map((fields): Message => ({ uuid: new Uint8Array(16), timestamp: 0n, fields }));
    const files = fc.array(fc.array(message, { maxLength: 4 }), { minLength: 1, maxLength: 3 });
    await fc.assert(fc.asyncProperty(fc.array(files, { minLength: 1, maxLength: 3 }), expectExact), { numRuns: 40 });
  });
});
