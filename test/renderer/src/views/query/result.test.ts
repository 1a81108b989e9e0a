import { describe, expect, it, test } from 'vitest';
import type { QueryCell } from '../../../../../engine/api/types.ts';
import { chartDataOf } from '../../../../../renderer/src/views/query/chart-data.ts';
import { cellText, copyText, sortedRows, widthsOf } from '../../../../../renderer/src/views/query/result.ts';
import { rowsOf } from './fixtures.ts';

describe('a result', () => {
  test.each<[QueryCell, string, string]>([
    [null, 'VARCHAR', 'NULL'],
    ['', 'VARCHAR', ''],
    ['a\nb\u001b[2J\u202e', 'VARCHAR', 'a\\nb\\u001b[2J\\u202e'],
    ['2026-11-20 10:00:00.120000000', 'TIMESTAMP_NS', '2026-11-20 10:00:00.12'],
    ['2026-11-20 10:00:00.000000000', 'TIMESTAMP_NS', '2026-11-20 10:00:00'],
    ['2026-11-20', 'DATE', '2026-11-20'],
    [0.1 + 0.2, 'DOUBLE', '0.3'],
    [200, 'DOUBLE', '200'],
    ['9007199254740993', 'BIGINT', '9007199254740993'],
    [true, 'BOOLEAN', 'true'],
  ])('shows %j of %s as %s', (cell, type, text) => expect(cellText(cell, { name: 'x', type })).toBe(text));

  it('is sorted by numbers and texts, NULL last', () => {
    const result = rowsOf({ n: 'BIGINT', t: 'VARCHAR' }, [
      [10, 'b'],
      [null, null],
      [9, 'a'],
      ['90071992547409930', 'B'],
    ]);
    expect([...sortedRows(result, null)]).toEqual([0, 1, 2, 3]);
    expect([...sortedRows(result, { column: 0, descending: false })]).toEqual([2, 0, 3, 1]);
    expect([...sortedRows(result, { column: 0, descending: true })]).toEqual([3, 0, 2, 1]);
    expect([...sortedRows(result, { column: 1, descending: false })]).toEqual([3, 2, 0, 1]);
  });

  it('is sorted by all digits of integers, and by doubles as SQL orders them', () => {
    const integers = ['9007199254740993', '9007199254740992', 7, '-9223372036854775808', '-9223372036854775807'];
    const result = rowsOf(
      { n: 'BIGINT' },
      integers.map((value) => [value]),
    );
    expect([...sortedRows(result, { column: 0, descending: false })]).toEqual([3, 4, 2, 1, 0]);
    const doubles = rowsOf(
      { d: 'DOUBLE' },
      ['NaN', 1, 'Infinity', '-Infinity', null, '-0'].map((value) => [value]),
    );
    expect([...sortedRows(doubles, { column: 0, descending: false })]).toEqual([3, 5, 1, 2, 0, 4]);
    const lists = rowsOf({ l: 'BIGINT[]' }, [['[2]'], ['[10]']]);
    expect([...sortedRows(lists, { column: 0, descending: false })]).toEqual([1, 0]);
  });

  it('has columns as wide as their values, within bounds, and is copied with tabs', () => {
    const result = rowsOf({ n: 'BIGINT', long: 'VARCHAR' }, [
      [1, 'x'.repeat(200)],
      [null, 'a\tb'],
    ]);
    expect(widthsOf(result)).toEqual([4, 60]);
    expect(copyText(result, result.rows.slice(1))).toBe('n\tlong\n\ta b');
  });

  it('is drawn as bars by names, as lines by times, and not without numbers', () => {
    const bars = rowsOf({ status: 'VARCHAR', n: 'BIGINT' }, [
      ['200', 3],
      ['404', null],
    ]);
    const all = Uint32Array.of(0, 1);
    expect(chartDataOf(bars, all, null)).toEqual({
      kind: 'bar',
      labels: ['200', '404'],
      series: [{ name: 'n', values: [3, null] }],
      inTime: false,
      left: 0,
    });
    const lines = rowsOf({ hour: 'TIMESTAMP', n: 'DECIMAL(4,1)' }, [
      ['2026-11-20 11:00:00', '1.5'],
      ['2026-11-20 10:00:00', '2.0'],
    ]);
    expect(chartDataOf(lines, all, null)).toEqual({
      kind: 'line',
      labels: ['2026-11-20 10:00', '2026-11-20 11:00'],
      series: [{ name: 'n', values: [2, 1.5] }],
      inTime: true,
      left: 0,
    });
    expect(chartDataOf(rowsOf({ a: 'VARCHAR', b: 'VARCHAR' }, [['x', 'y']]), Uint32Array.of(0), null)).toBeNull();
    expect(chartDataOf(rowsOf({ a: 'VARCHAR', b: 'BIGINT' }, []), new Uint32Array(), null)).toBeNull();
    const many = rowsOf(
      { a: 'VARCHAR', b: 'BIGINT' },
      Array.from({ length: 100 }, (_, i) => [`${i}`, i]),
    );
    expect(
      chartDataOf(
        many,
        Uint32Array.from({ length: 100 }, (_, i) => i),
        'bar',
      )?.left,
    ).toBe(40);
  });
});
