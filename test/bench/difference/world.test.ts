import { expect, it } from 'vitest';
import { KINDS, newWorld, timesOf } from '../../../bench/difference/world.ts';

it.each(KINDS)('a world of %s is the same for a seed, and its times ascend within their side', (kind) => {
  const times = ([0, 1] as const).map((side) => [...timesOf(newWorld(kind, 7), side)]);
  expect(times).toEqual(([0, 1] as const).map((side) => [...timesOf(newWorld(kind, 7), side)]));
  const { start, length } = newWorld(kind, 7);
  for (const [side, own] of times.entries()) {
    expect(own).toEqual(own.toSorted((a, b) => a - b));
    expect([(own[0] as number) >= start + side * length, (own.at(-1) as number) < start + (side + 1) * length]).toEqual([true, true]);
  }
});
