import { describe, expect, it } from 'vitest';
import type { QueryColumn, QueryTable } from '../../../../../engine/api/types.ts';
import { chartDataOf } from '../../../../../renderer/src/views/query/chart-data.ts';
import { groupSql, keysOf, numbersOf, tableFor, type GroupKey } from '../../../../../renderer/src/views/query/grouping.ts';

const column = (name: string, type: string): QueryColumn => ({
  name,
  type,
  variable: type.startsWith('TIMESTAMP') ? null : { name: `Fields[${name}]`, type: type === 'VARCHAR' ? 'string' : 'number' },
});
const ACCESS: QueryTable = {
  name: 'access',
  sources: [1],
  rows: 10,
  columns: [column('Timestamp', 'TIMESTAMP_NS'), column('status', 'DOUBLE'), column('order', 'VARCHAR'), column('bytes', 'BIGINT')],
};
const SYSLOG: QueryTable = { name: 'syslog', sources: [2], rows: 1000, columns: [column('program', 'VARCHAR')] };
const ALL: QueryTable = { name: 'messages', sources: [1, 2], rows: 1010, columns: [...ACCESS.columns, ...SYSLOG.columns] };

const key = (label: string): GroupKey => {
  const found = keysOf(ACCESS).find((one) => one.label === label);
  if (found === undefined) throw new Error(`no key ${label}`);
  return found;
};

describe('a grouping', () => {
  it('is by columns, and by times cut to a unit', () => {
    expect(keysOf(ACCESS).map(({ label }) => label)).toEqual([
      'Timestamp by day',
      'Timestamp by hour',
      'Timestamp by minute',
      'status',
      'order',
      'bytes',
    ]);
    expect(numbersOf(ACCESS)).toEqual(['status', 'bytes']);
  });

  it('counts, the most first', () => {
    expect(groupSql('access', [key('status'), key('order')], 'records', null)).toBe(
      'SELECT status,\n  "order",\n  count(*) AS records\nFROM access\nGROUP BY 1, 2\nORDER BY 3 DESC',
    );
  });

  it('shows the chosen number first, and all others of the column behind it', () => {
    expect(
      groupSql('access', [key('Timestamp by hour'), key('status')], 'p95', 'bytes')
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual([
      "SELECT date_trunc('hour', Timestamp) AS hour,",
      'status,',
      'quantile_cont(bytes, 0.95) AS p95,',
      'count(*) AS records,',
      'sum(bytes) AS sum,',
      'avg(bytes) AS average,',
      'quantile_cont(bytes, 0.5) AS p50,',
      'quantile_cont(bytes, 0.99) AS p99',
      'FROM access',
      'GROUP BY 1, 2',
      'ORDER BY 1, 2',
    ]);
  });

  it('takes the table that has the variable, of the sources that are shown', () => {
    const tables = [ALL, ACCESS, SYSLOG];
    expect(tableFor(tables, 'Fields[status]', [])?.name).toBe('access');
    expect(tableFor(tables, null, [])?.name).toBe('syslog');
    expect(tableFor(tables, null, [1])?.name).toBe('access');
    expect(tableFor(tables, 'Fields[nothing]', [])?.name).toBe('syslog');
    expect(tableFor([], null, [])).toBeNull();
  });
});

describe('the chart of a grouping', () => {
  const columns = ['status', 'method', 'records', 'sum'].map((name, i) => ({ name, type: i === 1 ? 'VARCHAR' : 'BIGINT' }));
  const chart = (rows: readonly (readonly (string | number | null)[])[]): ReturnType<typeof chartDataOf> =>
    chartDataOf(
      { columns, rows },
      Uint32Array.from(rows, (_row, i) => i),
      null,
    );

  it('has the values of the first column below and those of the second as series, the largest first', () => {
    expect(
      chart([
        [200, 'GET', 5, 1],
        [200, 'POST', 9, 1],
        [404, 'GET', 1, 1],
      ]),
    ).toEqual({
      kind: 'bar',
      labels: ['200', '404'],
      series: [
        { name: 'POST', values: [9, null] },
        { name: 'GET', values: [5, 1] },
      ],
      inTime: false,
      left: 0,
    });
  });

  it('is that of any result where pairs repeat, or nothing does', () => {
    expect(
      chart([
        [200, 'GET', 5, 1],
        [200, 'GET', 9, 1],
      ])?.series.map(({ name }) => name),
    ).toEqual(['records', 'sum']);
    expect(
      chart([
        [200, 'GET', 5, 1],
        [404, 'GET', 9, 1],
      ])?.series.map(({ name }) => name),
    ).toEqual(['records', 'sum']);
  });

  it('draws as many series as can be told apart', () => {
    const rows = Array.from({ length: 20 }, (_unused, i) => [i % 2, `method ${i >> 1}`, i, 1]);
    const made = chart(rows);
    expect(made?.series).toHaveLength(7);
    expect(made?.left).toBe(6);
  });
});
