import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isWithin } from '../../../../engine/base/text/json-bounds.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const EASY = { depth: 1000, values: 1_000_000 };

it.each([
  ['[[[]]]', 3, true],
  ['[[[]]]', 2, false],
  ['{"a":{"b":[]}}', 3, true],
  ['{"a":{"b":[]}}', 2, false],
  ['[[],[],[]]', 2, true],
  [String.raw`["[[[[", "\"[[[", "\\", "[[", "\\\"{{{"]`, 1, true],
  [String.raw`["\\", [[]]]`, 2, false],
  ['"[[[[', 0, true],
])('%s has values within values: at most %i are allowed', (text, depth, isAllowed) => {
  expect(isWithin(bytes(text), { ...EASY, depth })).toBe(isAllowed);
});

it('counts lists, objects and what is in them', () => {
  expect(isWithin(bytes('[1,2,{"a":3}]'), { ...EASY, values: 4 })).toBe(true);
  expect(isWithin(bytes('[1,2,{"a":3}]'), { ...EASY, values: 3 })).toBe(false);
});

it('counts as a reader does', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = bytes(JSON.stringify(value));
      const depth = depthOf(value);
      expect(isWithin(json, { ...EASY, depth })).toBe(true);
      if (depth > 0) expect(isWithin(json, { ...EASY, depth: depth - 1 })).toBe(false);
    }),
  );
});
