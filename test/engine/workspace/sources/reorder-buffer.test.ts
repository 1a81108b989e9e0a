import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { textAt, type MessageBatch } from '../../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { ReorderBuffer } from '../../../../engine/workspace/sources/reorder-buffer.ts';

/** Records of these milliseconds, named by their order. */
let made = 0;
const records = (...times: number[]): MessageBatch =>
  batchOf(
    times.map((time) => ({ uuid: new Uint8Array(16), timestamp: BigInt(time) * 1_000_000n, payload: `${time}#${made++}`, fields: [] })),
  );

describe('ReorderBuffer', () => {
  let stored: string[] = [];
  let failures: unknown[] = [];
  const store = async (batch: MessageBatch): Promise<void> => {
    for (let row = 0; row < batch.length; row++) stored.push(textAt(batch.payload, row) ?? '');
    return Promise.resolve();
  };

  beforeEach(() => {
    vi.useFakeTimers();
    made = 0;
    stored = [];
    failures = [];
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('puts records that overtook each other in order of time', async () => {
    const reorder = new ReorderBuffer(store, (error) => failures.push(error));
    await reorder.add(records(1444));
    await vi.advanceTimersByTimeAsync(100);
    await reorder.add(records(1000, 1500));
    expect(stored).toEqual([]);
    await vi.advanceTimersByTimeAsync(150);
    expect(stored).toEqual(['1000#1', '1444#0']);
    await reorder.add(records(1490));
    await vi.advanceTimersByTimeAsync(250);
    expect(stored).toEqual(['1000#1', '1444#0', '1490#3', '1500#2']);
  });

  it('keeps records of one time in the order in which they came', async () => {
    const reorder = new ReorderBuffer(store, (error) => failures.push(error));
    await reorder.add(records(7, 7));
    await reorder.add(records(7));
    await vi.advanceTimersByTimeAsync(250);
    expect(stored).toEqual(['7#0', '7#1', '7#2']);
  });

  it('loses nothing when a clock is far ahead, and hands all on when it ends', async () => {
    const reorder = new ReorderBuffer(store, (error) => failures.push(error));
    await reorder.add(records(9_000_000));
    await vi.advanceTimersByTimeAsync(250);
    await reorder.add(records(5));
    await reorder.add(records(3));
    await reorder.flush();
    expect(stored).toEqual(['9000000#0', '3#2', '5#1']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells of a store that fails', async () => {
    const reorder = new ReorderBuffer(
      () => Promise.reject(new Error('full')),
      (error) => failures.push(error),
    );
    await reorder.add(records(1));
    await vi.advanceTimersByTimeAsync(250);
    expect(failures).toEqual([new Error('full')]);
  });
});
