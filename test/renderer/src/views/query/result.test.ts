import { describe, expect, it, test } from 'vitest';
import type { QueryCell, QueryRows, QueryTable, RecordsBehind } from '../../../../../engine/api/types.ts';
import { compileMatcher } from '../../../../../engine/matcher/matcher.ts';
import { toQuery } from '../../../../../renderer/src/lib/filter/filter.ts';
import { chartDataOf, type ChartKind } from '../../../../../renderer/src/views/query/chart-data.ts';
import { examplesFor } from '../../../../../renderer/src/views/query/examples.ts';
import { identifier } from '../../../../../renderer/src/views/query/names.ts';
import { filterOf, timeOf } from '../../../../../renderer/src/views/query/record-filter.ts';
import { cellText, copyText, sortedRows, widthsOf } from '../../../../../renderer/src/views/query/result.ts';

const rowsOf = (types: Readonly<Record<string, string>>, rows: readonly (readonly QueryCell[])[]): Pick<QueryRows, 'columns' | 'rows'> => ({
  columns: Object.entries(types).map(([name, type]) => ({ name, type })),
  rows,
});

describe('a result', () => {
  test.each<[QueryCell, string, string]>([
    [null, 'VARCHAR', 'NULL'],
    ['', 'VARCHAR', ''],
    ['a\nb\u001b[2J\u202e', 'VARCHAR', 'a\\nb\\u001b[2J\\u202e'],
    ['2026-11-20 10:00:00.120000000', 'TIMESTAMP_NS', '2026-11-20 10:00:00.12'],
    ['2026-11-20 10:00:00.000000000', 'TIMESTAMP_NS', '2026-11-20 10:00:00'],
    ['2026-11-20', 'DATE', '2026-11-20'],
    [0.1 + 0.2, 'DOUBLE', '0.3'],
    [200, 'DOUBLE', '200'],
    ['9007199254740993', 'BIGINT', '9007199254740993'],
    [true, 'BOOLEAN', 'true'],
  ])('shows %j of %s as %s', (cell, type, text) => expect(cellText(cell, { name: 'x', type })).toBe(text));

  it('is sorted by numbers and texts, NULL last', () => {
    const result = rowsOf({ n: 'BIGINT', t: 'VARCHAR' }, [
      [10, 'b'],
      [null, null],
      [9, 'a'],
      ['90071992547409930', 'B'],
    ]);
    expect([...sortedRows(result, null)]).toEqual([0, 1, 2, 3]);
    expect([...sortedRows(result, { column: 0, descending: false })]).toEqual([2, 0, 3, 1]);
    expect([...sortedRows(result, { column: 0, descending: true })]).toEqual([3, 0, 2, 1]);
    expect([...sortedRows(result, { column: 1, descending: false })]).toEqual([3, 2, 0, 1]);
  });

  it('is sorted by all digits of integers, and by doubles as SQL orders them', () => {
    const integers = ['9007199254740993', '9007199254740992', 7, '-9223372036854775808', '-9223372036854775807'];
    const result = rowsOf(
      { n: 'BIGINT' },
      integers.map((value) => [value]),
    );
    expect([...sortedRows(result, { column: 0, descending: false })]).toEqual([3, 4, 2, 1, 0]);
    const doubles = rowsOf(
      { d: 'DOUBLE' },
      ['NaN', 1, 'Infinity', '-Infinity', null, '-0'].map((value) => [value]),
    );
    expect([...sortedRows(doubles, { column: 0, descending: false })]).toEqual([3, 5, 1, 2, 0, 4]);
    const lists = rowsOf({ l: 'BIGINT[]' }, [['[2]'], ['[10]']]);
    expect([...sortedRows(lists, { column: 0, descending: false })]).toEqual([1, 0]);
  });

  it('has columns as wide as their values, within bounds, and is copied with tabs', () => {
    const result = rowsOf({ n: 'BIGINT', long: 'VARCHAR' }, [
      [1, 'x'.repeat(200)],
      [null, 'a\tb'],
    ]);
    expect(widthsOf(result)).toEqual([4, 60]);
    expect(copyText(result, result.rows.slice(1))).toBe('n\tlong\n\ta b');
  });

  it('is drawn as bars by names, as lines by times, and not without numbers', () => {
    const bars = rowsOf({ status: 'VARCHAR', n: 'BIGINT' }, [
      ['200', 3],
      ['404', null],
    ]);
    const all = Uint32Array.of(0, 1);
    expect(chartDataOf(bars, all, null)).toEqual({
      kind: 'bar',
      labels: ['200', '404'],
      series: [{ name: 'n', values: [3, null] }],
      inTime: false,
      left: 0,
    });
    const lines = rowsOf({ hour: 'TIMESTAMP', n: 'DECIMAL(4,1)' }, [
      ['2026-11-20 11:00:00', '1.5'],
      ['2026-11-20 10:00:00', '2.0'],
    ]);
    expect(chartDataOf(lines, all, null)).toEqual({
      kind: 'line',
      labels: ['2026-11-20 10:00', '2026-11-20 11:00'],
      series: [{ name: 'n', values: [2, 1.5] }],
      inTime: true,
      left: 0,
    });
    expect(chartDataOf(rowsOf({ a: 'VARCHAR', b: 'VARCHAR' }, [['x', 'y']]), Uint32Array.of(0), null)).toBeNull();
    expect(chartDataOf(rowsOf({ a: 'VARCHAR', b: 'BIGINT' }, []), new Uint32Array(), null)).toBeNull();
    const many = rowsOf(
      { a: 'VARCHAR', b: 'BIGINT' },
      Array.from({ length: 100 }, (_, i) => [`${i}`, i]),
    );
    expect(
      chartDataOf(
        many,
        Uint32Array.from({ length: 100 }, (_, i) => i),
        'bar',
      )?.left,
    ).toBe(40);
  });
});

