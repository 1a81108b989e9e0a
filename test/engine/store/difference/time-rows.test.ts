import { describe, expect, it } from 'vitest';
import { BLOCKS, SIDE_BLOCKS } from '../../../../engine/store/difference/block-counts.ts';
import type { Totals } from '../../../../engine/store/difference/chance.ts';
import { SideClock } from '../../../../engine/store/difference/side-clock.ts';
import type { Sides } from '../../../../engine/store/difference/sides.ts';
import { rateRow, timeRows } from '../../../../engine/store/difference/time-rows.ts';

const T0 = Date.UTC(2026, 10, 30, 10);
const HOUR = 3_600_000;

/** Sides of an hour each whose blocks have so many records, and whose times arrived so. */
function sidesOf(of: (at: number, side: 0 | 1) => number, clock = new SideClock(), between = 0): { sides: Sides; totals: Totals } {
  const blocks = Uint32Array.from({ length: BLOCKS }, (_, i) => of(i % SIDE_BLOCKS, i < SIDE_BLOCKS ? 0 : 1));
  const sum = (from: number): number => blocks.slice(from, from + SIDE_BLOCKS).reduce((all, one) => all + one, 0);
  const records: [number, number] = [sum(0), sum(SIDE_BLOCKS)];
  const spans = [T0, T0 + HOUR + between].map((from) => ({ from, to: from + HOUR }));
  return { sides: { records, spans, clock } as unknown as Sides, totals: { blocks, a: records[0], b: records[1], seconds: 1 } };
}

function clockOf(a: readonly number[], b: readonly number[]): SideClock {
  const clock = new SideClock();
  const times = Float64Array.from([...a, ...b], (second) => T0 + second * 1000);
  clock.add(
    1,
    1,
    times,
    Uint8Array.from(times, (_, i) => (i < a.length ? 1 : 2)),
    0,
    times.length,
  );
  return clock;
}

describe('records per second', () => {
  it.each<[string, (at: number, side: 0 | 1) => number, string[]]>([
    ['that grew', (_, side) => (side === 0 ? 150 : 600), ['records: 1 per second in A, 4 per second in B']],
    ['that fell', (_, side) => (side === 0 ? 5 : 1), ['records: 2 per minute in A, 24 per hour in B']],
    ['that are nearly the same', (_, side) => (side === 0 ? 1000 : 1400), []],
    ['that come in bursts', (at, side) => (at % (side === 0 ? 12 : 6) === 0 ? 900 : 1), []],
    ['that grow all the time', (at, side) => 10 * 1.05 ** (at + side * SIDE_BLOCKS), []],
  ])('%s', (_name, of, texts) => {
    const { sides, totals } = sidesOf(of);
    expect(rateRow(sides, totals).map(({ text }) => text)).toEqual(texts);
    expect(rateRow(sides, { ...totals, seconds: null })).toEqual([]);
  });

  it('have the lift of B, and are about all records', () => {
    const { sides, totals } = sidesOf((_, side) => (side === 0 ? 100 : 400));
    expect(rateRow(sides, totals)).toMatchObject([{ kind: 'rate', lift: 4, score: 1, filter: null, a: { count: 2400, share: 1 } }]);
  });
});

describe('times', () => {
  const steady = Array.from({ length: 9 }, (_, i) => i * 10);
  it.each<[string, number[], number[], string[]]>([
    [
      'that go back in B',
      steady,
      [0, 890, 900, 300, 310],
      ['clock: the clock goes back by 10 min in B, after 2026-11-30 10:15:00 (at most 0 ns in A)'],
    ],
    [
      'that go back in A',
      [80, 10, 20],
      steady,
      ['clock: the clock goes back by 1.17 min in A, after 2026-11-30 10:01:20 (at most 0 ns in B)'],
    ],
    ['that go back by less than ten seconds', steady, [20, 11, 12], []],
    ['that go back nearly as far on both sides', [60, 0, 1], [90, 0, 1], []],
    ['without records in A', [0, 61, 62], steady, ['gap: no record for 1.02 min in A, after 2026-11-30 10:00:00 (at most 10 s in B)']],
    ['without records for less than six times the longest', steady, [0, 59], []],
    ['without records for less than 30 seconds', [0, 1, 2], [0, 29], []],
  ])('%s', (_name, a, b, texts) => {
    const { sides, totals } = sidesOf(() => 1, clockOf(a, b));
    const told = (seconds: number | null): string[] => timeRows(sides, { ...totals, seconds }).map(({ kind, text }) => `${kind}: ${text}`);
    const gaps = texts.filter((text) => text.startsWith('gap'));
    expect(told(1).filter((text) => gaps.length > 0 || !text.startsWith('gap'))).toEqual(texts);
    expect(told(null)).toEqual(texts.filter((text) => text.startsWith('clock')));
  });

  it.each<[string, number, string[]]>([
    ['for less than half a minute', 29_000, []],
    ['for some minutes', 480_000, ['no record for 8 min between A and B, after 2026-11-30 11:00:00 (at most 10 s in them)']],
    ['for longer than half of a side', 1_900_000, []],
  ])('between the sides %s', (_name, between, texts) => {
    const { sides, totals } = sidesOf(() => 100, clockOf(steady, steady), between);
    expect(timeRows(sides, totals).map(({ text }) => text)).toEqual(texts);
  });
});
