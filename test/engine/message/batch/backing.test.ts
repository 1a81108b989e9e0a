import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BackingGroups,
  BackingJoiner,
  joinBytes,
  joinTexts,
  unitsUsed,
  wasteful,
  type Pieces,
} from '../../../../engine/message/batch/backing.ts';

const pieces = (backing: string, ...ranges: readonly (readonly [number, number])[]): Pieces<string> => ({
  backing,
  starts: Uint32Array.from(ranges, ([start]) => start),
  ends: Uint32Array.from(ranges, ([, end]) => end),
});
const valuesOf = ({ backing, starts, ends }: Pieces<string>): string[] => Array.from(starts, (start, i) => backing.slice(start, ends[i]));

/** Values of some backings, which lists share. */
const lists = fc.array(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 }).chain((backings) =>
  fc.array(
    fc
      .constantFrom(...backings)
      .chain((backing) =>
        fc
          .array(fc.tuple(fc.nat(backing.length), fc.nat(backing.length)), { maxLength: 5 })
          .map((ranges) => pieces(backing, ...ranges.map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const))),
      ),
    { minLength: 1, maxLength: 5 },
  ),
);

describe('BackingJoiner', () => {
  it('keeps all values', () => {
    fc.assert(
      fc.property(lists, (all) => {
        const joiner = new BackingJoiner(joinTexts);
        for (const list of all) joiner.note(list);
        const count = all.reduce((sum, { starts }) => sum + starts.length, 0);
        const [starts, ends] = [new Uint32Array(count), new Uint32Array(count)];
        let at = 0;
        for (const list of all) {
          joiner.place(list, starts, ends, at);
          at += list.starts.length;
        }
        expect(valuesOf({ backing: joiner.finish(), starts, ends })).toEqual(all.flatMap(valuesOf));
      }),
    );
  });

  it('copies a backing once, and of one that is hardly used the values alone', () => {
    const joiner = new BackingJoiner(joinTexts);
    const [used, wasted] = [pieces('abcdef', [0, 3], [3, 6]), pieces('ghijklmnop', [1, 2], [1, 2], [2, 4])];
    const again = pieces('abcdef', [0, 1]);
    for (const list of [used, wasted, again]) joiner.note(list);
    const [starts, ends] = [new Uint32Array(6), new Uint32Array(6)];
    joiner.place(used, starts, ends, 0);
    joiner.place(wasted, starts, ends, 2);
    joiner.place(again, starts, ends, 5);
    expect(joiner.finish()).toBe('abcdefhij');
    expect([...starts]).toEqual([0, 3, 6, 6, 7, 0]);
  });
});

describe('BackingGroups', () => {
  it('keep the values of all columns', () => {
    fc.assert(
      fc.property(fc.array(lists, { minLength: 1, maxLength: 4 }), (columns) => {
        const groups = new BackingGroups(joinTexts);
        const numbers = columns.map((column) => groups.announce(column));
        groups.settle();
        expect(numbers.map((column) => valuesOf(groups.settled(column)))).toEqual(columns.map((column) => column.flatMap(valuesOf)));
      }),
    );
  });

  it('leave columns in one backing that were in one, and others apart', () => {
    const groups = new BackingGroups(joinTexts);
    const [a, b, c] = [[pieces('abab', [0, 4])], [pieces('cdcd', [0, 4]), pieces('abab', [0, 2])], [pieces('efef', [0, 4])]].map((column) =>
      groups.announce(column),
    ) as [number, number, number];
    groups.settle();
    expect(groups.settled(a).backing).toBe(groups.settled(b).backing);
    expect(groups.settled(c).backing).toBe('efef');
  });
});

it('use is counted for each value', () => {
  expect(unitsUsed(Uint32Array.of(0, 1), Uint32Array.of(3, 2))).toBe(4);
  expect([wasteful(4, 9), wasteful(5, 10), wasteful(0, 0)]).toEqual([true, false, false]);
});

it('bytes are joined in order', () => {
  const [one, two] = [Uint8Array.of(1, 2), Uint8Array.of(3)];
  expect(joinBytes([one])).toBe(one);
  expect(joinBytes([one, two])).toEqual(Uint8Array.of(1, 2, 3));
  expect(joinBytes([])).toEqual(new Uint8Array());
});
