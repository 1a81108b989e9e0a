import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highest, MessageTicker, type Tick } from '../../../engine/pipeline/clock.ts';

const SECOND = 1_000_000_000n;
const seconds = (...values: number[]) => new BigInt64Array(values.map((value) => BigInt(value) * SECOND));
const shown = (ticks: readonly Tick[]) => ticks.map(({ row, ns }) => [row, Number(ns / SECOND)]);

describe('MessageTicker', () => {
  it.each<{ title: string; interval: number; times: number[]; ticks: [number, number][] }>([
    { title: 'no tick before one interval has passed', interval: 60, times: [100, 130, 159], ticks: [] },
    { title: 'a tick when the time is reached exactly, before that message', interval: 60, times: [100, 160], ticks: [[1, 160]] },
    {
      title: 'ticks keep their distance from the first message',
      interval: 60,
      times: [100, 175, 220],
      ticks: [
        [1, 160],
        [2, 220],
      ],
    },
    {
      title: 'every tick of a silence',
      interval: 10,
      times: [0, 35],
      ticks: [
        [1, 10],
        [1, 20],
        [1, 30],
      ],
    },
    {
      title: 'late messages do not turn time back',
      interval: 10,
      times: [0, 10, 5, 19, 20],
      ticks: [
        [1, 10],
        [4, 20],
      ],
    },
    {
      title: 'times before 1970',
      interval: 10,
      times: [-25, -15, -1, 5],
      ticks: [
        [1, -15],
        [2, -5],
        [3, 5],
      ],
    },
    { title: 'nothing for nothing', interval: 10, times: [], ticks: [] },
  ])('gives $title', ({ interval, times, ticks }) => {
    expect(shown(new MessageTicker(interval).advance(seconds(...times)))).toEqual(ticks);
  });

  it('has no ticks behind the last time that there is', () => {
    const last = 2n ** 63n - 1n;
    const ticker = new MessageTicker(60);
    expect(ticker.advance(BigInt64Array.of(last - 90n * SECOND, last, last))).toEqual([{ row: 1, ns: last - 30n * SECOND }]);
    expect(ticker.advance(BigInt64Array.of(last, 0n))).toEqual([]);
    expect(ticker.now).toBe(last);
    expect(new MessageTicker(60).advance(BigInt64Array.of(last))).toEqual([]);
    expect(new MessageTicker(Number.MAX_SAFE_INTEGER).advance(seconds(0, 1_700_000_000))).toEqual([]);
  });

  it('leaves out the older ticks of a very long gap and keeps the phase', () => {
    const ticks = shown(new MessageTicker(1).advance(seconds(0, 100_000)));
    expect(ticks).toHaveLength(1000);
    expect(ticks[0]).toEqual([1, 99_001]);
    expect(ticks.at(-1)).toEqual([1, 100_000]);
  });

  it('ticks the same however the messages are cut into batches', () => {
    const times = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 10 }), (values, interval, size) => {
        const whole = shown(new MessageTicker(interval).advance(seconds(...values)));
        const ticker = new MessageTicker(interval);
        const parts: (readonly [number, number])[] = [];
        for (let at = 0; at < values.length; at += size) {
          for (const [row, ns] of shown(ticker.advance(seconds(...values.slice(at, at + size)))))
            parts.push([(row as number) + at, ns as number]);
        }
        expect(parts).toEqual(whole);
        expect(ticker.now).toBe(BigInt(Math.max(...values)) * SECOND);
      }),
    );
  });
});

describe('highest', () => {
  it('agrees with a comparison of BigInts', () => {
    const any = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(fc.array(any), any, (values, start) => {
        const expected = values.reduce((a, b) => (a > b ? a : b), start);
        expect(highest(new BigInt64Array(values), start)).toBe(expected);
      }),
    );
  });
});
