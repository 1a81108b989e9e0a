import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatNumber, formatSignificant } from '../../../plugins/base/number_format.ts';
import { formatNumberList, parseNumberList } from '../../../plugins/base/number_list.ts';

describe('numbers in payloads', () => {
  test.each([
    [0, '0'],
    [-0, '0'],
    [1.5, '1.5'],
    [123456.789, '123456.789'],
    [4e-9, '0'],
    [5e-9, '0.00000001'],
    [-1e-9, '-0'],
    [1 / 3, '0.33333333'],
    [2 / 3, '0.66666667'],
    [0.999999999, '1'],
    [-1.999999999, '-2'],
    [-0.25, '-0.25'],
    [100.125, '100.125'],
    [2147483647, '2147483647'],
    [2147483647.5, '2147483647.5'],
    [2147483648.25, '2147483648.25'],
    [195203069419678.625, '195203069419678.62'],
    [-195203069419678.875, '-195203069419678.88'],
    [2109081617890474.25, '2109081617890474.2'],
    [1e15, '1000000000000000'],
    [1392050801000000000, '1.392050801e+18'],
    [-1e300, '-1.0000000000000001e+300'],
    [NaN, 'nan'],
    [Infinity, 'inf'],
    [-Infinity, '-inf'],
  ])('%s is %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });

  test('are within half a unit of the eighth decimal', () => {
    fc.assert(
      fc.property(fc.double({ min: -2e9, max: 2e9, noNaN: true }), (value) => Math.abs(Number(formatNumber(value)) - value) <= 5.1e-9),
    );
  });
});

test.each([
  [2, 6, '2'],
  [0.0803571428, 6, '0.0803571'],
  [0.00001, 6, '1e-05'],
  [1234567, 6, '1.23457e+06'],
  [100000, 6, '100000'],
  [0.5, 6, '0.5'],
  [1234565, 6, '1.23456e+06'],
  [1234575, 6, '1.23458e+06'],
  [1234565000, 6, '1.23456e+09'],
  [1234565001, 6, '1.23457e+09'],
  [999999.5, 6, '1e+06'],
  [-0.0000152587890625, 11, '-1.5258789062e-05'],
  [2.5, 1, '2'],
])('%s with %i significant digits is %s', (value, digits, text) => {
  expect(formatSignificant(value, digits)).toBe(text);
});

describe('lists of numbers', () => {
  test('come back bit by bit', () => {
    fc.assert(
      fc.property(fc.array(fc.double()), (values) => {
        expect(parseNumberList(formatNumberList(values))).toEqual(values.map((value) => value + 0));
      }),
    );
  });

  test('hold nothing else', () => {
    expect(() => parseNumberList('1 x')).toThrow('x is not a number');
    expect(parseNumberList(' nan\n inf -inf  7 ')).toEqual([NaN, Infinity, -Infinity, 7]);
  });
});
