import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PairReader, type PairSyntax } from '../../../plugins/lib/key_values.ts';

const BLANKS = { separator: ' ', assignment: '=' };
const SEMICOLONS = { separator: ';', assignment: ': ' };

/** The pairs of a line, and the reason when something is none. */
function read(line: string, syntax: PairSyntax = BLANKS, reader = new PairReader(syntax)): unknown[] {
  const pairs: unknown[] = [];
  reader.begin(`x=1 ${line}"`, 4, 4 + line.length);
  while (reader.next()) pairs.push([reader.name, reader.value]);
  return reader.error === null ? pairs : [...pairs, reader.error];
}

describe('PairReader', () => {
  it.each<[string, unknown[]]>([
    ['', []],
    [
      'a=1 b="two words" c',
      [
        ['a', '1'],
        ['b', 'two words'],
        ['c', null],
      ],
    ],
    [
      '  a=\tb=""',
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
    [String.raw`a="say \"no\"\n\u00e9\q"`, [['a', 'say "no"\néq']]],
    ['a=1 =2', [['a', '1'], 'a value without a name']],
    [
      'a={"b": [1]} c',
      [
        ['a', '{"b": [1]}'],
        ['c', null],
      ],
    ],
    [
      'a=[b c',
      [
        ['a', '[b'],
        ['c', null],
      ],
    ],
    ['a="1', ['a quote that does not end']],
    ['a="1"b', ['text behind a closing quote']],
    ['"a=1', ['a quote outside of a value']],
  ])('%j', (line, pairs) => expect(read(line)).toEqual(pairs));

  it('takes other separators', () => {
    expect(read('a: 1 ; b: "x;y" ;; c d', SEMICOLONS)).toEqual([
      ['a', '1'],
      ['b', 'x;y'],
      ['c d', null],
    ]);
    expect(() => new PairReader({ separator: '', assignment: '=' })).toThrow(TypeError);
  });

  it('reads back what was written, whatever lines came before', () => {
    const name = fc.stringMatching(/^[a-z]{1,4}$/);
    const value = fc.string({ unit: fc.constantFrom('a', ' ', '"', '\\', '=', 'é', '\n'), maxLength: 5 });
    const reader = new PairReader(BLANKS);
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 5 }), (pairs) => {
        const line = pairs.map(([key, text]) => `${key}=${JSON.stringify(text)}`).join(' ');
        expect(read(line, BLANKS, reader)).toEqual(pairs);
      }),
    );
  });
});