describe('a chart over time', () => {
  const drawn = (type: string, times: readonly string[], kind: ChartKind | null = null): unknown => {
    const rows = rowsOf(
      { time: type, n: 'BIGINT' },
      times.map((time, i) => [time, i + 1]),
    );
    const data = chartDataOf(
      rows,
      Uint32Array.from(times, (_, i) => i),
      kind,
    );
    return data?.labels.map((label, i) => [label, data.series[0]?.values[i]]);
  };

  it.each([
    [
      'hours',
      'TIMESTAMP',
      ['2026-11-20 10:00:00', '2026-11-20 11:00:00', '2026-11-20 13:00:00'],
      [
        ['2026-11-20 10:00', 1],
        ['2026-11-20 11:00', 2],
        ['2026-11-20 12:00', null],
        ['2026-11-20 13:00', 3],
      ],
    ],
    [
      'days',
      'DATE',
      ['2026-02-27', '2026-02-28', '2026-03-02'],
      [
        ['2026-02-27', 1],
        ['2026-02-28', 2],
        ['2026-03-01', null],
        ['2026-03-02', 3],
      ],
    ],
    [
      'months, which have no step',
      'DATE',
      ['2026-01-01', '2026-02-01', '2026-04-01'],
      [
        ['2026-01-01', 1],
        ['2026-02-01', 2],
        ['2026-04-01', 3],
      ],
    ],
    [
      'times far apart',
      'TIMESTAMP',
      ['2026-01-01 00:00:00', '2026-01-01 00:00:01', '2026-06-01 00:00:00'],
      [
        ['2026-01-01 00:00:00', 1],
        ['2026-01-01 00:00:01', 2],
        ['2026-06-01 00:00:00', 3],
      ],
    ],
  ])('has a gap where %s are missing', (_what, type, times, points) => expect(drawn(type, times)).toEqual(points));

  it('fills no more bars than it draws', () => {
    const times = ['2026-01-01 00:00:00', '2026-01-01 01:00:00', '2026-01-09 00:00:00'];
    expect((drawn('TIMESTAMP', times, 'bar') as unknown[]).length).toBe(3);
    expect((drawn('TIMESTAMP', times, 'line') as unknown[]).length).toBe(193);
  });
});

