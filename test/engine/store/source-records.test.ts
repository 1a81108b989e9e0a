import { afterEach, describe, expect, it } from 'vitest';
import { lastRecords, recordsOf, rowsOf, spanOf } from '../../../engine/store/source-records.ts';
import { append, numberedLines, StoreBench } from './fixtures.ts';
import type { RecordStore } from '../../../engine/store/record-store.ts';

const bench = new StoreBench();
afterEach(() => bench.close());

/** Ten records of source 1, then three of source 2, five times. */
async function setUp(): Promise<RecordStore> {
  const { store } = bench.setUp();
  for (let i = 0; i < 5; i++) {
    await append(store, numberedLines(10, 10 * i), 1);
    await append(store, numberedLines(3, 100 + 3 * i), 2);
  }
  return store;
}

describe('the records of a source', () => {
  it('come in order, with their numbers', async () => {
    const store = await setUp();
    const read = async (source: number, from = 0): Promise<[ids: number[], severities: number]> => {
      const ids: number[] = [];
      let records = 0;
      for await (const piece of recordsOf(store, source, from)) {
        ids.push(...piece.ids);
        records += piece.batch.length;
      }
      return [ids, records];
    };
    const [ids, records] = await read(2);
    expect([ids, records]).toEqual([[10, 11, 12, 23, 24, 25, 36, 37, 38, 49, 50, 51, 62, 63, 64], 15]);
    expect((await read(2, 50))[0]).toEqual([50, 51, 62, 63, 64]);
    expect(await read(3)).toEqual([[], 0]);
  });

  it('may be the last ones alone', async () => {
    const store = await setUp();
    const last = await lastRecords(store, 1, 12);
    expect(last?.raw).toEqual(numberedLines(12, 38).map(({ text }) => text));
    expect(last?.batch.length).toBe(12);
    expect((await lastRecords(store, 2, 1000))?.raw).toHaveLength(15);
    expect(await lastRecords(store, 3, 5)).toBeNull();
  });

  it('span a time, without those that were removed', async () => {
    const store = await setUp();
    expect([spanOf(store, 1), spanOf(store, 2), spanOf(store, 3)]).toEqual([49_000, 14_000, 0]);
    store.remove(1);
    expect(spanOf(store, 1)).toBe(0);
    expect(store.segments.flatMap((segment) => [...rowsOf(segment, 1, 0)])).toEqual([]);
  });
});
