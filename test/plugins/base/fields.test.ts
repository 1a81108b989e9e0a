import { expect, test } from 'vitest';
import { plainNumber, words } from '../../../plugins/base/fields.ts';
import { formatFixed } from '../../../plugins/base/number_format.ts';
import { plainMessage } from '../support/message.ts';
import { startPlugin } from '../support/sandbox.ts';

test.each([
  [0, '0'],
  [-0, '0'],
  [1614949679123456, '1614949679123456'],
  [1e20, '100000000000000000000'],
  [1e21, '1e+21'],
  [0.1 + 0.2, '0.3'],
  [-1.5, '-1.5'],
  [1 / 3, '0.33333333333333'],
  [1e-7, '1e-07'],
  [NaN, 'nan'],
  [-Infinity, '-inf'],
])('%d in plain form', (value, text) => {
  expect(plainNumber(value)).toBe(text);
});

test.each<[value: number, digits: number, text: string]>([
  [1, 6, '1.000000'],
  [0.5, 0, '0'],
  [1.5, 0, '2'],
  [2.5, 0, '2'],
  [0.125, 2, '0.12'],
  [0.375, 2, '0.38'],
  [-3.14159265, 6, '-3.141593'],
  [-1e-9, 6, '-0.000000'],
  [-0, 1, '-0.0'],
  [1.005, 2, '1.00'],
  [1e21, 2, '1000000000000000000000.00'],
  [-1e22, 0, '-10000000000000000000000'],
  [NaN, 2, 'nan'],
  [Infinity, 2, 'inf'],
])('%d with %i decimals', (value, digits, text) => {
  expect(formatFixed(value, digits)).toBe(text);
});

test('words of a parameter', () => {
  expect([words(null), words(''), words(' a  b\tc\n')]).toEqual([[], [], ['a', 'b', 'c']]);
});

test('many fields of few names', () => {
  const Fields = Array.from({ length: 40 }, (_, i) => ({ name: i % 2 === 0 ? 'a' : `b${i % 5}`, value: i }));
  const line = startPlugin('encoders/json_lines.ts', { skip_fields: 'Timestamp' }).process(plainMessage({ Timestamp: 0, Fields }));
  const seen = new Map<string, number>();
  const expected = Fields.map(({ name, value }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return [count === 1 ? name : `${name}${count}`, value];
  });
  expect(JSON.parse(line.injected[0]?.Payload ?? '')).toEqual(Object.fromEntries(expected));
});
