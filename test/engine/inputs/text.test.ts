import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutPieces } from '../../../engine/inputs/pieces.ts';
import { Cuts, initialState } from '../../../engine/inputs/splitter.ts';
import { makeSplitter } from '../../../engine/inputs/splitters/index.ts';
import { decodeRecord, incompleteTail, joinTexts, recordText } from '../../../engine/inputs/text.ts';
import { backingOf as backedText } from '../../../engine/message/latin-text.ts';
import { TextPool } from '../../../engine/message/text-pool.ts';

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
  it('has the same texts in every form, whatever the bytes are', () => {
    const pool = new TextPool();
    const line = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ unit: fc.constantFrom('a', '"', '\\', 'é', '€', '\n'), maxLength: 20 }).map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.constantFrom(1, 700), (lines, times) => {
        const bytes = Buffer.concat(Array.from({ length: times }, () => Buffer.concat(lines.flatMap((one) => [one, Buffer.from('\n')]))));
        const [made, shared, pooled] = (['made', 'bytes', pool] as const).map((form) =>
          [...cutPieces(makeSplitter({ kind: 'line' }), bytes, 0, 'end', initialState(), form)].map(({ payload, invalid }) => {
            const { starts, ends } = payload;
            const records = Array.from(starts, (start, i) => backedText(payload).slice(start, ends[i] as number));
            payload.latin?.release();
            return { records, invalid };
          }),
        );
        expect([shared, pooled]).toEqual([made, made]);
      }),
      { numRuns: 60 },
    );
  });

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
