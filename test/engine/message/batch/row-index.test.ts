import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { messagesOf, RowIndex } from '../../../../engine/message/batch/row-index.ts';
import { messages } from '../arbitraries.ts';

const LENGTH = 8;
const rows = fc.option(
  fc.subarray([...Array(LENGTH).keys()]).map((list) => Uint32Array.from(list)),
  { nil: null },
);

describe('RowIndex', () => {
  it('has the entries of each row in the order of the columns', () => {
    fc.assert(
      fc.property(fc.array(rows, { maxLength: 5 }), (lists) => {
        const index = new RowIndex(
          lists.map((list) => ({ rows: list })),
          LENGTH,
        );
        for (let row = 0; row < LENGTH; row++) {
          const shown: number[][] = [];
          for (let at = index.start(row); at < index.end(row); at++) shown.push([index.columnAt(at), index.entryAt(at)]);
          const expected = lists.flatMap((list, column) => {
            const entry = list === null ? row : list.indexOf(row);
            return entry < 0 ? [] : [[column, entry]];
          });
          expect(shown).toEqual(expected);
        }
      }),
    );
  });
});

describe('messagesOf', () => {
  it('is what single messages are', () => {
    fc.assert(
      fc.property(messages(), (all) => {
        const batch = batchOf(all);
        expect([...messagesOf(batch)]).toEqual(all.map((_, row) => batch.message(row)));
        const some = Uint32Array.from(all.keys()).filter((row) => row % 2 === 0);
        expect([...messagesOf(batch, some)]).toEqual([...some].map((row) => batch.message(row)));
      }),
      { numRuns: 100 },
    );
  });

  it('has no rows beyond the batch', () => expect(() => [...messagesOf(batchOf([]), Uint32Array.of(0))]).toThrow('row 0 of a batch of 0'));
});
