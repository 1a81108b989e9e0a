import { describe, expect, it } from 'vitest';
import type { Graph, GraphColumn } from '../../../../../engine/api/types.ts';
import { readable } from '../../../../../renderer/src/components/charts/readable.ts';

const column = (name: string, unit: string, values: number[], aggregation: GraphColumn['aggregation'] = 'none'): GraphColumn => ({
  name,
  unit,
  aggregation,
  values: Float64Array.from(values),
});

const graph = (...columns: GraphColumn[]): Graph => ({
  key: 'k',
  source: 1,
  plugin: 'p',
  title: 't',
  time: 0,
  rowMs: 2000,
  annotations: [],
  columns,
});

const shown = (...columns: GraphColumn[]): unknown[] =>
  readable(graph(...columns)).columns.map(({ name, unit, values }) => [name, unit, [...values]]);

describe('a readable graph', () => {
  it('names classes of statuses as the histogram does', () => {
    expect(shown(column('HTTP_200', 'count', [1]), column('HTTP_UNKNOWN', 'count', [2]))).toEqual([
      ['2xx', 'count', [1]],
      ['Other', 'count', [2]],
    ]);
  });

  it('keeps names and units that objects inherit', () => {
    expect(shown(column('constructor', 'toString', [1]))).toEqual([['constructor', 'toString', [1]]]);
  });

  it('has the names of fields in its title', () => {
    expect(readable({ ...graph(), title: 'Rate by Fields[programname]' }).title).toBe('Rate by programname');
    expect(readable({ ...graph(), title: 'MyFields[2] of Hostname' }).title).toBe('MyFields[2] of Hostname');
  });

  it('has rates a second', () => {
    expect(shown(column('WritesCompleted', 'per_2_s', [18, NaN]))).toEqual([['Writes', '/s', [9, NaN]]]);
  });

  it('has the share of the time by which the times of a disk grow, not their totals, and a gap where they begin anew', () => {
    const times = [column('TimeDoingIO', 'ms', [1000, 1500, 2500, 10], 'max'), column('WeightedTimeDoi', 'ms', [0, 1, NaN, 3], 'max')];
    expect(shown(...times)).toEqual([
      ['Busy', '%', [NaN, 25, 50, NaN]],
      ['Weighted IO', '%', [NaN, 0.05, NaN, NaN]],
    ]);
  });

  it('knows the unit of the columns of /proc/meminfo', () => {
    expect(shown(column('MemFree', 'Count', [2], 'max'))).toEqual([['MemFree', 'B', [2048]]]);
  });

  it('leaves all else as it is, and makes nothing twice', () => {
    const plain = graph(column('latency', 'ms', [5]));
    expect(readable(plain).columns).toEqual(plain.columns);
    expect(readable(plain)).toBe(readable(plain));
  });
});
