import { afterEach, describe, expect, it, vi } from 'vitest';
import type { MessageBatch } from '../../../engine/message/batch/batch.ts';
import type { RecordStore } from '../../../engine/store/record-store.ts';
import { RAW_TEXT, rawText } from '../../../engine/store/segment.ts';
import { SegmentScan } from '../../../engine/store/segment-scan.ts';
import { append, closeAll, numbered, setUp } from './search/search-fixtures.ts';

/** Records of a segment that is written as it is. */
const ROWS = 4096;
/** Texts of one length make segments of one size. */
const FIRST = 100_000;
const SEGMENTS = 5;

async function writtenStore(): Promise<RecordStore> {
  const store = setUp();
  for (let i = 0; i < SEGMENTS; i++) await append(store, numbered(ROWS, FIRST + i * ROWS));
  await store.flushed();
  return store;
}

const firstText = (stored: MessageBatch): string => rawText(stored).at(0);
const textOf = (segment: number): string => `line ${FIRST + segment * ROWS}`;
const memoryOf = (stored: MessageBatch): ArrayBufferLike => stored.timestamps.buffer;

describe('a scan of segments', () => {
  afterEach(closeAll);

  it.each([
    { columns: 'all columns', wanted: null },
    { columns: 'the texts', wanted: RAW_TEXT },
  ])('reads $columns of one after the other into two pieces of memory', async ({ wanted }) => {
    const store = await writtenStore();
    const scan = new SegmentScan(store, wanted);
    const memories = new Set<ArrayBufferLike>();
    for (const [i, segment] of store.segments.entries()) {
      const stored = await scan.read(segment, store.segments[i + 1]);
      expect([firstText(stored), stored.length]).toEqual([textOf(i), ROWS]);
      if (store.peek(segment) === undefined) memories.add(memoryOf(stored));
    }
    expect([store.segments.length, memories.size]).toEqual([SEGMENTS, 2]);
  });

  it('reads another segment than the one that it was told of, and takes those that are in memory', async () => {
    const store = await writtenStore();
    const scan = new SegmentScan(store, null);
    const [first, second, third, fourth] = store.segments as [never, never, never, never];
    const kept = await store.load(third);
    expect(firstText(await scan.read(first, second))).toBe(textOf(0));
    expect(await scan.read(third, second)).toBe(kept);
    expect(firstText(await scan.read(second, fourth))).toBe(textOf(1));
    expect(firstText(await scan.read(first))).toBe(textOf(0));
    expect(firstText(kept)).toBe(textOf(2));
  });

  it('fails for the segment that cannot be read, once it is asked for', async () => {
    const store = await writtenStore();
    const scan = new SegmentScan(store, null);
    const [first, second, third] = store.segments as [never, never, never];
    const readInto = vi.spyOn(store, 'readInto');
    readInto.mockImplementationOnce((segment, wanted, memory) => readFor(store, segment, wanted, memory));
    readInto.mockRejectedValueOnce(new Error('unreadable'));
    expect(firstText(await scan.read(first, second))).toBe(textOf(0));
    await expect(scan.read(second, third)).rejects.toThrow('unreadable');
    expect(firstText(await scan.read(third))).toBe(textOf(2));
  });
});

/** The method behind the spy. */
function readFor(store: RecordStore, ...given: Parameters<RecordStore['readInto']>): Promise<MessageBatch> {
  return (Object.getPrototypeOf(store) as RecordStore).readInto.apply(store, given);
}
