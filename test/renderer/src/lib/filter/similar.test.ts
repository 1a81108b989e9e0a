import { expect, it } from 'vitest';
import { similarSource } from '../../../../../renderer/src/lib/filter/similar.ts';

it.each([
  ['job 17 of worker-3 is done (ok)', 'job 5 of worker-12 is done (ok)', true],
  ['job 17 of worker-3 is done (ok)', 'job 5 of worker-12 is late (ok)', false],
  ['a.b\tc', 'in front: a.b c, and behind', true],
  ['a.b c', 'axb c', false],
])('%j and %j: %s', (text, other, isAlike) => {
  expect(new RegExp(similarSource(text) ?? '^$').test(other)).toBe(isAlike);
});

it('finds nothing like a text of numbers alone', () => {
  expect(similarSource('12 0x3f 4')).toBeNull();
});
