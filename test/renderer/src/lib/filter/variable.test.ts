import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../../../../renderer/src/lib/sources/schema-facts.ts';
import { spokenName, variableType } from '../../../../../renderer/src/lib/filter/variable.ts';
import { SCHEMA } from '../schema-fixture.ts';

describe('a variable', () => {
  it.each([
    ['Fields[status]', '200', 'number', 'status'],
    ['Fields[nothing]', '200', 'string', 'nothing'],
    ['Severity', '3', 'number', 'Severity'],
    ['Hostname', 'a', 'string', 'Hostname'],
  ] as const)('%s = %s is a %s', (variable, value, type, name) => {
    expect(variableType(variable, value, fieldsOf(SCHEMA))).toBe(type);
    expect(spokenName(variable)).toBe(name);
  });
});
