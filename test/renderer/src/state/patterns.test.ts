import { expect, test } from 'vitest';
import type { Overview } from '../../../../engine/api/types.ts';
import { tellingVariable } from '../../../../renderer/src/state/patterns.svelte.ts';

test('records without texts of their own have the patterns of what they are about', () => {
  const field = (name: string, records: number, type = 'string'): object => ({
    name,
    isHeader: false,
    records,
    types: [{ type, count: 1 }],
  });
  const of = (...fields: object[]): Overview => ({ fields, records: 10 }) as unknown as Overview;
  expect(tellingVariable(of(field('http_user_agent', 10), field('request', 9)))).toBe('Fields[request]');
  expect(tellingVariable(of(field('request', 1), field('uri', 10, 'number')))).toBeNull();
});
