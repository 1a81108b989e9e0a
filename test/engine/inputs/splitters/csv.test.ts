import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_QUOTED_BYTES } from '../../../../engine/inputs/splitters/csv.ts';
import { CSV, splitChunks, chunksOf } from './fixtures.ts';

describe('quoted values', () => {
  const value = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'é', ' '), maxLength: 5 }),
    fc.string({ unit: fc.constantFrom('a', '"', '\n', '\r\n', ',', '€'), maxLength: 9 }).map((text) => `"${text.replaceAll('"', '""')}"`),
  );
  const anything = fc.string({ unit: fc.constantFrom('a', '"', '"', '\n', '\r', ','), maxLength: 60 });

  it('keep records together whatever the chunks are', () => {
    const record = fc.array(value, { minLength: 1, maxLength: 4 }).map((values) => values.join());
    fc.assert(
      fc.property(fc.array(record), fc.array(fc.nat(9)), (records, sizes) => {
        expect(splitChunks(CSV, chunksOf(records.map((text) => `${text}\n`).join(''), sizes))).toEqual(records);
      }),
    );
  });

  it('lose nothing of what is not a record', () => {
    fc.assert(
      fc.property(anything, fc.array(fc.nat(9)), (text, sizes) => {
        const records = splitChunks(CSV, [text]);
        expect(splitChunks(CSV, chunksOf(text, sizes))).toEqual(records);
        expect(records.join('\n').replaceAll('\r', '')).toBe(text.replace(/\n$/, '').replaceAll('\r', ''));
      }),
    );
  });

  it('do not go on for long', () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `${i},b`);
    const text = (first: string): string => `${first}\n${lines.join('\n')}\n`;
    expect(splitChunks(CSV, [text('a,"b')])).toEqual(['a,"b', ...lines]);
    const within = 'x\n'.repeat(MOST_QUOTED_BYTES / 2 - 9);
    expect(splitChunks(CSV, [`"${within}"\n`])).toEqual([`"${within}"`]);
    expect(splitChunks(CSV, [`"${within}${within}"\n`]).length).toBe(MOST_QUOTED_BYTES - 18 + 1);
  });

  it.each(['"', ', a', 'a', 'a,"', '"",'])('take no time that grows with what there is: %j', (line) => {
    const text = `${line}\n`.repeat(60_000);
    const records = splitChunks(CSV, [text]);
    expect(records.join('\n')).toBe(text.slice(0, -1));
  });
});
