import { expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { ValueType, type Message } from '../../../../engine/message/types.ts';
import { FieldTable } from '../../../../engine/store/difference/field-table.ts';

it('visits the fields by name and type, and the headers that are compared', () => {
  const messageOf = (value: string | number): Message => ({
    uuid: new Uint8Array(16),
    timestamp: 1n,
    type: 't',
    logger: 'l',
    severity: 3,
    fields: [
      typeof value === 'string'
        ? { name: 'x', valueType: ValueType.STRING, values: [value] }
        : { name: 'x', valueType: ValueType.DOUBLE, values: [value] },
      { name: 'host', valueType: ValueType.STRING, values: ['a'] },
    ],
  });
  const table = new FieldTable(['host']);
  const visited: [string, boolean, number][] = [];
  table.each(batchOf([messageOf('a'), messageOf(1), messageOf(2)]), ({ numbers }, { name }, count) =>
    visited.push([name, numbers !== null, count]),
  );
  expect(visited.sort()).toEqual([
    ['Severity', false, 3],
    ['Type', false, 3],
    ['x', false, 1],
    ['x', true, 2],
  ]);
});