describe('the filter for the records behind a row', () => {
  const status = { name: 'Fields[status]', type: 'number' } as const;
  const user = { name: 'Fields[user]', type: 'string' } as const;
  const behind = (part: Partial<RecordsBehind>): RecordsBehind => ({ sources: [1], keys: [], where: null, whole: true, ...part });
  const queryOf = (records: RecordsBehind, row: readonly QueryCell[], tables: readonly QueryTable[] = []): object => {
    const { filter, whole } = filterOf(records, row, tables);
    const { filters = [], ...rest } = toQuery(filter);
    const matcher = filters[0]?.matcher;
    if (matcher !== undefined) compileMatcher(matcher);
    return { ...rest, ...(matcher !== undefined && { matcher }), whole };
  };

  it('has the values of the columns', () => {
    const keys = [{ kind: 'value', variable: status }, null, { kind: 'value', variable: user }] as const;
    expect(queryOf(behind({ keys }), [404, 7, "o'x"])).toEqual({
      sources: [1],
      matcher: `Fields[status] == 404 && Fields[user] == "o'x"`,
      whole: true,
    });
    expect(queryOf(behind({ keys }), [null, 7, null])).toMatchObject({
      matcher: 'Fields[status] == NIL && Fields[user] == NIL',
      whole: true,
    });
    const host = { name: 'Hostname', type: 'string' } as const;
    expect(queryOf(behind({ keys: [{ kind: 'value', variable: host }] }), [null])).toMatchObject({
      matcher: "Hostname == ''",
      whole: true,
    });
    const severity = { name: 'Severity', type: 'number' } as const;
    expect(queryOf(behind({ keys: [{ kind: 'value', variable: severity }] }), [null])).toEqual({ sources: [1], whole: false });
    expect(queryOf(behind({ keys }), [-1, 7, 'x'])).toMatchObject({ matcher: "Fields[user] == 'x'", whole: false });
  });

  it('has no records without a header that a condition asks for', () => {
    const host = { name: 'Hostname', type: 'string' } as const;
    const matcherOf = (where: RecordsBehind['where']): object => queryOf(behind({ where }), []);
    expect(matcherOf({ op: '!=', variable: host, value: 'a' })).toMatchObject({
      matcher: "(Hostname != 'a' && Hostname != '')",
      whole: true,
    });
    expect(matcherOf({ op: '>', variable: host, value: 'a' })).toMatchObject({ matcher: "Hostname > 'a'" });
    expect(matcherOf({ op: 'there', variable: host })).toMatchObject({ matcher: "Hostname != ''", whole: true });
    expect(matcherOf({ op: 'missing', variable: host })).toMatchObject({ matcher: "Hostname == ''", whole: true });
    expect(matcherOf({ op: 'there', variable: { name: 'Pid', type: 'number' } })).toEqual({ sources: [1], whole: false });
    expect(matcherOf({ op: '!=', variable: user, value: 'a' })).toMatchObject({ matcher: "Fields[user] != 'a'" });
  });

  it('has the span of a time', () => {
    const hour = Date.UTC(2026, 10, 20, 10);
    const keys = [{ kind: 'time', unit: 'hour' }] as const;
    expect(queryOf(behind({ keys }), ['2026-11-20 10:00:00'])).toEqual({ sources: [1], from: hour, to: hour + 3_600_000, whole: true });
    expect(queryOf(behind({ keys: [{ kind: 'time', unit: 'month' }] }), ['2026-11-01'])).toMatchObject({
      from: Date.UTC(2026, 10, 1),
      to: Date.UTC(2026, 11, 1),
    });
    expect(queryOf(behind({ keys: [{ kind: 'time', unit: null }] }), ['2026-11-20 10:00:00.001999999'])).toMatchObject({
      from: hour + 1,
      to: hour + 2,
    });
    expect(queryOf(behind({ keys: [{ kind: 'time', unit: 'fortnight' }] }), ['2026-11-01'])).toMatchObject({ whole: false });
  });

  it('has what WHERE asks, and the table', () => {
    const where = {
      op: 'or',
      terms: [
        { op: '>=', variable: status, value: 500 },
        {
          op: 'and',
          terms: [
            { op: '!=', variable: user, value: 'root' },
            { op: 'there', variable: user },
          ],
        },
      ],
    } as const;
    expect(queryOf(behind({ keys: [{ kind: 'table' }], where }), ['b'], [{ name: 'b', sources: [7], rows: 0, columns: [] }])).toEqual({
      sources: [7],
      matcher: "(Fields[status] >= 500 || (Fields[user] != 'root' && Fields[user] != NIL))",
      whole: true,
    });
  });

  it('reads times as DuckDB writes them', () => {
    expect(timeOf('2026-11-20 10:00:00.5')).toBe(Date.UTC(2026, 10, 20, 10, 0, 0, 500));
    expect(timeOf('infinity')).toBeNull();
  });
});

describe('examples', () => {
  const column = (name: string, type = 'VARCHAR'): QueryTable['columns'][number] => ({ name, type, variable: null });
  it('are made of the columns that there are', () => {
    const tables = [
      {
        name: 'access-1',
        sources: [1],
        rows: 5,
        columns: [column('Timestamp', 'TIMESTAMP_NS'), column('remote_addr'), column('status', 'BIGINT')],
      },
      { name: 'messages', sources: [1], rows: 5, columns: [] },
    ];
    const found = examplesFor(tables);
    expect(found.map(({ title }) => title)).toEqual([
      'Count by status',
      'Records per hour',
      'Top ten of remote_addr',
      'Failures per hour',
      'The last records',
    ]);
    expect(found[0]?.sql).toBe('SELECT status, count(*) AS records\nFROM "access-1"\nGROUP BY 1\nORDER BY 2 DESC');
    expect(examplesFor([])).toEqual([]);
  });

  test.each([
    ['status', 'status'],
    ['user-agent', '"user-agent"'],
    ['table', '"table"'],
    ['a"b', '"a""b"'],
    ['größe', '"größe"'],
  ])('name %s as %s', (name, text) => expect(identifier(name)).toBe(text));
});
