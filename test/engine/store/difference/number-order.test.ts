import { expect, it } from 'vitest';
import { SIDE_BLOCKS } from '../../../../engine/store/difference/block-counts.ts';
import { NumberOrder } from '../../../../engine/store/difference/number-order.ts';

const noise = (i: number): number => {
  const x = Math.sin(i * 12.9898) * 43758.5453;
  return x - Math.floor(x);
};

it.each<[string, boolean, (i: number) => number]>([
  ['one after the other', true, (i) => i],
  ['of several processes', true, (i) => ([5000, 90_000, 333, 12_000][i % 4] as number) + i],
  ['with others between them', true, (i) => i + 300 * noise(i)],
  ['a measure', false, (i) => 100 * noise(i)],
  ['a measure that grew once', false, (i) => 100 * noise(i) + (i > 2400 ? 500 : 0)],
  ['a wave', false, (i) => 100 * Math.sin(i / 50) + noise(i)],
  ['the same', false, () => 7],
])('numbers that are %s: rising %s', (_, isRising, value) => {
  const order = new NumberOrder();
  const count = 4800;
  for (let i = 0; i < count; i++) {
    if (i % 600 === 0) order.begin();
    order.add(value(i), Math.floor((i * 2 * SIDE_BLOCKS) / count));
  }
  expect(order.isRising).toBe(isRising);
});
