import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChangeFollower } from '../../../../renderer/src/lib/change-follower.ts';

/** Answers requests by hand. */
function follower() {
  const asked: { since: number; answer: (revision: number) => Promise<void>; refuse: () => Promise<void> }[] = [];
  const taken: [revision: number, first: boolean][] = [];
  const failed = vi.fn();
  const follow = new ChangeFollower<{ revision: number }>({
    ask: (since) =>
      new Promise((resolve, reject) => {
        const settled = (settle: () => void) => {
          settle();
          return vi.advanceTimersByTimeAsync(0).then(() => undefined);
        };
        asked.push({
          since,
          answer: (revision) => settled(() => resolve({ revision })),
          refuse: () => settled(() => reject(new Error('gone'))),
        });
      }),
    take: ({ revision }, first) => void taken.push([revision, first]),
    failed,
  });
  return { follow, asked, taken, failed };
}

describe('ChangeFollower', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('asks again from where it is, one request at a time', async () => {
    const { follow, asked, taken } = follower();
    follow.watch();
    follow.watch();
    await asked[0]?.answer(5);
    await asked[1]?.answer(8);
    expect(asked.map(({ since }) => since)).toEqual([0, 5, 8]);
    expect(taken).toEqual([
      [5, true],
      [8, false],
    ]);
  });

  it('asks no more when nobody watches, and goes on from there', async () => {
    const { follow, asked } = follower();
    const stop = follow.watch();
    await asked[0]?.answer(5);
    stop();
    const again = follow.watch();
    expect(asked).toHaveLength(2);
    again();
    await asked[1]?.answer(6);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(2);
    follow.watch();
    expect(asked.map(({ since }) => since)).toEqual([0, 5, 6]);
  });

  it('begins anew after a restart, whatever the old one still answers', async () => {
    const { follow, asked, taken } = follower();
    follow.watch();
    await asked[0]?.answer(5);
    follow.restart();
    expect(asked.map(({ since }) => since)).toEqual([0, 5, 0]);
    await asked[1]?.answer(9);
    await asked[2]?.answer(2);
    expect(taken).toEqual([
      [5, true],
      [2, true],
    ]);
    expect(asked.map(({ since }) => since)).toEqual([0, 5, 0, 2]);
  });

  it('says that a request failed and tries again after a while', async () => {
    const { follow, asked, failed } = follower();
    follow.watch();
    await asked[0]?.refuse();
    expect(failed).toHaveBeenCalledOnce();
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked.map(({ since }) => since)).toEqual([0, 0]);
  });
});
