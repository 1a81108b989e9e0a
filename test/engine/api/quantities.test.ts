import { expect, it } from 'vitest';
import { quantityText } from '../../../engine/api/quantities.ts';

it.each([
  ['30', 's', '30 s'],
  ['0.0125', 's', '12.5 ms'],
  ['0', 'ms', '0 ms'],
  ['5120', 'B', '5.1 kB'],
  ['12345', 'rpm', '12.3k rpm'],
  ['12345', '', '12345'],
  ['0.123456', '', '0.1235'],
  ['12.3456789', '', '12.346'],
  ['n/a', 'ms', 'n/a'],
  ['', 'ms', ''],
  ['1', 'toString', '1 toString'],
])('writes %j in %j as %j', (value, unit, text) => {
  expect(quantityText(value, unit)).toBe(text);
});
