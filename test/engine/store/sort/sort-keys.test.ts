import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { ValueType, type Field, type Message } from '../../../../engine/message/types.ts';
import { SortKeys, type KeyedPart } from '../../../../engine/store/sort/sort-keys.ts';

type Value = string | number | bigint | null;
const ONE: KeyedPart[] = [{ firstRow: 0, stream: 'a', label: 'a' }];

function fieldOf(value: NonNullable<Value>): Field {
  if (typeof value === 'string') return { name: 'v', valueType: ValueType.STRING, values: [value] };
  if (typeof value === 'bigint') return { name: 'v', valueType: ValueType.INTEGER, values: [value] };
  return { name: 'v', valueType: ValueType.DOUBLE, values: [value] };
}

const batch = (values: readonly Value[], seconds: readonly number[] = []) =>
  batchOf(
    values.map((value, i): Message => ({
      uuid: new Uint8Array(16),
      timestamp: BigInt(seconds[i] ?? i) * 1_000_000_000n,
      severity: 2,
      fields: value === null ? [] : [fieldOf(value)],
    })),
  );

function sorted(values: readonly Value[], down = false, parts = ONE, seconds: readonly number[] = []): number[] {
  const keys = new SortKeys({ by: 'Fields[v]', down }, values.length);
  keys.add(batch(values, seconds), null, parts);
  const { arrivals, rows } = keys.sort();
  for (const [row, arrival] of arrivals.entries()) expect(rows[arrival]).toBe(row);
  return [...arrivals];
}

describe('SortKeys', () => {
  it.each<[values: Value[], up: number[], down: number[]]>([
    [[], [], []],
    [
      [3, 1, 2],
      [1, 2, 0],
      [0, 2, 1],
    ],
    [
      [1, 1, 0],
      [2, 0, 1],
      [0, 1, 2],
    ],
    [
      ['b', 'a', null, 'c'],
      [1, 0, 3, 2],
      [3, 0, 1, 2],
    ],
    [
      ['10', '9', '1.5'],
      [2, 1, 0],
      [0, 1, 2],
    ],
    [
      ['10', '9', 'x'],
      [0, 1, 2],
      [2, 1, 0],
    ],
    [
      ['x', 5, null],
      [1, 0, 2],
      [0, 1, 2],
    ],
    [
      [2n ** 60n + 1n, 2n ** 60n, 5],
      [2, 1, 0],
      [0, 1, 2],
    ],
    [
      [-1, -0, 0],
      [0, 1, 2],
      [1, 2, 0],
    ],
  ])('%#', (values, up, down) => {
    expect(sorted(values)).toEqual(up);
    expect(sorted(values, true)).toEqual(down);
  });

  it('sorts numbers as they are, those that are equal by arrival', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer({ min: -3, max: 3 }), { nil: null }), { maxLength: 30 }), fc.boolean(), (values, down) => {
        const by = (row: number): number => {
          const value = values[row] ?? null;
          return value === null ? Infinity : down ? -value : value;
        };
        const expected = [...values.keys()].sort((a, b) => (by(a) === by(b) ? a - b : by(a) - by(b)));
        expect(sorted(values, down)).toEqual(expected);
      }),
    );
  });

  it('merges equals of several streams by time', () => {
    const parts = [
      { firstRow: 0, stream: 'a', label: 'a' },
      { firstRow: 2, stream: 'b', label: 'b' },
    ];
    expect(sorted([1, 1, 1, 1], false, parts, [1, 4, 2, 3])).toEqual([0, 2, 3, 1]);
    expect(sorted([1, 1, 1, 1], true, parts, [5, 1, 6, 7])).toEqual([0, 1, 2, 3]);
  });

  it('takes rows of several segments, and knows their alarms', () => {
    const keys = new SortKeys({ by: 'source', down: false }, 3);
    keys.add(batch([1, 2]), Uint16Array.of(1), [{ firstRow: 0, stream: 'x', label: 'z' }]);
    keys.add(batch([1, 2]), null, [{ firstRow: 0, stream: 'y', label: 'a' }]);
    const { arrivals, alarms } = keys.sort();
    expect([[...arrivals], [...alarms]]).toEqual([
      [1, 2, 0],
      [2, 2, 2],
    ]);
  });
});
