import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LatinText, textValues } from '../../../engine/message/latin-text.ts';
import { numberTest, passes, textTest } from '../../../engine/matcher/conditions.ts';
import { selectBooleans, selectBytes, selectDoubles, selectInts, selectLongs, selectText } from '../../../engine/matcher/kernels.ts';
import { compilePattern } from '../../../engine/matcher/regex/pattern.ts';
import type { Candidates, Rows } from '../../../engine/matcher/rows.ts';

/** Entries 1 and 3 of a column, which belong to rows 4 and 9. */
const TWO: Candidates = { count: 2, rows: Uint32Array.of(4, 9), entries: Uint32Array.of(1, 3) };
const ALL = (count: number): Candidates => ({ count, rows: null, entries: null });
const listed = (rows: Rows, count: number): number[] => (rows === null ? Array.from({ length: count }, (_, i) => i) : [...rows]);
const atLeast = (value: number) => numberTest({ kind: 'number', relation: '>=', value });
const TEXT = 'ab·b·abab·';
const PLACES = [Uint32Array.of(0, 3, 5, 7), Uint32Array.of(2, 4, 7, 9)] as const;

describe('a column', () => {
  it.each([
    { where: 'in a string', values: textValues(TEXT, ...PLACES) },
    { where: 'in memory', values: textValues(new LatinText(Buffer.from(TEXT, 'latin1')), ...PLACES) },
  ])('of texts $where', ({ values }) => {
    const tests = [
      textTest({ kind: 'text', relation: '==', value: 'ab' }),
      textTest({ kind: 'pattern', negated: false, pattern: compilePattern('b') }),
      textTest({ kind: 'pattern', negated: true, pattern: compilePattern('^b') }),
      textTest({ kind: 'pattern', negated: false, pattern: compilePattern('^aB?b$') }),
      textTest({ kind: 'pattern', negated: false, pattern: compilePattern('(?i)AB$') }),
      textTest({ kind: 'pattern', negated: false, pattern: compilePattern('日') }),
    ];
    expect(tests.map((test) => listed(selectText(values, test, ALL(4)), 4))).toEqual([
      [0, 2, 3],
      [0, 1, 2, 3],
      [0, 2, 3],
      [0, 2, 3],
      [0, 2, 3],
      [],
    ]);
    expect(tests.map((test) => listed(selectText(values, test, TWO), 2))).toEqual([[9], [4, 9], [9], [9], [9], []]);
  });

  it('of bytes', () => {
    const bytes = { bytes: Uint8Array.of(0x61, 0xff, 0x61), starts: Uint32Array.of(0, 1, 2, 0), ends: Uint32Array.of(1, 2, 3, 3) };
    const test = textTest({ kind: 'text', relation: '>', value: 'a' });
    expect(listed(selectBytes(bytes, test, ALL(4)), 4)).toEqual([1, 3]);
    expect(selectBytes(bytes, test, TWO)).toBe(TWO.rows);
  });

  it('of doubles, integers and booleans', () => {
    expect(listed(selectDoubles(Float64Array.of(1, 2, NaN, 0), atLeast(1), ALL(4)), 4)).toEqual([0, 1]);
    expect(listed(selectDoubles(Float64Array.of(1, 2, NaN, 0), atLeast(1), TWO), 2)).toEqual([4]);
    expect(listed(selectInts(Int32Array.of(-1, 1, 2, -3), atLeast(1), TWO), 2)).toEqual([4]);
    expect(listed(selectBooleans(Uint8Array.of(1, 0, 1, 1), true, ALL(4)), 4)).toEqual([0, 2, 3]);
    expect(listed(selectBooleans(Uint8Array.of(1, 0, 1, 1), false, TWO), 2)).toEqual([4]);
  });

  it('of long integers, as doubles', () => {
    const long = fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.constantFrom(-1n, 0n, 2n ** 53n + 1n, -(2n ** 32n), 2n ** 31n),
    );
    fc.assert(
      fc.property(fc.array(long, { maxLength: 8 }), long, (longs, wanted) => {
        const test = numberTest({ kind: 'number', relation: '<=', value: Number(wanted) });
        const found = listed(selectLongs(BigInt64Array.from(longs), test, ALL(longs.length)), longs.length);
        expect(found).toEqual(longs.flatMap((value, row) => (passes(test, Number(value)) ? [row] : [])));
      }),
      { numRuns: 500 },
    );
  });
});
