import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { concatBatches, takeRows } from '../../../../engine/message/batch/gather.ts';
import { MessageBatch } from '../../../../engine/message/batch/batch.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { messages } from '../arbitraries.ts';
import { workMs } from '../../../growth.ts';
import { listOf, picks, plain, payloads } from './gather-fixtures.ts';

describe('takeRows', () => {
  const check = (list: Message[], rows: number[]) => {
    expect(listOf(takeRows(batchOf(list), Uint32Array.from(rows)))).toEqual(rows.map((row) => list[row]));
  };

  it('takes any rows in any order', () => {
    fc.assert(
      fc.property(messages(), picks, (list, picked) => check(list, list.length === 0 ? [] : picked.map((pick) => pick % list.length))),
    );
  });

  it('takes ascending rows', () => {
    fc.assert(
      fc.property(messages(), fc.array(fc.boolean()), (list, keep) =>
        check(
          list,
          [...list.keys()].filter((row) => keep[row]),
        ),
      ),
    );
  });

  it('takes runs', () => {
    fc.assert(
      fc.property(messages(), fc.nat(), fc.nat(), (list, a, b) => {
        const from = a % (list.length + 1);
        const to = from + (b % (list.length - from + 1));
        check(list, [...list.keys()].slice(from, to));
      }),
    );
  });

  it('takes from what it took', () => {
    fc.assert(
      fc.property(messages(), picks, picks, (list, first, second) => {
        if (list.length === 0 || first.length === 0) return;
        const one = takeRows(
          batchOf(list),
          Uint32Array.from(first, (pick) => pick % list.length),
        );
        const two = takeRows(
          one,
          Uint32Array.from(second, (pick) => pick % one.length),
        );
        expect(listOf(two)).toEqual(second.map((pick) => list[(first[pick % one.length] as number) % list.length]));
      }),
    );
  });

  it('shares the texts and gives the batch itself when all rows are taken', () => {
    const batch = payloads('one', 'two', 'three');
    expect(takeRows(batch, Uint32Array.of(0, 1, 2))).toBe(batch);
    const part = takeRows(batch, Uint32Array.of(2, 0));
    expect(part.payload).toMatchObject({ text: 'onetwothree', starts: Uint32Array.of(6, 0), ends: Uint32Array.of(11, 3) });
  });

  it('keeps the random uuids of rows also when they are asked for later', () => {
    const batch = new MessageBatch({ length: 3, timestamps: new BigInt64Array(3) });
    const rows = Uint32Array.of(2, 0);
    const part = takeRows(batch, rows);
    rows.fill(1);
    expect(part.message(0).uuid).toEqual(batch.message(2).uuid);
    expect(part.message(1).uuid).toEqual(batch.message(0).uuid);
  });

  it.each([[[3]], [[0, 1, 2, 3]], [[3, 0]], [[0, 3]]])('refuses rows %j of three', (rows) => {
    expect(() => takeRows(payloads('a', 'b', 'c'), Uint32Array.from(rows))).toThrow(RangeError);
  });

  it('stays linear over very many columns', () => {
    const list = Array.from({ length: 20_000 }, (_, i) => plain({ fields: [{ name: `f${i}`, valueType: 4, values: [true] }] }));
    const batch = batchOf(list);
    const odd = Uint32Array.from({ length: 10_000 }, (_, i) => 2 * i + 1);
    const ms = workMs(() => {
      expect(takeRows(batch, odd).fields).toHaveLength(10_000);
      expect(takeRows(batch, odd.toReversed()).fields).toHaveLength(10_000);
      expect(concatBatches([batch, batch]).fields).toHaveLength(20_000);
    });
    expect(ms).toBeLessThan(5000);
  });
});
