import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseName, ColumnNames, HEADER_COLUMNS, keyOfText, keyText, type ColumnKey } from '../../../engine/parquet/column-names.ts';
import { ValueType } from '../../../engine/message/types.ts';

const key = (name: string, over: Partial<ColumnKey> = {}): ColumnKey => ({
  name,
  valueType: ValueType.STRING,
  representation: null,
  list: false,
  nth: 0,
  ...over,
});
const anyKey: fc.Arbitrary<ColumnKey> = fc.record({
  name: fc.constantFrom('a', 'A', 'a_text', 'Type', 'more_fields', '', 'a\0', 'a_2'),
  valueType: fc.constantFrom(...Object.values(ValueType)),
  representation: fc.constantFrom(null, 'ms', '%', ''),
  list: fc.boolean(),
  nth: fc.nat(2),
});

describe('ColumnNames', () => {
  it.each<[keys: ColumnKey[], names: string[]]>([
    [[key('a')], ['a']],
    [
      [key('status'), key('status', { valueType: ValueType.INTEGER })],
      ['status_text', 'status'],
    ],
    [
      [key('took', { valueType: ValueType.DOUBLE }), key('took', { valueType: ValueType.DOUBLE, representation: 'ms' })],
      ['took', 'took_ms'],
    ],
    [
      [key('tags'), key('tags', { list: true })],
      ['tags', 'tags_list'],
    ],
    [
      [key('to'), key('to', { nth: 1 })],
      ['to', 'to_2'],
    ],
    [
      [key('a'), key('A')],
      ['a', 'A_2'],
    ],
    [
      [key('Type'), key('payload')],
      ['Type_2', 'payload_2'],
    ],
    [[key('')], ['_']],
    [
      [key('n', { representation: '%' }), key('n')],
      ['n', 'n_2'],
    ],
  ])('%j', (keys, names) => expect(new ColumnNames().name(keys).map(({ column }) => column)).toEqual(names));

  it('differ in more than case, from each other and from headers', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyKey, { maxLength: 6 }), { maxLength: 4 }), (rounds) => {
        const names = new ColumnNames();
        const given = new Map<string, string>();
        for (const keys of rounds) {
          for (const named of names.name(keys)) {
            expect(given.get(keyText(named)) ?? named.column).toBe(named.column);
            given.set(keyText(named), named.column);
          }
        }
        const all = [...given.values(), ...HEADER_COLUMNS, 'RawLine', 'more_fields'].map((name) => name.toLowerCase());
        expect(new Set(all).size).toBe(all.length);
        expect(names.size).toBe(given.size);
      }),
    );
  });

  it('stay as they were given', () => {
    const names = new ColumnNames();
    names.keep([{ ...key('status'), column: 'status', whole: true }]);
    expect([names.has(key('status')), names.has(key('other')), names.size]).toEqual([true, false, 1]);
    expect(names.name([key('status', { valueType: ValueType.INTEGER }), key('status')]).map(({ column }) => column)).toEqual([
      'status_int',
      'status',
    ]);
  });
});

describe('the text of a key', () => {
  it('is of that key alone', () => {
    fc.assert(
      fc.property(anyKey, (one) => {
        expect(keyOfText(keyText(one))).toEqual(one);
      }),
    );
  });

  it.each(['', '[]', '["a",0,null,false]', '["a",9,null,false,0]', '[7,0,null,false,0]', ' ["a",0,null,false,0]'])('%j is none', (text) =>
    expect(keyOfText(text)).toBeNull(),
  );
});

it('a base holds what all readers take', () => {
  expect(['', 'a\0b', '\ud800', 'a'].map(baseName)).toEqual(['_', 'a\ufffdb', '\ufffd', 'a']);
});
