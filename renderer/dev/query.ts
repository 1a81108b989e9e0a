import type { AllRequests } from '../../engine/api/types.ts';

const status = { name: 'Fields[status]', type: 'number' } as const;

/** Answers of the Query view on generated data: each query has the same result. */
export const queryAnswers: {
  readonly [N in keyof AllRequests & (`query.${string}` | 'lookup.list')]: (input: AllRequests[N]['in']) => AllRequests[N]['out'];
} = {
  'lookup.list': ({ name }) => ({ names: ['blocked', 'geo'], columns: name === 'geo' ? ['country', 'city'] : [] }),
  'query.tables': () => [
    {
      name: 'access',
      sources: [1],
      rows: 120_000,
      columns: [
        { name: 'Timestamp', type: 'TIMESTAMP_NS', variable: { name: 'Timestamp', type: 'number' } },
        { name: 'status', type: 'BIGINT', variable: status },
      ],
    },
  ],
  'query.run': () => ({
    kind: 'rows',
    columns: [
      { name: 'status', type: 'BIGINT' },
      { name: 'records', type: 'BIGINT' },
    ],
    rows: [
      [200, 91_000],
      [404, 20_000],
      [500, 9000],
    ],
    more: false,
    ms: 42,
    records: { sources: [1], keys: [{ kind: 'value', variable: status }, null], where: null, whole: true },
  }),
  'query.cancel': () => null,
  'query.export': () => ({ id: 1 }),
  'query.saved': () => [{ name: 'Statuses', sql: 'SELECT status, count(*) FROM access GROUP BY 1' }],
  'query.save': () => null,
  'query.forget': () => null,
};
