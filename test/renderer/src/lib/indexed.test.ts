import { expect, it } from 'vitest';
import { indexed } from '../../../../renderer/src/lib/indexed.ts';

it('finds elements by their keys, the first of several with the same', () => {
  const words = indexed(['one', 'two', 'three', 'ten'], (word) => word.charAt(0));
  expect([words.get('o'), words.get('t'), words.get('x')]).toEqual(['one', 'two', undefined]);
});
