import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Cuts } from '../../../engine/inputs/splitter.ts';
import { decodeRecord, incompleteTail, joinTexts, recordText } from '../../../engine/inputs/text.ts';

/** The records between cuts. */
function texts(bytes: Buffer, ranges: readonly (readonly [number, number])[]): { records: string[]; invalid: boolean } {
  const cuts = new Cuts();
  cuts.reset();
  cuts.texts = null;
  for (const [i, [start, end]] of ranges.entries()) {
    cuts.starts[i] = start;
    cuts.ends[i] = end;
  }
  cuts.count = ranges.length;
  cuts.textStart = ranges[0]?.[0] ?? 0;
  cuts.textEnd = ranges.at(-1)?.[1] ?? 0;
  const { values, invalid } = recordText(bytes, cuts);
  return { records: Array.from(values.starts, (start, i) => values.text.slice(start, values.ends[i])), invalid };
}

describe('recordText', () => {
  it('has the texts of lines', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '€', '😀', ' '), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.constantFrom('', 'xx', 'é'), (lines, before) => {
        const bytes = Buffer.from(`${before}${lines.join('\n')}\n`);
        let at = Buffer.byteLength(before);
        const ranges = lines.map((text) => {
          const start = at;
          at += Buffer.byteLength(text) + 1;
          return [start, at - 1] as const;
        });
        expect(texts(bytes, ranges)).toEqual({ records: lines, invalid: false });
      }),
    );
  });

  it('reads each record by itself where some are no UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('a é\n'), Buffer.from('b \xe9\n', 'latin1'), Buffer.from('c\n')]);
    expect(
      texts(bytes, [
        [0, 4],
        [5, 8],
        [9, 10],
      ]),
    ).toEqual({ records: ['a é', 'b é', 'c'], invalid: true });
  });

  it('takes cuts through a character', () => {
    expect(
      texts(Buffer.from('aéb'), [
        [0, 2],
        [2, 4],
      ]).invalid,
    ).toBe(true);
  });
});

describe('decodeRecord', () => {
  it.each<[bytes: number[], text: string, valid: boolean]>([
    [[0x61], 'a', true],
    [[0xc3, 0xa9], 'é', true],
    [[0xe9], 'é', false],
    [[0x80, 0x9f], '€Ÿ', false],
    [[0x93, 0x94], '“”', false],
    [[0xc3, 0xa9, 0xc3, 0xa9, 0xff], 'éé\ufffd', false],
    [[0xc3, 0xa9, 0xff], 'Ã©ÿ', false],
  ])('%j', (bytes, text, valid) => expect(decodeRecord(Buffer.from(bytes))).toEqual({ text, valid }));
});

it.each<[text: string, cut: number, tail: number]>([
  ['abc', 0, 0],
  ['é', 0, 0],
  ['é', 1, 1],
  ['€', 1, 2],
  ['€', 2, 1],
  ['😀', 1, 3],
  ['😀', 3, 1],
  ['', 0, 0],
])('%s without its last %i bytes waits for the rest of %i', (text, cut, tail) => {
  const bytes = Buffer.from(text);
  expect(incompleteTail(bytes.subarray(0, bytes.length - cut))).toBe(tail);
});

it('texts are joined', () => {
  expect(joinTexts(['ab', '', 'c'])).toEqual({ text: 'abc', starts: Uint32Array.of(0, 2, 2), ends: Uint32Array.of(2, 2, 3) });
});
