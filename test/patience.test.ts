import { describe, expect, it } from 'vitest';
import { patienceMs, slowness } from './patience.ts';
import { until } from './until.ts';

describe('the patience of tests', () => {
  it.each([
    [0.1, 2, 1],
    [2, 2, 1],
    [6, 2, 3],
    [2, 1, 2],
    [1000, 2, 15],
  ])('at a load of %d on %d cores is %d times as long', (load, cores, times) => expect(slowness(load, cores)).toBe(times));

  it('ends with what was waited for', async () => {
    const wait = until(
      () => false,
      'the end of time',
      () => 20,
    );
    await expect(wait).rejects.toThrow('waited in vain for the end of time');
  });

  it('holds for expect.poll, too', () => {
    const worker = (globalThis as { __vitest_worker__?: { config: { expect: { poll: { timeout: number } } } } }).__vitest_worker__;
    expect(worker?.config.expect.poll.timeout).toBeGreaterThanOrEqual(patienceMs(0));
  });
});
