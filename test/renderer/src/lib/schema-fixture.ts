import type { SchemaField, SchemaLogger } from '../../../../engine/api/types.ts';

export function field(name: string, type: SchemaField['type'], count: number, samples: string[] = []): SchemaField {
  return { name, type, representation: null, count, optional: false, samples };
}

/** Two loggers; a field of both has two types. */
export const SCHEMA: readonly SchemaLogger[] = [
  {
    name: 'edge',
    count: 10,
    types: [
      {
        name: 'web',
        count: 10,
        versions: [{ name: '', count: 10, fields: [field('status', 'number', 10, ['200', '-1']), field('tls', 'bool', 9)] }],
      },
    ],
  },
  {
    name: '',
    count: 3,
    types: [{ name: '', count: 3, versions: [{ name: '2', count: 3, fields: [field('status', 'string', 3, ["it's"])] }] }],
  },
];
