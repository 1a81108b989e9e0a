import { expect, it } from 'vitest';
import { highest, steady } from '../../../../../renderer/src/lib/time/steady.ts';

it('gives the value before back while values say the same', () => {
  const same = steady<{ readonly a: number; readonly b?: string }>();
  const first = { a: 1 };
  expect(same(first)).toBe(first);
  expect(same({ a: 1 })).toBe(first);
  const second = { a: 1, b: '' };
  expect(same(second)).toBe(second);
  expect(same({ a: 1 })).toEqual({ a: 1 });
});

it('keeps one value for each function', () => {
  const [one, other] = [steady<readonly number[]>(), steady<readonly number[]>()];
  const value = [1];
  expect(one(value)).toBe(value);
  expect(other([1])).not.toBe(value);
});

it('gives the highest number so far', () => {
  const most = highest();
  expect([0, 3, 2, 5, 4].map(most)).toEqual([1, 3, 3, 5, 5]);
});
