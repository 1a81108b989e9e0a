import { expect, test } from 'vitest';
import { slopeOf, type Point } from './slope.ts';

test.each<[what: string, points: Point[], slope: number]>([
  [
    'a line',
    [
      [0, 5],
      [1, 7],
      [2, 9],
    ],
    2,
  ],
  [
    'what does not grow',
    [
      [0, 5],
      [3, 5],
    ],
    0,
  ],
  [
    'a line with a wave on it',
    [
      [0, 1],
      [1, 0],
      [2, 5],
      [3, 4],
    ],
    1.4,
  ],
])('%s', (_, points, slope) => expect(slopeOf(points)).toBeCloseTo(slope));
