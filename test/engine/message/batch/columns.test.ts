import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryCount, entryOf } from '../../../../engine/message/batch/columns.ts';

describe('entries of a column', () => {
  it('are those of its rows', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(40), { maxLength: 20 }), (list) => {
        const rows = Uint32Array.from(list.toSorted((a, b) => a - b));
        expect(entryCount({ rows }, 99)).toBe(rows.length);
        for (let row = 0; row < 42; row++) expect(entryOf(rows, row)).toBe(rows.indexOf(row));
      }),
    );
  });

  it('are those of all rows without a list', () => expect([entryCount({ rows: null }, 7), entryOf(null, 5)]).toEqual([7, 5]));
});
