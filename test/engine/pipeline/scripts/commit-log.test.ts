import { describe, expect, it, vi } from 'vitest';
import { CommitLog } from '../../../../engine/pipeline/scripts/commit-log.ts';

function logged(keepsState: boolean) {
  const log = new CommitLog(keepsState);
  const done: string[] = [];
  return { log, done, commit: (name: string) => log.commit(() => done.push(name)) };
}

describe('without a state', () => {
  it('what brought nothing is acknowledged at once', () => {
    const { log, done, commit } = logged(false);
    commit('a');
    expect([done, log.isSettled, log.isUncovered]).toEqual([['a'], true, false]);
  });

  it('waits for all its batches, and for those before it', () => {
    const { log, done, commit } = logged(false);
    const first = [log.deliver(), log.deliver()];
    commit('a');
    const second = log.deliver();
    commit('b');
    second();
    first[0]?.();
    expect([done, log.isSettled]).toEqual([[], false]);
    first[1]?.();
    expect([done, log.isSettled]).toEqual([['a', 'b'], true]);
  });

  it('a batch that is processed before the reading ends counts', () => {
    const { log, done, commit } = logged(false);
    log.deliver()();
    expect(done).toEqual([]);
    commit('a');
    expect(done).toEqual(['a']);
  });
});

describe('with a state', () => {
  it('waits for the save that began after it', () => {
    const { log, done, commit } = logged(true);
    commit('a');
    const saved = log.cover();
    commit('b');
    expect([done, log.isUncovered]).toEqual([[], true]);
    saved();
    expect([done, log.isUncovered]).toEqual([['a'], true]);
    log.cover()();
    expect([done, log.isUncovered, log.isSettled]).toEqual([['a', 'b'], false, true]);
  });

  it('waits for both the save and the batches', () => {
    const { log, done, commit } = logged(true);
    const processed = log.deliver();
    commit('a');
    log.cover()();
    expect([done, log.isUncovered]).toEqual([[], false]);
    processed();
    expect(done).toEqual(['a']);
  });
});

it('tells when everything is acknowledged', async () => {
  const { log, commit } = logged(false);
  await log.settled();
  const processed = log.deliver();
  commit('a');
  const settled = vi.fn();
  const waiting = log.settled().then(settled);
  await Promise.resolve();
  expect(settled).not.toHaveBeenCalled();
  processed();
  await waiting;
});
