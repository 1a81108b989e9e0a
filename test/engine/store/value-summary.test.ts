import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { ValueType, type Field, type Message } from '../../../engine/message/types.ts';
import { eachCell, isClass, NONE, OTHER, summariseValues } from '../../../engine/store/value-summary.ts';
import type { ViewEntry } from '../../../engine/store/view-entry.ts';

const text = (value: string): Field => ({ name: 'status', valueType: ValueType.STRING, values: [value] });
const number = (value: number): Field => ({ name: 'status', valueType: ValueType.DOUBLE, values: [value] });
const user = (value: string): Field => ({ name: 'user', valueType: ValueType.STRING, values: [value] });

/** The counts by slot and name, of records a second apart. */
function counts(fields: readonly (Field | null)[], by: string, rows: number[] | null = null, slotMs = 10_000): Record<string, number> {
  const stored = batchOf(
    fields.map((field, i): Message => ({ uuid: new Uint8Array(16), timestamp: BigInt(i) * 1_000_000_000n, fields: field ? [field] : [] })),
  );
  const entry = {
    rows: rows && Uint16Array.from(rows),
    count: rows?.length ?? fields.length,
    segment: { maxTime: (fields.length - 1) * 1000 },
  } as unknown as ViewEntry;
  const summary = summariseValues(stored, entry, by, { slotMs, firstSlot: 0 });
  const found: Record<string, number> = {};
  eachCell(summary, (slot, name, count) => {
    found[`${slot} ${summary.names[name]}`] = count;
  });
  return found;
}

describe('summariseValues', () => {
  it('counts by value', () => {
    expect(counts([user('a'), user('b'), user('a'), null], 'Fields[user]')).toEqual({ '0 a': 2, '0 b': 1, [`0 ${NONE}`]: 1 });
    expect(counts([user('a'), user('b'), user('a')], 'Fields[user]', [1, 2])).toEqual({ '0 a': 1, '0 b': 1 });
  });

  it('counts by slot', () => expect(counts([user('a'), user('a'), user('a')], 'Fields[user]', null, 2000)).toEqual({ '0 a': 2, '1 a': 1 }));

  it('has classes of statuses', () => {
    expect(counts([number(200), number(204), number(503), number(99), number(200.5), null], 'Fields[status]')).toEqual({
      '0 2xx': 2,
      '0 5xx': 1,
      [`0 ${OTHER}`]: 2,
      [`0 ${NONE}`]: 1,
    });
    expect(counts([number(200), number(404)], 'Fields[status]', [1])).toEqual({ '0 4xx': 1 });
    expect(counts([text('404'), text('paid')], 'Fields[status]')).toEqual({ '0 4xx': 1, '0 paid': 1 });
    expect([isClass('Fields[status]', '4xx'), isClass('Fields[status]', 'paid'), isClass('Fields[user]', '4xx')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('puts long and further values together', () => {
    expect(counts([user('x'.repeat(201)), user('a')], 'Fields[user]')).toEqual({ [`0 ${OTHER}`]: 1, '0 a': 1 });
    const many = counts(
      Array.from({ length: 100 }, (_, i) => user(`user ${i}`)),
      'Fields[user]',
      null,
      1e6,
    );
    expect([Object.keys(many).length, many[`0 ${OTHER}`]]).toEqual([65, 36]);
  });

  it('counts where cells are more than there is room for', () => {
    const found = counts([user('a'), ...Array<null>(200).fill(null), user('a')], 'Fields[user]', [0, 201], 0.5);
    expect(found).toEqual({ '0 a': 1, '402000 a': 1 });
  });
});
