import { describe, expect, it } from 'vitest';
import { chartDataOf, type ChartKind } from '../../../../../renderer/src/views/query/chart-data.ts';
import { rowsOf } from './fixtures.ts';

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

describe('the chart of groups by two columns', () => {
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
