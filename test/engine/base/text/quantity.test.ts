import { expect, it } from 'vitest';
import { measureOf, quantityOf } from '../../../../engine/base/text/quantity.ts';

it.each([
  ['3ms', 'time', 0.003],
  ['2h5m', 'time', 7500],
  ['1h30m2.5s', 'time', 5402.5],
  ['250µs', 'time', 0.00025],
  ['17 ms', 'time', 0.017],
  ['-5s', 'time', -5],
  ['1d', 'time', 86_400],
  ['1.5kB', 'size', 1500],
  ['2 MiB', 'size', 2_097_152],
  ['0B', 'size', 0],
  ['5', null, null],
  ['', null, null],
  ['ms', null, null],
  ['3mss', null, null],
  ['3 ms later', null, null],
  ['5 m', null, null],
  ['1,5kB', null, null],
  ['1.5kB2B', null, null],
  ['7b', null, null],
  [`${'1'.repeat(70)}s`, null, null],
])('%j is of %j: %j', (text, measure, value) => {
  expect([measureOf(text), quantityOf(text)]).toEqual([measure, value]);
});
