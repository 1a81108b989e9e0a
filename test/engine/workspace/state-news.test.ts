import { afterEach, expect, test, vi } from 'vitest';
import type { StateChange } from '../../../engine/api/types.ts';
import { StateNews } from '../../../engine/workspace/state-news.ts';

afterEach(() => vi.useRealTimers());

/** The news of some sources, of which one has read some records. */
function bench(count: number) {
  vi.useFakeTimers();
  const told: StateChange[] = [];
  let records = 0;
  const sources = Array.from({ length: count }, (_unused, i) => ({
    id: i + 1,
    clock: 'message',
    isLive: false,
    queued: 0,
    info: () => {
      const read = i === 0 ? records : 0;
      return {
        id: i + 1,
        kind: 'file',
        label: `${i}.log`.padEnd(4000),
        records: read,
        rate: 0,
        dropped: 0,
        failures: 0,
        state: 'following',
      };
    },
    decoderInfos: () => [],
    poll: () => Promise.resolve(),
  }));
  const news = new StateNews({
    sources: { all: () => sources } as never,
    filters: { infos: () => [], poll: () => Promise.resolve(), refresh: () => undefined } as never,
    sandboxes: { memory: () => Promise.resolve(0) },
    emit: (change) => told.push(change),
  });
  return { news, told, read: () => void records++ };
}

test('one source that reads is told alone, and as often as if it were open alone', () => {
  const { news, told, read } = bench(300);
  news.changed();
  expect(told.map(({ sources }) => sources.changed.length)).toEqual([300]);
  read();
  news.changed();
  vi.advanceTimersByTime(2000);
  // All of them were much to draw.
  expect(told).toHaveLength(1);
  vi.advanceTimersByTime(1000);
  for (let i = 0; i < 4; i++) {
    read();
    news.changed();
    vi.advanceTimersByTime(250);
  }
  expect(told.slice(1).map(({ records, sources }) => [records, sources.changed.map(({ id }) => id), sources.ids])).toEqual(
    [1, 2, 3, 4, 5].map((records) => [records, [1], null]),
  );
  news.stop();
});

test('who asks gets the state as it is now, also of a file that changes without a word', () => {
  const { news, read } = bench(3);
  expect(news.now().records).toBe(0);
  read();
  expect(news.now().records).toBe(1);
  news.stop();
});
