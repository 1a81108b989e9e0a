import type { FieldFacts, Graph, ItemTable, Operation, Operations, Overview, SchemaLogger, SourceInfo } from '../../engine/api/types.ts';
import { AGENTS, PROGRAMS, START, mix } from './records.ts';

export function sourcesOf(records: number, rate: number, now: number): SourceInfo[] {
  const history = Array.from({ length: 30 }, (_unused, index) => Math.abs(Math.sin(now / 4000 + index / 3)) * 1200);
  const base = { failures: 0, timeOffset: 0, dropped: 0, problem: null, columns: [], tabular: false, lengths: {}, headers: [] };
  return [
    {
      ...base,
      id: 1,
      kind: 'file',
      label: 'access.log',
      location: '/var/log/nginx/access.log',
      state: 'following',
      decoder: { name: 'nginx_access', config: { log_format: '$remote_addr - $status' }, by: 'detected', confidence: 0.97 },
      columns: ['status', 'request', 'remote_addr', 'body_bytes_sent'],
      records: Math.floor(records * 0.8),
      failures: 812,
      bytes: 198_000_000,
      totalBytes: 198_000_000,
      rate,
      history,
    },
    {
      ...base,
      id: 2,
      kind: 'udp',
      label: 'udp:5514',
      location: 'udp://0.0.0.0:5514',
      state: 'listening',
      decoder: { name: 'syslog', config: {}, by: 'configuration', confidence: 1 },
      columns: ['programname'],
      records: Math.floor(records * 0.2),
      bytes: 0,
      totalBytes: 0,
      rate: 38,
      history: history.map((value) => 1300 - value),
    },
    {
      ...base,
      id: 3,
      kind: 'file',
      label: 'archive-2025-10-with-a-long-name.log',
      location: '/srv/archive/archive-2025-10-with-a-long-name.log',
      state: 'reading',
      decoder: null,
      records: 120_400,
      bytes: Math.floor(now * 9_000) % 2_000_000_000,
      totalBytes: 2_000_000_000,
      rate: 91_000,
      history: history.map((value) => value + 400),
    },
    {
      ...base,
      id: 4,
      kind: 'file',
      label: 'secure.log',
      location: '/var/log/secure.log',
      state: 'failed',
      decoder: null,
      records: 0,
      bytes: 0,
      totalBytes: 0,
      rate: 0,
      history: [],
      problem: 'secure.log cannot be read: permission denied. Start Sluicebox as a user who may read it.',
    },
  ];
}

export function graphs(): Graph[] {
  const rows = 480;
  const column = (name: string, salt: number, level: number): Graph['columns'][number] => ({
    name,
    unit: 'count',
    aggregation: 'sum',
    values: Float64Array.from({ length: rows }, (_unused, row) =>
      row > 210 && row < 226
        ? NaN
        : Math.round(
            level * (1 + Math.sin(row / 30)) * 0.5 +
              (mix(row, salt) % Math.max(1, level / 4)) +
              (row > 298 && row < 316 && salt === 24 ? 300 : 0),
          ),
    ),
  });
  const load = (name: string, salt: number): Graph['columns'][number] => ({
    name,
    unit: 's',
    aggregation: 'max',
    values: Float64Array.from({ length: rows }, (_unused, row) => 0.05 + (mix(row, salt) % 100) / 400 + (row > 298 && row < 316 ? 1.4 : 0)),
  });
  return [
    {
      key: 'HttpStatus/HTTP Status',
      source: 1,
      plugin: 'HttpStatus',
      title: 'HTTP Status',
      time: START,
      rowMs: 60_000,
      columns: [
        column('HTTP_100', 20, 0),
        column('HTTP_200', 21, 1600),
        column('HTTP_300', 22, 180),
        column('HTTP_400', 23, 120),
        column('HTTP_500', 24, 12),
        column('HTTP_UNKNOWN', 25, 0),
      ],
      annotations: [{ time: START + 300 * 60_000, column: 5, short: 'A', text: 'HTTP_500 rose to 40 times its usual rate' }],
    },
    {
      key: 'Latency/Latency',
      source: 1,
      plugin: 'Latency',
      title: 'Request time',
      time: START,
      rowMs: 60_000,
      columns: [load('p50', 30), load('p99', 31)],
      annotations: [],
    },
  ];
}

