import { expect, it } from 'vitest';
import { SideClock } from '../../../../engine/store/difference/side-clock.ts';

/** The largest steps of A: back, and forward. */
function stepsOf(times: readonly number[], sides: readonly number[] = times.map(() => 1)): [number, number, number, number] {
  const clock = new SideClock();
  const middle = times.length >> 1;
  const [given, of] = [Float64Array.from(times), Uint8Array.from(sides)];
  clock.add(0, 0, given, of, 0, middle);
  clock.add(0, 0, given, of, middle, times.length);
  const [back, gap] = [clock.back[0], clock.gap[0]];
  return [back.by, back.at, gap.by, gap.at];
}

it.each<[string, number[], [number, number, number, number]]>([
  ['a clock that is set back', [0, 10, 20, 30, 2, 12, 22], [28, 30, 10, 0]],
  ['a time without records', [0, 10, 20, 120, 130, 140], [0, 0, 100, 20]],
  ['one record from later', [0, 10, 500, 20, 30, 40], [0, 0, 10, 0]],
  ['one record from before', [200, 210, 5, 220, 230, 240], [0, 0, 10, 200]],
  ['two records from later', [0, 10, 500, 510, 20, 30, 40], [490, 510, 490, 10]],
])('knows %s', (_, times, steps) => expect(stepsOf(times)).toEqual(steps));

it('keeps the sides apart, and leaves out records of none', () => {
  expect(stepsOf([0, 900, 10, 20, 800, 30, 40], [1, 2, 1, 1, 0, 1, 1]).slice(0, 3)).toEqual([0, 0, 10]);
});

it('knows no clock that goes back by one record alone that one of the other side follows', () => {
  expect(stepsOf([100, 110, 20, 120, 130, 140, 150], [1, 1, 1, 2, 1, 1, 1]).slice(0, 2)).toEqual([0, 0]);
});
