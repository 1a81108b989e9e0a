import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChangeAnswers } from '../../../engine/workspace/change-answers.ts';

const INTERVAL_MS = 500;

function counter() {
  let revision = 1;
  const since = vi.fn((known: number) => ({ known, revision }));
  const answers = new ChangeAnswers({ revision: () => revision, since }, INTERVAL_MS);
  const change = (): void => {
    revision++;
    answers.changed();
  };
  return { answers, change, since };
}

/** Whether a promise is settled after some milliseconds. */
async function isSettled(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let settled = false;
  void promise.finally(() => (settled = true));
  await vi.advanceTimersByTimeAsync(ms);
  return settled;
}

describe('ChangeAnswers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('answers at once who has nothing', async () => {
    expect(await counter().answers.after(0)).toEqual({ known: 0, revision: 1 });
  });

  it('answers sooner when it is hastened, also who asks only then', async () => {
    const { answers, change } = counter();
    await answers.after(0);
    change();
    const waiting = answers.after(1);
    expect(await isSettled(waiting, 100)).toBe(false);
    answers.hasten();
    expect(await waiting).toEqual({ known: 1, revision: 2 });
    answers.hasten();
    change();
    expect(await isSettled(answers.after(2), 1)).toBe(true);
    change();
    expect(await isSettled(answers.after(3), 100)).toBe(false);
  });

  it('lets wait who has the newest, until there is something newer', async () => {
    const { answers, change, since } = counter();
    const answer = answers.after(1);
    expect(await isSettled(answer, 10_000)).toBe(false);
    expect(since).not.toHaveBeenCalled();
    change();
    expect(await answer).toEqual({ known: 1, revision: 2 });
  });

  it('answers at most once in its interval, with the newest', async () => {
    const { answers, change, since } = counter();
    await answers.after(0);
    const answer = answers.after(1);
    for (let i = 0; i < 100; i++) change();
    expect(await isSettled(answer, INTERVAL_MS - 10)).toBe(false);
    expect(await isSettled(answer, 20)).toBe(true);
    expect(await answer).toEqual({ known: 1, revision: 101 });
    expect(since).toHaveBeenCalledTimes(2);
  });

  it('makes nothing while nobody asks', async () => {
    const { answers, change, since } = counter();
    await answers.after(0);
    for (let i = 0; i < 10; i++) change();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(since).toHaveBeenCalledTimes(1);
  });

  it('answers everyone who waits, each by what they have', async () => {
    const { answers, change } = counter();
    change();
    const all = Promise.all([answers.after(1), answers.after(2), answers.after(0)]);
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    change();
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    expect((await all).map(({ known }) => known)).toEqual([1, 2, 0]);
  });

  it('gives everything to who comes with a revision of another process', async () => {
    expect(await counter().answers.after(77)).toEqual({ known: 0, revision: 1 });
  });

  it('says that it failed', async () => {
    const answers = new ChangeAnswers({ revision: () => 1, since: () => Promise.reject(new Error('no')) }, INTERVAL_MS);
    await expect(answers.after(0)).rejects.toThrow('no');
    const thrower = (): never => {
      throw new Error('never');
    };
    await expect(new ChangeAnswers({ revision: () => 1, since: thrower }, INTERVAL_MS).after(0)).rejects.toThrow('never');
  });
});
