import { describe, expect, it } from 'vitest';
import type { FieldFacts, Operation, Operations, SchemaField, SchemaLogger } from '../../../../engine/api/types.ts';
import {
  areSingle,
  durationText,
  errorsIn,
  operationCondition,
  operationKeys,
  placeIn,
  shadesOf,
  singleVariables,
} from '../../../../renderer/src/lib/operations.ts';

function schemaOf(...fields: readonly (readonly [name: string, count?: number, type?: SchemaField['type']])[]): SchemaLogger[] {
  const made = fields.map(([name, count = 1, type = 'string']): SchemaField => ({
    name,
    type,
    representation: null,
    count,
    optional: false,
    samples: [],
  }));
  return [{ name: 'a', count: 1, types: [{ name: 't', count: 1, versions: [{ name: '', count: 1, fields: made }] }] }];
}

describe('the keys of operations', () => {
  it('begin with what identifies a request', () => {
    const schema = schemaOf(
      ['status', 9],
      ['user_id', 9],
      ['thread', 9],
      ['requestId', 2],
      ['trace.id', 1],
      ['request', 9],
      ['message', 9],
    );
    const headers = ['Hostname', 'Logger', 'Pid'];
    expect(operationKeys(schema, headers).map(({ name, likely }) => `${name}${likely ? '!' : ''}`)).toEqual([
      'trace.id!',
      'requestId!',
      'thread!',
      'user_id!',
      'Pid!',
      'message',
      'request',
      'status',
      'Hostname',
      'Logger',
    ]);
  });

  it('leave out what no expression can name', () =>
    expect(operationKeys(schemaOf(['a]b'], ['b']), []).map(({ name }) => name)).toEqual(['b', 'Hostname', 'Logger', 'Pid']));

  it('have headers last that no record has, and a process before fields that say little', () => {
    const names = (headers: string[]): string[] => operationKeys(schemaOf(['status']), headers).map(({ name }) => name);
    expect(names([])).toEqual(['status', 'Hostname', 'Logger', 'Pid']);
    expect(names(['Hostname', 'Pid'])).toEqual(['Pid', 'status', 'Hostname', 'Logger']);
  });
});

describe('the condition of an operation', () => {
  const schema = schemaOf(['id'], ['n', 1, 'number'], ['m', 1, 'mismatch']);
  it.each([
    ['Fields[id]', 'id', "it's", false, `Fields[id] == "it's"`],
    ['Fields[id]', 'id', '', false, "Fields[id] == ''"],
    ['Fields[n]', 'n', '42', false, 'Fields[n] == 42'],
    ['Fields[n]', 'n', '-1', false, null],
    ['Fields[m]', 'm', '42', false, 'Fields[m] == 42'],
    ['Fields[m]', 'm', 'x', false, "Fields[m] == 'x'"],
    ['Pid', 'Pid', '17', false, 'Pid == 17'],
    ['Hostname', 'Hostname', 'box', false, "Hostname == 'box'"],
    ['Fields[id]', 'id', 'a/b', true, 'Fields[id] =~ /^a\\/b/'],
  ])('%s with %j', (variable, name, value, cut, condition) =>
    expect(operationCondition(schema, { variable, name }, { value, cut })).toBe(condition),
  );
});

describe('the place of an operation', () => {
  it.each([
    [{ first: 10, last: 20 }, 0, 40, { start: 0.25, length: 0.25 }],
    [{ first: 5, last: 5 }, 5, 5, { start: 0, length: 0 }],
  ])('%j', (operation, from, to, place) => expect(placeIn(operation, from, to)).toEqual(place));
});

describe('the parts of a bar', () => {
  const of = (first: number, last: number, from: number, counts: number[], errors: number[]): Operation => ({
    ...{ value: 'a', cut: false, count: 1, errors: errors.length, first, last },
    parts: { from, partMs: 10, counts, errors },
  });
  it.each([
    [of(12, 52, 10, [4, 4, 0, 1, 2], [0, 1, 4]), [0, 0.45, 4, 0.45, 0.7, 0, 0.7, 0.95, 1, 0.95, 1, 2], [0, 0.45, 0.95, 1]],
    [of(10, 30, 10, [1, 0, 1], [2]), [0, 0.5, 4, 0.5, 1, 0, 1, 1, 4], [1, 1]],
    [of(7, 7, 7, [3], [0]), [0, 1, 4], [0, 1]],
  ])('%j', (operation, shades, errors) => {
    expect(shadesOf(operation).flatMap(({ start, end, shade }) => [start, end, shade])).toEqual(shades);
    expect(errorsIn(operation).flatMap(({ start, end }) => [start, end])).toEqual(errors);
  });
});

describe('fields of which each record has a value of its own', () => {
  const facts = (name: string, records: number, distinct: number, more: Partial<FieldFacts> = {}): FieldFacts =>
    ({ name, isHeader: false, records, distinct, isDistinctExact: true, ...more }) as FieldFacts;

  it('are known from the overview', () =>
    expect(
      singleVariables([
        facts('id', 9, 9),
        facts('user', 9, 3),
        facts('one', 1, 1),
        facts('many', 9, 9, { isDistinctExact: false }),
        facts('Pid', 9, 9, { isHeader: true }),
        facts('a]b', 9, 9),
      ]),
    ).toEqual(['Fields[id]', 'Pid']));

  it.each([
    [{ distinct: 5, records: 9, missing: 4, others: 0, complete: true }, true],
    [{ distinct: 5, records: 9, missing: 1, others: 3, complete: true }, true],
    [{ distinct: 5, records: 9, missing: 3, others: 0, complete: true }, false],
    [{ distinct: 5, records: 9, missing: 4, others: 0, complete: false }, false],
    [{ distinct: 1, records: 1, missing: 0, others: 0, complete: true }, false],
  ])('are known from the operations: %j', (found, single) => expect(areSingle(found as Operations)).toBe(single));
});

describe('the duration of an operation', () => {
  it.each([
    [0, '0 s'],
    [250, '250 ms'],
    [4900, '4.9 s'],
    [90_000, '1 min 30 s'],
    [2.99 * 86_400_000, '2 d 23 h'],
  ])('%d ms', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});
