import type { Graph } from '../../../../engine/api/types.ts';
import { dataRange, type TimeRange } from './graph-data.ts';

/** The time that a graph has data of. */
export interface GraphTime {
  readonly key: string;
  readonly range: TimeRange;
}

/** The times of graphs; those without data have none. */
export function timesOf(graphs: readonly Graph[]): GraphTime[] {
  return graphs.flatMap((graph) => {
    const range = dataRange(graph);
    return range === null ? [] : [{ key: graph.key, range }];
  });
}

/** Graphs share an axis when the time that they have in common is at least this part of all their time. */
const SHARED = 0.25;

/** The choices for what the graphs show, in milliseconds up to the end of their data. */
export const LAST = [
  { ms: 900_000, label: '15 min' },
  { ms: 3_600_000, label: '1 h' },
  { ms: 86_400_000, label: '24 h' },
] as const;

/** The part of the graphs' time that the user wants to see. */
export interface TimeWish {
  /** The range that was zoomed to; null: none. */
  readonly zoom: TimeRange | null;
  /** Milliseconds up to the end of the data; null: all. */
  readonly last: number | null;
}

/**
 * The range that each graph shows, by key. Graphs of about the same time share a range. So a live graph is not pressed into a
 * corner beside an old log, and a range that was zoomed to leaves the graphs of another time alone.
 */
export function shownRanges(own: readonly GraphTime[], { zoom, last }: TimeWish): ReadonlyMap<string, TimeRange> {
  const groups = [...grouped(own.map(({ range }) => range))].sort((a, b) => a.to - a.from - (b.to - b.from));
  return new Map(
    own.map(({ key, range }) => {
      const all = groups.find((group) => group.from <= range.from && group.to >= range.to) ?? range;
      if (zoom !== null && zoom.from < all.to && zoom.to > all.from) return [key, zoom];
      return [key, last === null ? all : { from: Math.max(all.from, all.to - last), to: all.to }];
    }),
  );
}

/** Puts ranges together that share enough of their time, the longest first. */
function grouped(ranges: readonly TimeRange[]): readonly TimeRange[] {
  const groups: TimeRange[] = [];
  for (const range of [...ranges].sort((a, b) => b.to - b.from - (a.to - a.from))) {
    const at = groups.findIndex((group) => sharedPart(group, range) >= SHARED);
    if (at === -1) groups.push(range);
    else groups[at] = union(groups[at] as TimeRange, range);
  }
  return groups;
}

function sharedPart(a: TimeRange, b: TimeRange): number {
  const common = Math.min(a.to, b.to) - Math.max(a.from, b.from);
  const all = union(a, b);
  return all.to === all.from ? 1 : common / (all.to - all.from);
}

function union(a: TimeRange, b: TimeRange): TimeRange {
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) };
}
