import type { RecordStore } from '../../store/record-store.ts';
import { partOf, partRange } from '../../store/segment.ts';

/** Records around others. */
export interface Around {
  /** Their numbers, ascending. */
  readonly ids: readonly number[];
  /** Records that had no room. */
  readonly left: number;
}

/** Neighbouring records of one source: their first number, and the records of the source before them. */
interface Run {
  readonly id: number;
  readonly before: number;
  readonly length: number;
}

interface Source {
  readonly runs: Run[];
  total: number;
  /** Places of marked records among those of the source, ascending. */
  readonly marked: number[];
}

/** The marked records and so many of the same source before and after each. Where they are more than `most`, fewer around each. */
export function recordsAround(store: RecordStore, marked: readonly number[], around: number, most: number): Around {
  const sources = sourcesOf(store, marked);
  const countWith = (distance: number): number =>
    sources.reduce((sum, source) => sum + windowsOf(source, distance).reduce((a, [from, to]) => a + to - from, 0), 0);
  const all = countWith(around);
  let [low, high] = [0, around];
  if (all <= most) low = around;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countWith(middle) <= most) low = middle;
    else high = middle - 1;
  }
  const ids = sources.flatMap((source) => windowsOf(source, low).flatMap((window) => idsOf(source, window)));
  const kept = ids.sort((a, b) => a - b).slice(0, most);
  return { ids: kept, left: all - kept.length };
}

function sourcesOf(store: RecordStore, marked: readonly number[]): Source[] {
  const found = new Map<number, Source>();
  for (const id of marked) {
    const place = store.find(id);
    if (place !== undefined) found.set(partOf(place.segment, place.row).source, { runs: [], total: 0, marked: [] });
  }
  for (const segment of store.segments) {
    for (const [i, part] of segment.parts.entries()) {
      const source = found.get(part.source);
      if (source === undefined || part.removed) continue;
      const [from, to] = partRange(segment, i);
      source.runs.push({ id: segment.firstId + from, before: source.total, length: to - from });
      source.total += to - from;
    }
  }
  for (const source of found.values()) {
    for (const { id, before, length } of source.runs)
      for (const one of marked) if (one >= id && one < id + length) source.marked.push(before + one - id);
  }
  return [...found.values()];
}

/** Places [from, to) of the records of a source that are wanted, without overlaps. */
function windowsOf({ marked, total }: Source, around: number): (readonly [from: number, to: number])[] {
  const windows: [number, number][] = [];
  for (const at of marked) {
    const [from, to] = [Math.max(0, at - around), Math.min(total, at + around + 1)];
    const last = windows.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else windows.push([from, to]);
  }
  return windows;
}

function idsOf({ runs }: Source, [from, to]: readonly [number, number]): number[] {
  return runs.flatMap(({ id, before, length }) => {
    const [first, end] = [Math.max(from, before), Math.min(to, before + length)];
    return Array.from({ length: Math.max(0, end - first) }, (_, i) => id + first - before + i);
  });
}
