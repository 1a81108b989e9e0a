import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Dictionary } from '../../../engine/parquet/dictionary.ts';

/** Adds values that hash as `hash` says, and returns the distinct ones in their order. */
function fill(dictionary: Dictionary, values: Iterable<number>, hash: (value: number) => number): number[] {
  const known: number[] = [];
  for (const value of values) {
    const entry = dictionary.add(hash(value), (at) => known[at] === value);
    if (entry === known.length) known.push(value);
  }
  return known;
}

it('numbers values as they come, also when their hashes are alike', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(300), { maxLength: 600 }), fc.integer({ min: 1, max: 64 }), (values, hashes) => {
      const dictionary = new Dictionary();
      const known = fill(dictionary, values, (value) => value % hashes);
      expect(known).toEqual([...new Set(values)]);
      expect(dictionary.size).toBe(known.length);
      expect([...dictionary.ids.view()].map((id) => known[id])).toEqual(values);
      expect(dictionary.useless).toBe(false);
    }),
  );
});

it.each<[string, number, (i: number) => number, boolean]>([
  ['all are new', 3000, (i) => i, true],
  ['each comes three times', 9000, (i) => Math.floor(i / 3), false],
  ['there are too many, though they repeat', 1 << 18, (i) => i >> 1, true],
])('is of no use where %s: %i values', (_what, count, value, useless) => {
  const dictionary = new Dictionary();
  fill(
    dictionary,
    Array.from({ length: count }, (_, i) => value(i)),
    (one) => Math.imul(one, 0x9e3779b1),
  );
  expect(dictionary.useless).toBe(useless);
});
