import { expect, test } from 'vitest';
import { SmallArrays } from '../../../engine/store/small-arrays.ts';

test('arrays that are kept hold the same numbers, many of them in one piece of memory', () => {
  const arrays = new SmallArrays();
  const lengths = Array.from({ length: 500 }, (_, i) => (i * 37) % 700);
  const made = lengths.map((length, i) => (i % 2 === 0 ? new Uint32Array(length).fill(i) : new Uint8Array(length).fill(i)));
  const kept = made.map((array) => (array instanceof Uint32Array ? arrays.words(array) : arrays.bytes(array)));
  expect(kept).toEqual(made);
  const pieces = new Set(kept.filter(({ byteLength }) => byteLength > 64).map(({ buffer }) => buffer));
  expect(pieces.size).toBeLessThan(5);
});

test.each([0, 16, 20_000])('an array of %i words stays as it is', (length) => {
  const array = new Uint32Array(length);
  expect(new SmallArrays().words(array)).toBe(array);
});
