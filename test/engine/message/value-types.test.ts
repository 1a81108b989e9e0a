import { expect, it } from 'vitest';
import { ValueType } from '../../../engine/message/types.ts';
import { typeFacts, VALUE_TYPES } from '../../../engine/message/value-types.ts';

it('has a row for each type, at the place of its number, with names and ranks of its own', () => {
  expect(Object.values(ValueType).map((type) => typeFacts(type).type)).toEqual(Object.values(ValueType));
  for (const key of ['name', 'suffix', 'sql', 'rank'] as const)
    expect(new Set(VALUE_TYPES.map((facts) => facts[key])).size).toBe(VALUE_TYPES.length);
});
