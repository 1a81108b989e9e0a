import { describe, expect, it } from 'vitest';
import type { Ticks } from '../../../../../../engine/api/types.ts';
import { bandsOf, COLUMN_PX, kindAt } from '../../../../../../renderer/src/views/logs/table/tick-bands.ts';

const row = (length: number, ...filled: readonly number[]): number[] =>
  Array.from({ length }, (_unused, i) => (filled.includes(i) ? 0.25 : 0));
const ticks = (part: Partial<Ticks>, length = 100): Ticks => ({
  hit: row(length),
  mark: row(length),
  rule: row(length),
  error: row(length),
  warning: row(length),
  ...part,
});

describe('bandsOf', () => {
  it('draws each kind in its column, errors over warnings, and nothing shorter than two pixels', () => {
    const bands = bandsOf(ticks({ mark: row(100, 0), hit: row(100, 50), error: row(100, 99), warning: row(100, 99) }), 100);
    expect(bands.map(({ kind, column, y }) => [kind, column, y])).toEqual([
      ['mark', 0, 0],
      ['hit', 1, 50],
      ['warning', 2, 98],
      ['error', 2, 98],
    ]);
    expect(bands.every(({ length, strength }) => length === 2 && strength > 0.5 && strength < 1)).toBe(true);
  });

  it('lets a burst stand out where every part has errors, none of which lies over the next', () => {
    const error = Array.from({ length: 100 }, (_unused, i) => (i === 50 ? 1 : 0.3));
    const bands = bandsOf(ticks({ error }), 100);
    expect(bands[50]?.strength).toBe(1);
    expect(bands[0]?.strength).toBeLessThan(0.35);
    const ends = bands.map(({ y, length }) => y + length);
    // The last one has its least length, within the strip.
    expect(ends.slice(0, -2)).toEqual(bands.slice(1, -1).map(({ y }) => y));
  });
});

describe('kindAt', () => {
  const shown = ticks({ hit: row(100, 10, 60), warning: row(100, 30), error: row(100, 32) });
  const inHits = COLUMN_PX + 1;
  const inAlarms = 2 * COLUMN_PX + 1;

  it.each([
    ['on a tick', inHits, 101, { kind: 'hit', at: 0.1 }],
    ['near it', inHits, 113, { kind: 'hit', at: 0.1 }],
    ['far from all', inHits, 300, null],
    ['in an empty column', 1, 101, null],
    ['on an error', inAlarms, 325, { kind: 'error', at: 0.32 }],
    ['on a warning with an error near', inAlarms, 305, { kind: 'warning', at: 0.3 }],
  ])('%s', (_what, x, y, expected) => expect(kindAt(shown, x, y, 1000)).toEqual(expected));

  it('is nothing without records', () => expect(kindAt(ticks({}, 0), 1, 1, 100)).toBeNull());
});
