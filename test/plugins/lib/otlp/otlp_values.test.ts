import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  int32Of,
  integerOf,
  numberOf,
  objectOf,
  objectsIn,
  plainOf,
  scalarOf,
  textOf,
  timeOf,
} from '../../../../plugins/lib/otlp/otlp_values.ts';

describe('members', () => {
  it('are those of the first name that fits', () => {
    expect(objectsIn({ a: 'x', b: [{ c: 1 }, 2, null, []], d: [{ e: 1 }] }, ['a', 'b', 'd'])).toEqual([{ c: 1 }]);
    expect(objectsIn({ a: {} }, ['a'])).toEqual([]);
    expect([objectOf({ d: 1 }, {}), objectOf([], { d: 1 }), objectOf(null, { d: 1 })]).toEqual([{ d: 1 }, { d: 1 }, { d: 1 }]);
    expect([objectOf(undefined), objectOf('x', [])]).toEqual([{}, {}]);
    expect(['x', '', 1, undefined].map(textOf)).toEqual(['x', null, null, null]);
  });
});

describe('numbers', () => {
  it.each<[value: Parameters<typeof integerOf>[0], integer: bigint | null, number: number | null, time: bigint | null]>([
    [7, 7n, 7, 7n],
    ['7', 7n, 7, 7n],
    [0, 0n, 0, null],
    [-7, -7n, -7, -7n],
    [1.5, null, 1.5, null],
    ['1.5', null, 1.5, null],
    ['9223372036854775807', 9223372036854775807n, 2 ** 63, 9223372036854775807n],
    ['9223372036854775808', null, 2 ** 63, -9223372036854775808n],
    [9007199254740993n, 9007199254740993n, 9007199254740992, 9007199254740993n],
    ['NaN', null, NaN, null],
    ['Infinity', null, Infinity, null],
    ['x', null, null, null],
    [' ', null, null, null],
    [true, null, null, null],
    [null, null, null, null],
    [undefined, null, null, null],
  ])('%s %#', (value, integer, number, time) => {
    expect([integerOf(value), numberOf(value), timeOf(value)]).toEqual([integer, number, time]);
  });

  it('of 32 bits may be below 0', () => {
    expect([-1, '2147483647', 2147483648, 'x'].map(int32Of)).toEqual([-1, 2147483647, null, null]);
  });

  it('of 64 bits are read as they are written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(integerOf(String(value))).toBe(value);
      }),
    );
  });
});

describe('values', () => {
  it.each<[value: Parameters<typeof plainOf>[0], plain: unknown, scalar: unknown]>([
    [{ stringValue: '' }, '', ''],
    [{ boolValue: false }, false, false],
    [{ intValue: '7' }, 7n, 7n],
    [{ doubleValue: 1.5 }, 1.5, 1.5],
    [{ bytesValue: 'AA==' }, 'AA==', null],
    [{ arrayValue: { values: [{ intValue: 1 }, { stringValue: 'x' }] } }, [1n, 'x'], null],
    [{ arrayValue: {} }, [], null],
    [
      {
        kvlistValue: {
          values: [
            { key: 'a', value: { boolValue: true } },
            { key: 'b', value: { kvlistValue: { values: [{ key: 'c' }] } } },
          ],
        },
      },
      { a: true, b: { c: null } },
      null,
    ],
    [{}, null, null],
  ])('value %#', (value, plain, scalar) => expect([plainOf(value), scalarOf(value)]).toEqual([plain, scalar]));

  it('are taken apart to a depth', () => {
    let value: Parameters<typeof plainOf>[0] = { stringValue: 'deep' };
    for (let i = 0; i < 40; i++) value = { arrayValue: { values: [value] } };
    expect(JSON.stringify(plainOf(value))).toBe(`${'['.repeat(21)}null${']'.repeat(21)}`);
  });
});
