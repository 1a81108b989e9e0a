import { expect, it } from 'vitest';
import { Random, zipf } from '../../../../scripts/lib/samples/random.mjs';

const many = <T>(draw: () => T, count = 5000): T[] => Array.from({ length: count }, draw);

it('is the same for the same seed, on every machine', () => {
  const random = new Random(7);
  expect(many(() => random.int(0, 99), 5)).toEqual(
    many(
      (
        (again) => () =>
          again.int(0, 99)
      )(new Random(7)),
      5,
    ),
  );
  expect(new Random(1).next()).toBeCloseTo(0.6270739405881613, 15);
});

it('stays within bounds and reaches them', () => {
  const random = new Random(1);
  const drawn = new Set(many(() => random.int(3, 6)));
  expect([...drawn].sort()).toEqual([3, 4, 5, 6]);
  expect(random.hex(40)).toMatch(/^[0-9a-f]{40}$/);
  expect(many(() => random.exponential(2)).every((value) => value >= 0)).toBe(true);
});

it('draws by weight, also where rounding leaves nothing over', () => {
  const random = new Random(1);
  const drawn = many(() =>
    random.weighted([
      [9, 'often'],
      [1, 'seldom'],
      [0, 'never'],
    ] as const),
  );
  const share = drawn.filter((item) => item === 'often').length / drawn.length;
  expect(share).toBeCloseTo(0.9, 1);
  expect(drawn).not.toContain('never');
});

it('draws the first most often, the n-th an n-th as often', () => {
  const draw = zipf(new Random(1), 10);
  const counts = Array.from({ length: 10 }, () => 0);
  for (const index of many(draw, 20_000)) counts[index] = (counts[index] ?? 0) + 1;
  const [first = 0, second = 0, , fourth = 0] = counts;
  expect(first / second).toBeCloseTo(2, 0);
  expect(first / fourth).toBeCloseTo(4, 0);
  expect(Math.min(...counts)).toBeGreaterThan(0);
});
