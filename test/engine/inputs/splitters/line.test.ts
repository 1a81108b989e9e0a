import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutPieces } from '../../../../engine/inputs/pieces.ts';
import { makeSplitter } from '../../../../engine/inputs/splitters/index.ts';
import { initialState } from '../../../../engine/inputs/splitter.ts';
import { LINE, regex, textsOf, splitChunks } from './fixtures.ts';

describe('encodings of records', () => {
  const cases: [string, number[] | string, string, boolean][] = [
    ['ASCII', 'plain', 'plain', false],
    ['UTF-8', 'žluťoučký €🙂', 'žluťoučký €🙂', false],
    ['Latin-1', [0x47, 0x72, 0xfc, 0xdf, 0x65], 'Grüße', true],
    ['windows-1252', [0x80, 0x20, 0x93, 0x78, 0x94], '€ “x”', true],
    ['damaged UTF-8', [...Buffer.from('ěščř'), 0xff], 'ěščř\ufffd', true],
    ['a cut sequence', [0x61, 0xe2, 0x82], 'aâ‚', true],
  ];
  it.each(cases)('%s', (_title, data, text, invalid) => {
    const bytes = Buffer.concat([Buffer.from('é first\n'), Buffer.from(data as string), Buffer.from('\nlast ú')]);
    const found = [...cutPieces(makeSplitter(LINE), bytes, 0, 'end', initialState())];
    expect(found.flatMap(textsOf)).toEqual(['é first', text, 'last ú']);
    expect(found.some((piece) => piece.invalid)).toBe(invalid);
    expect(splitChunks(regex('\\n'), [bytes])).toEqual(['é first', text, 'last ú']);
  });

  it('any bytes give one record a line', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const lines = [...bytes].filter((byte) => byte === 10).length;
        const found = [...cutPieces(makeSplitter(LINE), Buffer.from(bytes), 0, 'pause', initialState())];
        expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(lines);
        for (const piece of found) expect(textsOf(piece).join('').isWellFormed()).toBe(true);
      }),
    );
  });
});
