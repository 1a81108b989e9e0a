import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstIndex } from '../../../engine/message/binary-search.ts';

it('The first index is the one that a walk finds', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 })), fc.integer({ min: -1, max: 21 }), (list, value) => {
      const sorted = list.toSorted((a, b) => a - b);
      const found = sorted.findIndex((other) => other >= value);
      expect(firstIndex(sorted.length, (i) => (sorted[i] as number) >= value)).toBe(found < 0 ? sorted.length : found);
    }),
  );
});

it('Looks at few of many, and at none of nothing', () => {
  let looks = 0;
  const at = firstIndex(1_000_000, (i) => ++looks > 0 && i >= 765_432);
  expect(at).toBe(765_432);
  expect(looks).toBeLessThanOrEqual(20);
  expect(firstIndex(0, () => expect.fail('there is nothing to look at'))).toBe(0);
});
