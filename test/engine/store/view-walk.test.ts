import { afterEach, describe, expect, it } from 'vitest';
import type { RecordStore } from '../../../engine/store/record-store.ts';
import { ViewWalk } from '../../../engine/store/view-walk.ts';
import { viewOfMessages } from './fixtures.ts';

const stores: RecordStore[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

async function walkOver(counts: readonly number[], stride: number): Promise<ViewWalk> {
  let next = 0;
  const batches = counts.map((count) =>
    Array.from({ length: count }, () => ({ uuid: new Uint8Array(16), timestamp: BigInt(next++), fields: [] })),
  );
  const { store, view } = await viewOfMessages(batches);
  stores.push(store);
  return new ViewWalk(store, view, stride, null);
}

describe('a walk over a view', () => {
  it.each([
    [[], 4],
    [[1], 1],
    [[5, 1, 7], 4],
    [[5, 1, 7], 100],
  ])('visits each record once, in order: segments of %j records, %i at a time', async (counts, stride) => {
    const walk = await walkOver(counts, stride);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const seen: bigint[] = [];
    for (let turn = 0; !walk.complete && turn < 1000; turn++) {
      await walk.advance(
        0.01,
        ({ timestamps }) =>
          (row) =>
            seen.push(timestamps[row] as bigint),
      );
      expect(walk.visited).toBe(seen.length);
    }
    expect(walk).toMatchObject({ total, visited: total, complete: true });
    expect(seen).toEqual(Array.from({ length: total }, (_, i) => BigInt(i)));
  });
});
