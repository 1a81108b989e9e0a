import { expect, test } from 'vitest';
import { RecordUnits, stands } from '../../../plugins/lib/record_units.ts';

const text = 'one twø three';
const latin = Buffer.from(text, 'latin1');

test.each([
  ['bytes', latin],
  ['a text', null],
])('a record of %s is the same units', (_, units) => {
  const record = new RecordUnits();
  for (const [start, end] of [
    [4, 7],
    [0, 13],
    [8, 8],
  ] as const) {
    record.take({ text, start, end, units });
    expect(String.fromCharCode(...record.units.subarray(record.start, record.end))).toBe(text.slice(start, end));
    expect([record.start + record.shift, record.end + record.shift]).toEqual([start, end]);
  }
});

test('a text of any length is taken', () => {
  const record = new RecordUnits();
  const long = '日'.repeat(5000);
  record.takeText(long);
  expect([record.start, record.end, record.shift, record.units[4999]]).toEqual([0, 5000, 0, long.charCodeAt(0)]);
});

test('a text stands where all of it does', () => {
  expect([stands('tw', latin, 4), stands('two', latin, 4), stands('', latin, 99), stands('three!', latin, 8)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});
