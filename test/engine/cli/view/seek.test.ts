import { expect, it } from 'vitest';
import { placeOf } from '../../../../engine/cli/view/seek.ts';

const SIZE = 1 << 30;

it.each<[what: string, timeAt: (at: number) => bigint | null, time: bigint, from: number, most: number]>([
  ['close in front of it', (at) => BigInt(at), 500_000_000n, 500_000_000 - (512 << 10), 500_000_000],
  ['the beginning for an early time', (at) => BigInt(at) + 5n, 1n, 0, 0],
  ['near the end for a late time', (at) => BigInt(at), 1n << 40n, SIZE - (256 << 10), SIZE],
  ['the beginning where the latest come first', (at) => BigInt(SIZE - at), 500n, 0, 0],
  ['the beginning where times are not in order', (at) => (at === SIZE / 2 ? 0n : BigInt(at) + 1n), 900_000_000n, 0, 0],
  ['the beginning where no time is found', (at) => (at > 0 && at < SIZE - (64 << 10) ? null : BigInt(at)), 500n, 0, 0],
])('finds a place: %s', async (_, timeAt, time, from, most) => {
  let looks = 0;
  const place = await placeOf(time, { first: 0, size: SIZE }, (at) => {
    looks++;
    return Promise.resolve(timeAt(at));
  });
  expect(place).toBeGreaterThanOrEqual(from);
  expect(place).toBeLessThanOrEqual(most);
  expect(looks).toBeLessThan(20);
});
