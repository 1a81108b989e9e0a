import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Notices } from '../../../engine/workspace/notices.ts';
import { RateMeter } from '../../../engine/workspace/rates.ts';
import { Throttle } from '../../../engine/throttle.ts';

describe('RateMeter', () => {
  it('counts by the second and keeps thirty seconds', () => {
    let now = 1000;
    const meter = new RateMeter(() => now);
    meter.add(10);
    now = 2500;
    meter.add(4);
    expect(meter.rate()).toBe(9);
    expect(meter.history().slice(-3)).toEqual([0, 0, 10]);
    now = 4000;
    expect([meter.rate(), ...meter.history().slice(-4)]).toEqual([0, 0, 10, 4, 0]);
    now = 100_000;
    expect(meter.history()).toEqual(new Array(30).fill(0));
    expect(meter.total).toBe(14);
  });
});

describe('Throttle', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('calls at once, then not more often than allowed, and once after the last request', () => {
    const times: number[] = [];
    const start = performance.now();
    const throttle = new Throttle(() => times.push(Math.round(performance.now() - start)), 100);
    for (let i = 0; i < 25; i++) {
      throttle.request();
      vi.advanceTimersByTime(10);
    }
    vi.advanceTimersByTime(1000);
    expect(times).toEqual([0, 100, 200, 300]);
    throttle.request();
    throttle.request();
    throttle.stop();
    vi.advanceTimersByTime(1000);
    expect(times).toHaveLength(5);
  });

  it('waits as long as is right at the moment', () => {
    const times: number[] = [];
    const start = performance.now();
    let interval = 50;
    const throttle = new Throttle(
      () => times.push(Math.round(performance.now() - start)),
      () => interval,
    );
    throttle.request();
    throttle.request();
    vi.advanceTimersByTime(100);
    interval = 200;
    throttle.request();
    vi.advanceTimersByTime(1000);
    expect(times).toEqual([0, 50, 250]);
  });
});

describe('Notices', () => {
  it('keeps the last notices and does not repeat itself', () => {
    const said: number[] = [];
    const board = new Notices(({ id }) => said.push(id));
    board.say('error', 'a.b', 'one');
    board.say('error', 'a.b', 'one');
    for (let i = 0; i < 600; i++) board.say('info', 'a.b', `n${i}`);
    expect(said).toHaveLength(601);
    expect(board.list()).toHaveLength(500);
    expect(board.list().at(-1)).toMatchObject({ level: 'info', code: 'a.b', text: 'n599' });
  });
});
