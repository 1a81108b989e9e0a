import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { MessageBatch } from '../../../engine/message/batch/batch.ts';
import type { TextValues } from '../../../engine/message/batch/columns.ts';
import { textHeader, type LatinText } from '../../../engine/message/latin-text.ts';
import { TextPool } from '../../../engine/message/text-pool.ts';
import { recordDetail, recordRows } from '../../../engine/store/rows.ts';
import { rawText, type Segment } from '../../../engine/store/segment.ts';
import { until } from '../../until.ts';
import { append, linesBatch, newFolder, newStore, numberedLines, StoreBench, textsOf } from './fixtures.ts';

const bench = new StoreBench();
const setUp = (): ReturnType<StoreBench['setUp']> => bench.setUp();
afterEach(() => bench.close());

describe('RecordStore', () => {
  it('shows records in order of arrival, from memory and from the file', async () => {
    const { store, view } = setUp();
    const all = view();
    const expected: string[] = [];
    for (const [i, size] of [1, 600, 3, 5000, 1, 1, 700].entries()) {
      const part = numberedLines(size, i * 10_000);
      expected.push(...part.map((line) => line.text));
      await append(store, part);
    }
    await store.flushed();
    expect(await textsOf(all)).toEqual(expected);
    expect(await textsOf(view())).toEqual(expected);
    expect(store.bytes).toBeGreaterThan(100_000);
  });

  it('reads some columns of written records without the others, and all of them where they are in memory or are most', async () => {
    const { store } = setUp();
    for (const from of [0, 3000]) {
      const { batch, raw } = linesBatch(numberedLines(3000, from));
      await store.append({ batch, raw: { ...(raw as TextValues), rows: null }, source: 1, decoder: 'test' });
    }
    await store.flushed();
    const [first, second] = store.segments as [Segment, Segment];
    // Puts another segment into memory.
    await store.load(second);
    const wanted = { header: () => false, field: (name: string) => name === 'status' };
    const some = await store.columns(first, wanted);
    expect(some.fields.map(({ name, values }) => [name, [...(values as Float64Array)].slice(0, 4)])).toEqual([
      ['status', [200, 201, 202, 200]],
    ]);
    expect([some.severity, some.payload, some.length, some.timestamps[5]]).toEqual([null, null, 3000, 1005n * 10n ** 9n]);
    expect(await store.columns(second, wanted)).toBe(store.peek(second));
    await store.load(first);
    expect(await store.columns(first, null)).toBe(store.peek(first));
    await store.columns(second, wanted);
    const most = await store.columns(second, { header: () => true, field: () => true });
    expect(most).toBe(store.peek(second));
  });

  it('keeps a small index for input that comes line by line', async () => {
    const { store, view } = setUp();
    const all = view();
    for (let i = 0; i < 5000; i++) await append(store, numberedLines(1, i), i % 3);
    expect(store.segments.length).toBeLessThan(80);
    expect(await textsOf(all)).toEqual(numberedLines(5000).map((line) => line.text));
    expect(new Set(recordRows(await all.page(0, 5000), []).map(({ source }) => source))).toEqual(new Set([0, 1, 2]));
    const second = await textsOf(view({ sources: [1] }));
    expect(second).toEqual(numberedLines(5000).flatMap((line, i) => (i % 3 === 1 ? [line.text] : [])));
  });

  it('keeps what small parts have alike, and their counts, once and in common memory', async () => {
    const { store } = setUp();
    for (let i = 0; i < 3; i++) await append(store, numberedLines(1000, i * 1000));
    const [first, ...others] = store.segments as [Segment, ...Segment[]];
    expect(others).toHaveLength(2);
    for (const { parts, summary } of others) {
      expect(parts[0]?.alike).toBe(first.parts[0]?.alike);
      expect(summary.cells.buffer).toBe(first.summary.cells.buffer);
      expect(summary.cells.byteOffset).not.toBe(first.summary.cells.byteOffset);
    }
  });

  it('keeps numbers of records while others are removed', async () => {
    const { store, view } = setUp();
    const all = view();
    for (let i = 0; i < 100; i++) await append(store, numberedLines(i % 7 === 0 ? 700 : 2, i * 1000), i % 2);
    await until(() => all.complete);
    const before = recordRows(await all.page(0, 100_000), []);
    store.remove(0);
    await until(() => all.complete);
    const kept = before.filter((row) => row.source === 1);
    expect(recordRows(await all.page(0, 100_000), [])).toEqual(kept);
    expect(store.records).toBe(kept.length);
    for (let i = 0; i < 40; i++) await append(store, numberedLines(1, 500_000 + i), 1);
    const after = recordRows(await all.page(0, 100_000), []);
    expect(after.slice(0, kept.length)).toEqual(kept);
    expect(after).toHaveLength(kept.length + 40);
    for (const row of after) {
      const place = store.find(row.id);
      expect(place).toBeDefined();
      if (place) expect(recordDetail({ ...place, stored: await store.load(place.segment) }).raw).toBe(row.text);
    }
    const gone = before.find((row) => row.source === 0);
    expect(store.find(before.length + 1_000_000)).toBeUndefined();
    expect(gone).toBeDefined();
  });

  it('gives the memory of texts back once they are written, but of those that someone reads', async () => {
    const { store, view } = setUp();
    const all = view();
    const pool = new TextPool();
    const memories = new Set<ArrayBufferLike>();
    const expected: string[] = [];
    const lent: { readonly batch: MessageBatch; readonly texts: readonly string[] }[] = [];
    for (let i = 0; i < 30; i++) {
      const lines = numberedLines(i % 5 === 0 ? 300 : 1500, i * 10_000);
      const { batch, raw } = linesBatch(lines);
      const { text, starts, ends } = raw as TextValues;
      const bytes = pool.text(Buffer.from(text)) as LatinText;
      memories.add(bytes.bytes.buffer);
      await store.append({ batch, raw: textHeader(null, bytes, starts, ends), source: 1, decoder: null });
      bytes.release();
      const texts = lines.map((line) => line.text);
      expected.push(...texts);
      if (i % 10 === 7) lent.push({ batch: await store.load(store.segments.at(-1) as Segment), texts });
      await store.flushed();
    }
    expect(memories.size).toBeLessThan(lent.length + 4);
    expect(await textsOf(all)).toEqual(expected);
    for (const { batch, texts } of lent) expect(texts.map((_, row) => rawText(batch).at(row))).toEqual(texts);
  });

  it('leaves no file behind and removes those of dead processes', async () => {
    const folder = newFolder();
    const stale = join(folder, 'segments-999999999-0.tmp');
    const foreign = join(folder, 'notes.txt');
    writeFileSync(stale, 'x');
    writeFileSync(foreign, 'x');
    const store = newStore(folder);
    await append(store, numberedLines(3000));
    await store.flushed();
    expect(existsSync(stale)).toBe(false);
    await store.close();
    expect(readdirSync(folder)).toEqual(['notes.txt']);
  });
});
