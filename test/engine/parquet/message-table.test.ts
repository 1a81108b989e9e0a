import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { MessageBatch } from '../../../engine/message/batch/batch.ts';
import type { Field, Message } from '../../../engine/message/types.ts';
import { MessageTable, type TableFile } from '../../../engine/parquet/message-table.ts';
import { messages } from '../message/arbitraries.ts';
import { byDuckDb, byHyparquet, duckdb, keptOf, keptOfRows, metadataOf } from './readers.ts';

const folder = mkdtempSync(join(tmpdir(), 'parquet-'));
const path = join(folder, 'table.parquet');
afterAll(() => rmSync(folder, { recursive: true }));

function tableOf(batches: readonly (readonly Message[])[], maxColumns?: number): TableFile {
  const table = new MessageTable({ uuids: true, ...(maxColumns === undefined ? {} : { maxColumns }) });
  for (const list of batches) table.add(batchOf(list));
  return table.file('test');
}

async function expectExact(batches: readonly (readonly Message[])[], maxColumns?: number): Promise<void> {
  const { bytes, layout, rows } = tableOf(batches, maxColumns);
  const expected = batches.flat().map(keptOf);
  expect(rows).toBe(expected.length);
  expect(keptOfRows(await byDuckDb(bytes, path), layout)).toEqual(expected);
  expect(keptOfRows(await byHyparquet(bytes), layout)).toEqual(expected);
}

const message = (fields: Field[], timestamp = 0n): Message => ({ uuid: new Uint8Array(16), timestamp, fields });
const text = (name: string, ...values: string[]): Field => ({ name, valueType: 0, values });
const integer = (name: string, ...values: bigint[]): Field => ({ name, valueType: 2, values });
const double = (name: string, ...values: number[]): Field => ({ name, valueType: 3, values });

