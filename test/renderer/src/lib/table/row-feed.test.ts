import { describe, expect, it } from 'vitest';
import { RowFeed, type Fetched } from '../../../../../renderer/src/lib/table/row-feed.ts';

/** A list whose fetches are answered by hand. */
function handFed(total: number) {
  const asked: { start: number; answer: () => Promise<void>; refuse: () => Promise<void> }[] = [];
  const events: string[] = [];
  const settle = (): Promise<void> => new Promise((done) => setTimeout(done, 0));
  const feed = new RowFeed<number>({
    fetch: (start, count) =>
      new Promise<Fetched<number>>((done, refuse) => {
        const rows = Array.from({ length: Math.max(0, Math.min(count, total - start)) }, (_unused, index) => start + index);
        asked.push({
          start,
          answer: () => {
            done({ total, start, rows });
            return settle();
          },
          refuse: () => {
            refuse(new Error('gone'));
            return settle();
          },
        });
      }),
    arrived: (known) => events.push(`arrived ${known}`),
    failed: (error) => events.push((error as Error).message),
  });
  return { feed, asked, events };
}

describe('RowFeed', () => {
  it('gives rows when they are there, and fetches the page after', async () => {
    const { feed, asked, events } = handFed(1000);
    expect(feed.want(10, 40, 1000)).toBeNull();
    expect(asked.map(({ start }) => start)).toEqual([0, 100]);
    await asked[0]?.answer();
    expect(feed.want(10, 12, 1000)).toEqual([10, 11]);
    expect(events).toEqual(['arrived 1000']);
  });

  it('fetches no page around rows that are other ones soon', () => {
    const { feed, asked } = handFed(1000);
    feed.want(960, 1000, 1000, false);
    expect(asked.map(({ start }) => start)).toEqual([900]);
    feed.want(960, 1000, 1000);
    expect(asked.map(({ start }) => start)).toEqual([900, 800]);
  });

  it('never asks for what was passed while two requests are under way', async () => {
    const { feed, asked } = handFed(100_000_000);
    for (let first = 0; first < 50_000_000; first += 1_000_000) feed.want(first, first + 40, 100_000_000);
    feed.want(70_000_000, 70_000_040, 100_000_000);
    expect(asked.length).toBe(2);
    await asked[0]?.answer();
    expect(asked[2]?.start).toBe(70_000_000);
  });

  it('shows stale rows until the fresh ones come', async () => {
    const { feed, asked } = handFed(50);
    feed.want(0, 20, 50);
    await asked[0]?.answer();
    feed.invalidate();
    expect(asked.length).toBe(2);
    expect(feed.want(0, 2, 50)).toEqual([0, 1]);
    await asked[1]?.answer();
    expect(feed.want(0, 2, 50)).toEqual([0, 1]);
    expect(asked.length).toBe(2);
  });

  it('forgets what was under way when it gets another list', async () => {
    const { feed, asked, events } = handFed(50);
    feed.want(0, 20, 50);
    feed.reset();
    await asked[0]?.answer();
    expect(events).toEqual([]);
    expect(feed.want(0, 20, 50)).toBeNull();
  });

  it('reports a failure once, and asks again only when wanted again', async () => {
    const { feed, asked, events } = handFed(50);
    feed.want(0, 20, 50);
    await asked[0]?.refuse();
    expect(events).toEqual(['gone']);
    expect(asked.length).toBe(1);
    feed.want(0, 20, 50);
    expect(asked.length).toBe(2);
  });
});
