import type { QueryTable } from '../../../../engine/api/types.ts';
import { identifier } from '../../lib/query/names.ts';

/** A query that answers what is often asked. */
export interface Example {
  readonly title: string;
  readonly sql: string;
}

/** Fields that have few values, and those of which the commonest are asked for: best ones first. */
const KINDS = [
  'status',
  'level',
  'severity',
  'severity_name',
  'priority',
  'method',
  'event',
  'action',
  'result',
  'state',
  'Severity',
  'unit',
  'Type',
];
const SOURCES = [
  ...[
    'remote_addr',
    'client_ip',
    'client',
    'clientip',
    'ip',
    'src_ip',
    'user',
    'remote_user',
    'programname',
    'program',
    'app_name',
    'service',
  ],
  ...['uri', 'url', 'path', 'request', 'Hostname', 'host', 'Logger'],
];
const MEASURES = [
  'request_time',
  'duration',
  'took',
  'elapsed',
  'latency',
  'response_time',
  'body_bytes_sent',
  'bytes_sent',
  'bytes',
  'size',
  'length',
];
const NUMBERS = /^(?:BIGINT|DOUBLE|INTEGER)$/;

/** Queries for the table with the most records, made of the columns that it has. */
export function examplesFor(tables: readonly QueryTable[]): Example[] {
  const own = tables.filter(({ name }) => name !== 'messages');
  const table = own.reduce<QueryTable | null>((most, one) => (most === null || one.rows > most.rows ? one : most), null);
  if (table === null) return [];
  const from = identifier(table.name);
  const find = (names: readonly string[], fits: (type: string) => boolean = () => true): string | null =>
    names.find((name) => table.columns.some((column) => column.name === name && fits(column.type))) ?? null;
  const kind = find(KINDS) ?? 'Type';
  const source =
    find(SOURCES, (type) => type === 'VARCHAR') ??
    table.columns.find(({ type, name }) => type === 'VARCHAR' && name !== kind)?.name ??
    null;
  const measure = find(MEASURES, (type) => NUMBERS.test(type));
  const status = find(['status'], (type) => NUMBERS.test(type));
  const examples: (Example | null)[] = [
    counted(kind, from),
    { title: 'Records per hour', sql: `${hours('count(*) AS records')}\nFROM ${from}\nGROUP BY 1\nORDER BY 1` },
    source === null ? null : topTen(source, from),
    status === null
      ? null
      : {
          title: 'Failures per hour',
          sql: `${hours('count(*) FILTER (WHERE status >= 500) AS failures,\n  count(*) AS records')}\nFROM ${from}\nGROUP BY 1\nORDER BY 1`,
        },
    measure === null
      ? null
      : {
          title: `Largest ${measure}`,
          sql: `SELECT *\nFROM ${from}\nWHERE ${identifier(measure)} IS NOT NULL\nORDER BY ${identifier(measure)} DESC\nLIMIT 100`,
        },
    own.length > 1
      ? { title: 'Records by table', sql: 'SELECT "table", count(*) AS records\nFROM messages\nGROUP BY 1\nORDER BY 2 DESC' }
      : null,
    { title: 'The last records', sql: `SELECT *\nFROM ${from}\nORDER BY Timestamp DESC\nLIMIT 100` },
  ];
  return examples.filter((example) => example !== null);
}

const hours = (columns: string): string => `SELECT date_trunc('hour', Timestamp) AS hour,\n  ${columns}`;

const counted = (column: string, from: string): Example => ({
  title: `Count by ${column}`,
  sql: `SELECT ${identifier(column)}, count(*) AS records\nFROM ${from}\nGROUP BY 1\nORDER BY 2 DESC`,
});

const topTen = (column: string, from: string): Example => ({
  title: `Top ten of ${column}`,
  sql: `SELECT ${identifier(column)}, count(*) AS records\nFROM ${from}\nGROUP BY 1\nORDER BY 2 DESC\nLIMIT 10`,
});