describe('MessageTable', () => {
  it('writes what DuckDB and hyparquet read as the same messages', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(messages(), { maxLength: 4 }), (batches) => expectExact(batches)),
      { numRuns: 150 },
    );
  });

  it('writes the fields that have no column of their own as a map', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(messages(), { maxLength: 3 }), fc.nat({ max: 3 }), (batches, most) => expectExact(batches, most)),
      { numRuns: 100 },
    );
  });

  it('keeps values of all kinds over many pages, with and without a dictionary', async () => {
    const list = Array.from({ length: 24_000 }, (_, i): Message => ({
      ...message([], BigInt(i) * 1_000_000_007n),
      payload: `line ${i} of many`,
      type: i % 3 === 0 ? 'a' : 'ä',
      severity: i % 8,
      fields: [
        integer('status', [200n, 404n, 2n ** 60n][i % 3] as bigint),
        ...(i % 2 === 0 ? [double('took', i / 7)] : []),
        ...(i % 1000 === 999 ? [text('rare', 'x'.repeat(i % 300))] : []),
        { name: 'ok', valueType: 4, values: [i % 5 !== 0] },
        text('tags', ...Array.from({ length: i % 4 }, (_, k) => `tag${(i + k) % 1000}`)),
      ],
    }));
    await expectExact([list.slice(0, 9000), list.slice(9000, 9001), list.slice(9001)]);
  });

  it('keeps the highest and lowest numbers, and those that are none', async () => {
    const doubles = [NaN, -0, 0, Infinity, -Infinity, Number.MIN_VALUE, Number.MAX_VALUE, 0.1];
    const integers = [2n ** 63n - 1n, -(2n ** 63n), -1n, 0n, 2n ** 53n + 1n, 1n, 2n, 3n];
    await expectExact([doubles.map((value, i) => message([double('d', value), integer('i', integers[i] as bigint)], integers[i]))]);
  });

  it('writes a table without rows and one without fields', async () => {
    await expectExact([]);
    await expectExact([[message([]), message([])]]);
  });

  it('takes the rows of a text that is not ASCII, and pieces of characters', async () => {
    const backing = 'ä\u{1f600}b';
    const batch = new MessageBatch({
      length: 3,
      uuids: new Uint8Array(48),
      timestamps: new BigInt64Array(3),
      fields: [
        {
          name: 'piece',
          representation: null,
          offsets: null,
          rows: null,
          valueType: 0,
          values: { text: backing, starts: Uint32Array.of(0, 1, 2), ends: Uint32Array.of(1, 2, 4) },
        },
      ],
    });
    const table = new MessageTable({ uuids: true });
    table.add(batch);
    const { bytes } = table.file('test');
    expect((await byDuckDb(bytes, path)).map((row) => row.piece)).toEqual(['ä', '\ufffd', '\ufffdb']);
  });

  it('names columns apart: by type, unit, list and number', () => {
    const unit: Field = { name: 'took', valueType: 3, representation: 'ms', values: [1] };
    const { layout } = tableOf([
      [message([text('status', '-'), text('Hostname', 'h'), text('to', 'a'), text('to', 'b'), double('took', 1)])],
      [message([integer('status', 200n), integer('STATUS', 1n), text('tags'), unit, text('', 'x')])],
    ]);
    expect(layout.columns.map(({ column }) => column)).toEqual([
      'status_text',
      'Hostname_2',
      'to',
      'to_2',
      'took',
      'status',
      'STATUS_2',
      'tags_list',
      'took_ms',
      '_',
    ]);
  });

  it('puts the fields of a table with a thousand names and more into columns and a map, without a buffer for each', async () => {
    const list = Array.from({ length: 3000 }, (_, i) => message([text(`field${i}`, `v${i}`), integer('same', BigInt(i))]));
    const { bytes, layout } = tableOf([list]);
    expect([layout.columns.length, layout.more.length]).toEqual([1000, 2001]);
    expect(bytes.length).toBeLessThan(2_000_000);
    await byDuckDb(bytes, path);
    const found = await (await duckdb()).runAndReadAll(`SELECT more_fields['field2500'] FROM read_parquet('${path}') WHERE same = 2500`);
    expect(found.getRows()).toEqual([['v2500']]);
  });

  it('lists no more names than it may, however many there are', async () => {
    const list = Array.from({ length: 3000 }, (_, i) =>
      message(Array.from({ length: 5 }, (_unused, k) => integer(`n${i * 5 + k}`, BigInt(i)))),
    );
    const { bytes, layout } = tableOf([list]);
    expect([layout.columns.length, layout.more.length]).toEqual([1000, 9000]);
    await byDuckDb(bytes, path);
    const query = `SELECT more_fields['n5000'], more_fields['["n14999",2,null,false,0]'] FROM read_parquet('${path}') WHERE more_fields IS NOT NULL`;
    const rows = (await (await duckdb()).runAndReadAll(query)).getRows();
    expect(rows.find(([, last]) => last !== null)).toEqual([null, '2999']);
    expect(rows.find(([first]) => first !== null)).toEqual(['1000', null]);
  });

  it('writes statistics by which readers pass over row groups', async () => {
    const { bytes } = tableOf([[1n, -5n, 7n].map((value) => message([integer('n', value), text('t', `v${value}`)], value * 1000n))]);
    const [group] = metadataOf(bytes).row_groups;
    const statistics = group?.columns.map(({ meta_data: meta }) => [
      meta?.path_in_schema[0],
      meta?.statistics?.min_value,
      meta?.statistics?.max_value,
    ]);
    expect(statistics).toContainEqual(['n', -5n, 7n]);
    expect(statistics).toContainEqual(['t', 'v-5', 'v7']);
    await byDuckDb(bytes, path);
    const schema = await (await duckdb()).runAndReadAll(`DESCRIBE SELECT * FROM read_parquet('${path}')`);
    expect(schema.getRows().map(([name, type]) => `${String(name)} ${String(type)}`)).toContain('Timestamp TIMESTAMP_NS');
  });
});
