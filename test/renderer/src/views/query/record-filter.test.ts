import { describe, expect, it } from 'vitest';
import type { QueryCell, QueryTable, RecordsBehind } from '../../../../../engine/api/types.ts';
import { compileMatcher } from '../../../../../engine/matcher/matcher.ts';
import { toQuery } from '../../../../../renderer/src/lib/filter/filter.ts';
import { filterOf, timeOf } from '../../../../../renderer/src/views/query/record-filter.ts';

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
