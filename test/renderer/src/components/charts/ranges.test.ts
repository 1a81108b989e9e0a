import { describe, expect, it } from 'vitest';
import type { Graph } from '../../../../../engine/api/types.ts';
import { shownRanges, timesOf } from '../../../../../renderer/src/components/charts/ranges.ts';

/** A graph with data from a minute to another one. */
const graph = (key: string, from: number, to: number): Graph => ({
  key,
  source: 1,
  plugin: 'p',
  title: key,
  time: from * 60_000,
  rowMs: 60_000,
  annotations: [],
  columns: [{ name: 'a', unit: 'count', aggregation: 'sum', values: new Float64Array(to - from).fill(1) }],
});
const ALL = { zoom: null, last: null };
const range = (from: number, to: number): { from: number; to: number } => ({ from: from * 60_000, to: to * 60_000 });

describe('the ranges of graphs', () => {
  it('are the same for graphs of about one time', () => {
    expect(shownRanges(timesOf([graph('a', 0, 100), graph('b', 50, 160)]), ALL)).toEqual(
      new Map([
        ['a', range(0, 160)],
        ['b', range(0, 160)],
      ]),
    );
  });

  it('leave a live graph its own time beside an old log, and beside one that ends now', () => {
    const graphs = [graph('old', 0, 100), graph('live', 5000, 5010), graph('long', 1000, 5010)];
    expect(shownRanges(timesOf(graphs), ALL)).toEqual(
      new Map([
        ['old', range(0, 100)],
        ['live', range(5000, 5010)],
        ['long', range(1000, 5010)],
      ]),
    );
  });

  it('end with the data of each when the last minutes are wanted', () => {
    expect(shownRanges(timesOf([graph('old', 0, 100), graph('live', 5000, 5010)]), { zoom: null, last: 15 * 60_000 })).toEqual(
      new Map([
        ['old', range(85, 100)],
        ['live', range(5000, 5010)],
      ]),
    );
  });

  it('leave graphs of another time alone when one zooms', () => {
    expect(shownRanges(timesOf([graph('old', 0, 100), graph('live', 5000, 5010)]), { zoom: range(10, 20), last: null })).toEqual(
      new Map([
        ['old', range(10, 20)],
        ['live', range(5000, 5010)],
      ]),
    );
  });

  it('are none for a graph without data', () => {
    expect(shownRanges(timesOf([graph('empty', 5, 5)]), ALL).size).toBe(0);
  });
});
