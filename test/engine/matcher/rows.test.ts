import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, candidates, isAll, minus, NO_ROWS, room, take, union, type Rows } from '../../../engine/matcher/rows.ts';

const LENGTH = 12;
const all = Array.from({ length: LENGTH }, (_, row) => row);
const some = fc.subarray(all).map((rows) => Uint32Array.from(rows));
const rowsOrAll = fc.option(some, { nil: null, freq: 4 });
const listed = (rows: Rows): number[] => (rows === null ? all : [...rows]);

describe('rows', () => {
  it('without others', () => {
    fc.assert(
      fc.property(rowsOrAll, fc.func(fc.boolean()), (from, drop) => {
        const without = listed(from).filter((row) => drop(row));
        const rest = minus(from, from === null && without.length === LENGTH ? null : Uint32Array.from(without), LENGTH);
        expect(listed(rest)).toEqual(listed(from).filter((row) => !without.includes(row)));
        if (without.length === 0) expect(rest).toBe(from);
      }),
    );
  });

  it('of two lists', () => {
    fc.assert(
      fc.property(some, (rows) => {
        const rest = Uint32Array.from(all.filter((row) => !rows.includes(row)));
        expect([...union(rows, rest)]).toEqual(all);
      }),
    );
  });

  it('of a column that are looked at', () => {
    fc.assert(
      fc.property(rowsOrAll, rowsOrAll, (column, from) => {
        const { count, rows, entries } = candidates(column, from, LENGTH);
        const expected = listed(column).filter((row) => listed(from).includes(row));
        const shown = Array.from({ length: count }, (_, i) => [at(rows, i), at(entries, i)]);
        expect(shown).toEqual(expected.map((row) => [row, listed(column).indexOf(row)]));
      }),
    );
  });

  it('that hit are the first of the shared room', () => {
    const from = { count: 3, rows: Uint32Array.of(2, 5, 7), entries: null };
    room(3).set([5, 7]);
    expect(take(from, 2)).toEqual(Uint32Array.of(5, 7));
    expect(take(from, 3)).toBe(from.rows);
    expect(take(from, 0)).toBe(NO_ROWS);
    expect(room(100_000).length).toBeGreaterThanOrEqual(100_000);
  });

  it('are all when none is missing', () => {
    expect([
      isAll(null, Uint32Array.of(1), 9),
      isAll(NO_ROWS, null, 0),
      isAll(Uint32Array.of(0), null, 1),
      isAll(Uint32Array.of(0), null, 2),
    ]).toEqual([true, true, true, false]);
  });
});