export function itemTables(): ItemTable[] {
  const table = (variable: string, items: readonly string[]): ItemTable => {
    const weights = items.map((_item, index) => Math.round(400_000 / (index + 1) ** 1.2));
    const sum = weights.reduce((a, b) => a + b, 0);
    return {
      key: `Frequent/${variable}`,
      source: 1,
      plugin: 'FrequentItems',
      variable,
      part: '',
      items: items.map((item, index) => ({ item, weight: weights[index] ?? 0, share: (weights[index] ?? 0) / sum })),
    };
  };
  return [
    table(
      'Fields[remote_addr]',
      Array.from({ length: 40 }, (_unused, index) => `203.0.113.${index}`),
    ),
    table('Fields[status]', ['200', '404', '304', '503', '301', '500']),
  ];
}

export function schema(total: number): SchemaLogger[] {
  const field = (name: string, type: 'string' | 'number', samples: string[], representation: string | null = null, optional = false) => ({
    name,
    type,
    representation,
    count: Math.round(total * 0.8 * (optional ? 0.4 : 1)),
    optional,
    samples,
  });
  return [
    {
      name: 'access.log',
      count: Math.round(total * 0.8),
      types: [
        {
          name: 'nginx.access',
          count: Math.round(total * 0.8),
          versions: [
            {
              name: '',
              count: Math.round(total * 0.8),
              fields: [
                field('remote_addr', 'string', ['203.0.113.7', '203.0.113.12'], 'ipv4'),
                field('request', 'string', ['GET / HTTP/1.1']),
                field('status', 'number', ['200', '404', '503']),
                field('body_bytes_sent', 'number', ['512', '18233'], 'B'),
                field('request_time', 'number', ['0.012', '1.3'], 's', true),
                { ...field('http_user_agent', 'string', AGENTS), type: 'mismatch' as const },
              ],
            },
          ],
        },
      ],
    },
    {
      name: 'udp:5514',
      count: Math.round(total * 0.2),
      types: [
        {
          name: 'syslog',
          count: Math.round(total * 0.2),
          versions: [
            {
              name: '1',
              count: Math.round(total * 0.2),
              fields: [field('programname', 'string', PROGRAMS), field('syslogfacility', 'number', ['4', '10'])],
            },
          ],
        },
      ],
    },
  ];
}

/** An overview of so many records with the fields of their schema. */
export function overviewOf(total: number): Overview {
  const loggers = schema(total);
  const fields = loggers.flatMap(({ types }) => types.flatMap(({ versions }) => versions.flatMap((version) => version.fields)));
  const counts = Array.from({ length: 48 }, (_unused, part) => Math.round((total / 48) * (1 + Math.sin(part / 4))));
  const factsOf = ({ name, type, representation, count, samples }: (typeof fields)[number]): FieldFacts => ({
    name,
    isHeader: false,
    types: [{ type: type === 'mismatch' ? 'string' : type, count }],
    representation,
    records: Math.min(count, total),
    distinct: samples.length,
    isDistinctExact: true,
    values: samples.map((value, at) => ({ value, count: Math.floor(count / 2 ** (at + 1)), missed: 0, counts })),
    numbers: null,
    counts,
  });
  const byName = new Map(fields.map((field) => [field.name, factsOf(field)]));
  return { fields: [...byName.values()], others: 0, loggers, counts, from: 0, to: 1, records: total, total, complete: true };
}

/** Answer to `view.operations`. */
export const operations: Operations = {
  operations: [
    { ...{ value: 'req-1', cut: false, count: 12, errors: 1 }, ...partsOf(0, 700, [8, 0, 4], [2]) },
    { ...{ value: 'req-2', cut: false, count: 3, errors: 0 }, ...partsOf(300, 1000, [1, 1, 1], []) },
  ],
  matching: 2,
  distinct: 2,
  others: 0,
  missing: 4,
  from: 0,
  to: 1000,
  records: 19,
  total: 19,
  complete: true,
};

function partsOf(
  first: number,
  last: number,
  counts: readonly number[],
  errors: readonly number[],
): Pick<Operation, 'first' | 'last' | 'parts'> {
  const partMs = 256;
  return { first, last, parts: { from: first - (first % partMs), partMs, counts, errors } };
}
