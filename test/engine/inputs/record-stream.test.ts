import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutPieces } from '../../../engine/inputs/pieces.ts';
import { makeSplitter, type SplitOptions } from '../../../engine/inputs/splitters/index.ts';
import { initialState, MAX_BATCH_BYTES, MAX_BATCH_RECORDS, type Outlook } from '../../../engine/inputs/splitter.ts';
import type { Piece } from '../../../engine/inputs/pieces.ts';
import { LINE, NONE, regex, textsOf, splitChunks, chunksOf } from './splitters/fixtures.ts';

describe('batches', () => {
  const pieces = (split: SplitOptions, data: string, maxRecord?: number): Piece[] => [
    ...cutPieces(makeSplitter(split, maxRecord), Buffer.from(data), 0, 'end', initialState()),
  ];

  it('hold so many records at most', () => {
    const found = pieces(LINE, 'x\n'.repeat(MAX_BATCH_RECORDS * 2 + 3));
    expect(found.map(({ count, firstLine }) => [count, firstLine])).toEqual([
      [MAX_BATCH_RECORDS, 1],
      [MAX_BATCH_RECORDS, MAX_BATCH_RECORDS + 1],
      [3, 2 * MAX_BATCH_RECORDS + 1],
    ]);
  });

  it('hold at most 1 MiB, with a text that is not longer', () => {
    const found = pieces(LINE, `${'y'.repeat(99_999)}\n`.repeat(30));
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(30);
    expect(Math.max(...found.map(({ payload }) => payload.text.length))).toBeLessThanOrEqual(MAX_BATCH_BYTES);
  });

  it.each([
    ['line', LINE, 'ok\n' + 'z'.repeat(50) + '\nafter\n', ['ok', 'zzzzzzzz', 'after']],
    ['line at the end', LINE, 'ok\n' + 'z'.repeat(50), ['ok', 'zzzzzzzz']],
    ['line with a character across the limit', LINE, 'zzzzzzz€€€\nafter\n', ['zzzzzzz', 'after']],
    ['line of exactly the limit', LINE, '12345678\r\n123456789\n', ['12345678', '12345678']],
    ['whole', NONE, 'z'.repeat(50), ['zzzzzzzz']],
    ['regex', regex(';'), 'ok;' + 'z'.repeat(50) + ';after;', ['ok', 'zzzzzzzz', 'after']],
  ])('cut what is too long: %s', (_title, split, data, records) => {
    expect(pieces(split, data, 8).flatMap(textsOf)).toEqual(records);
    expect(pieces(split, data, 8).filter(({ truncated }) => truncated)).toHaveLength(1);
    const bytes = [...Buffer.from(data)].map((byte) => Uint8Array.of(byte));
    expect(splitChunks(split, bytes, 'end', 8)).toEqual(records);
  });

  it.each<[string, boolean]>([
    ['\\n(# Q:)', false],
    ['(\\n)', true],
    ['\\n+', true],
    ['\\r?\\n', true],
    [';--;', true],
  ])('lose no record behind one that was too long, whatever the chunks are: %s', (pattern, eol) => {
    const parts = fc.array(fc.constantFrom('a', '😀', '\n', '\r\n', '\n# Q:', ';--;', 'z'.repeat(500)), { maxLength: 40 });
    fc.assert(
      fc.property(parts, fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 40 }), (texts, sizes) => {
        const data = texts.join('');
        const whole = splitChunks(regex(pattern, eol), [data], 'end', 20);
        expect(splitChunks(regex(pattern, eol), chunksOf(data, sizes), 'end', 20)).toEqual(whole);
      }),
    );
  });

  it('number lines right behind one that was too long', () => {
    const found = pieces(LINE, `a\n${'z'.repeat(50)}\nb\nc`, 8);
    expect(found.flatMap((piece) => textsOf(piece).map((text, i) => [text, piece.firstLine + i]))).toEqual([
      ['a', 1],
      ['zzzzzzzz', 2],
      ['b', 3],
      ['c', 4],
    ]);
  });

  it('take the line end of a line that was delivered without it', () => {
    const splitter = makeSplitter(LINE);
    const state = initialState();
    const cut = (data: string, outlook: Outlook): string[] =>
      [...cutPieces(splitter, Buffer.from(data), 0, outlook, state)].flatMap(textsOf);
    expect(cut('a\nb', 'end')).toEqual(['a', 'b']);
    expect([cut('\r', 'pause'), state.midLine]).toEqual([[], true]);
    expect(cut('\r\nc\nd', 'end')).toEqual(['c', 'd']);
    expect([cut('e\n', 'pause'), state.line]).toEqual([['e'], 5]);
  });
});
