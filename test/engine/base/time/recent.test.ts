import { expect, it } from 'vitest';
import { Recent } from '../../../../engine/base/time/recent.ts';

it('makes a value once in a while for each key, and again when that is over or it failed', () => {
  let now = 0;
  const made: string[] = [];
  const recent = new Recent<number>(100, () => now);
  const get = (key: string): number => recent.get(key, () => made.push(key));
  expect([get('a'), get('b'), get('a')]).toEqual([1, 2, 1]);
  now = 99;
  expect(get('a')).toBe(1);
  now = 100;
  expect(get('a')).toBe(3);
  expect(() =>
    recent.get('c', () => {
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(get('c')).toBe(4);
});
