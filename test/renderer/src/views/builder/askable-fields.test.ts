import { expect, test } from 'vitest';
import type { SchemaField, SchemaLogger } from '../../../../../engine/api/types.ts';
import { askableFields, fieldAbout } from '../../../../../renderer/src/views/builder/askable-fields.ts';

const field = (name: string, count: number, part: Partial<SchemaField> = {}): SchemaField => ({
  ...{ name, count, type: 'string', representation: null, optional: false, samples: [] },
  ...part,
});
const logger = (name: string, count: number, ...fields: SchemaField[]): SchemaLogger => ({
  ...{ name, count },
  types: [{ name: '', count, versions: [{ name: '', count, fields }] }],
});

test('fields are told with their type, unit and the part of the records that have them, of all kinds of records', () => {
  const schema = [
    logger('web', 300, field('status', 300, { type: 'number' }), field('took', 150, { type: 'number', representation: 'ms' })),
    logger('app', 100, field('status', 100), field('trace', 1)),
  ];
  const fields = askableFields(schema, ['Hostname'], false);
  expect(fields.map((one) => [one.name, fieldAbout(one)])).toEqual([
    ['status', 'number · 100 %'],
    ['took', 'number, ms · 37 %'],
    ['trace', 'string · < 1 %'],
    ['Type', 'string'],
    ['Hostname', 'string'],
  ]);
});
