import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { Field, Message } from '../../../engine/message/types.ts';
import { alikeFields, alikeInBoth, type AlikeFields } from '../../../engine/store/alike-fields.ts';

const NONE: ReadonlySet<number> = new Set();
const messagesOf = (rows: readonly (readonly Field[])[]): Message[] =>
  rows.map((fields) => ({ uuid: new Uint8Array(16), timestamp: 1n, fields: [...fields] }));
const found = (rows: readonly (readonly Field[])[], except = NONE): Record<string, string> | undefined => {
  const alike = alikeFields(batchOf(messagesOf(rows)), except);
  return alike && Object.fromEntries(alike);
};
const text = (value: string, name = 'a'): Field => ({ name, valueType: 0, values: [value] });

describe('fields that say the same in all records', () => {
  it.each<[string, readonly (readonly Field[])[], Record<string, string>]>([
    ['one record', [[text('x')]], { a: 'x' }],
    ['texts', [[text('x')], [text('x')], [text('x')]], { a: 'x' }],
    ['empty texts', [[text('')], [text('')]], { a: '' }],
    ['a middle one that differs', [[text('x')], [text('y')], [text('x')]], {}],
    ['a beginning', [[text('x')], [text('xx')]], {}],
    ['other characters', [[text('ä€😀')], [text('ä€😀')]], { a: 'ä€😀' }],
    ['a record without it', [[text('x')], [], [text('x')]], {}],
    [
      'several fields',
      [
        [text('x'), text('1', 'b')],
        [text('x'), text('2', 'b')],
      ],
      { a: 'x' },
    ],
    [
      'a field that comes twice',
      [
        [text('x'), text('x')],
        [text('x'), text('x')],
      ],
      {},
    ],
    ['lists', [[{ name: 'a', valueType: 0, values: ['x', 'x'] }], [{ name: 'a', valueType: 0, values: ['x', 'x'] }]], {}],
    ['integers', [[{ name: 'a', valueType: 2, values: [7n] }], [{ name: 'a', valueType: 2, values: [7n] }]], { a: '7' }],
    ['integers that differ', [[{ name: 'a', valueType: 2, values: [7n] }], [{ name: 'a', valueType: 2, values: [8n] }]], {}],
    ['numbers', [[{ name: 'a', valueType: 3, values: [0.5] }], [{ name: 'a', valueType: 3, values: [0.5] }]], { a: '0.5' }],
    ['not a number', [[{ name: 'a', valueType: 3, values: [NaN] }], [{ name: 'a', valueType: 3, values: [NaN] }]], {}],
    ['bools', [[{ name: 'a', valueType: 4, values: [true] }], [{ name: 'a', valueType: 4, values: [true] }]], { a: 'true' }],
    ['a long text', [[text('x'.repeat(201))], [text('x'.repeat(201))]], {}],
    ['types that differ', [[text('1')], [{ name: 'a', valueType: 3, values: [1] }]], {}],
    ['names of built-in properties', [[text('x', '__proto__')], [text('x', '__proto__')]], Object.fromEntries([['__proto__', 'x']])],
  ])('are found: %s', (_what, rows, expected) => {
    expect(found(rows)).toEqual(expected);
  });

  it('are those of the records that were not refused', () => {
    const rows = [[text('raw', 'b')], [text('x')], [text('raw', 'b')], [text('x')]];
    expect(found(rows, new Set([0, 2]))).toEqual({ a: 'x' });
    expect(found(rows, new Set([0, 1, 2]))).toEqual({ a: 'x' });
    expect(found([[text('x')], [text('y')]], new Set([1]))).toEqual({ a: 'x' });
    expect(found(rows, new Set([0, 1, 2, 3]))).toBeUndefined();
  });

  it('are those that both of two parts have', () => {
    const [a, b] = [new Map([['a', 'x']]), new Map([['a', 'x'], ['b', 'y']])]; // prettier-ignore
    const both = (first: AlikeFields, second: AlikeFields): unknown => alikeInBoth(first, second);
    expect(both(a, b)).toBe(a);
    expect(both(b, a)).toEqual(a);
    expect(both(a, new Map([['a', 'z']]))).toEqual(new Map());
    expect(both(undefined, b)).toBe(b);
    expect(both(a, undefined)).toBe(a);
    expect(both(undefined, undefined)).toBeUndefined();
  });

  it('are what a look at each record says', () => {
    const row = fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('', 'x', 'xx', 'ä'), { maxKeys: 2 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), fc.array(fc.boolean()), (rows, refused) => {
        const except = new Set(Array.from(rows.keys()).filter((i) => refused[i] === true));
        const left = rows.filter((_, i) => !except.has(i));
        const names = ['a', 'b'].filter((name) => left.every((values) => values[name] !== undefined && values[name] === left[0]?.[name]));
        const expected = left.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, left[0]?.[name]]));
        expect(
          found(
            rows.map((values) => Object.entries(values).map(([name, value]) => text(value, name))),
            except,
          ),
        ).toEqual(expected);
      }),
    );
  });
});
