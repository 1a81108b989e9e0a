import { seriesName } from '../../../../engine/api/series.ts';
import type { Graph, GraphColumn } from '../../../../engine/api/types.ts';
import { ownEntry } from '../../lib/own-entry.ts';

/**
 * A graph in the words and units that people use: rates a second, percent, bytes, classes of statuses. Filters name columns with 15 characters
 * and units with 7, and some leave units out.
 */
export function readable(graph: Graph): Graph {
  let made = MADE.get(graph);
  if (made === undefined) MADE.set(graph, (made = translated(graph)));
  return made;
}

/** The readable form of each graph: one that has not changed stays the same object, and is not drawn again. */
const MADE = new WeakMap<Graph, Graph>();

function translated(graph: Graph): Graph {
  const columns = isTimes(graph) ? graph.columns.map((column) => shareOfTime(column, graph.rowMs)) : graph.columns.map(inUnits);
  const title = graph.title.replaceAll(/\bFields\[([^\]]+)\]/g, '$1');
  return {
    ...graph,
    title,
    columns: columns.map((column) => ({ ...column, name: ownEntry(NAMES, column.name) ?? seriesName(column.name) })),
  };
}

/** Names that filters cut or run together. */
const NAMES: Readonly<Record<string, string>> = {
  WeightedTimeDoi: 'Weighted IO',
  TimeDoingIO: 'Busy',
  TimeReading: 'Reading',
  TimeWriting: 'Writing',
  WritesCompleted: 'Writes',
  ReadsCompleted: 'Reads',
  SectorsWritten: 'Sectors written',
  SectorsRead: 'Sectors read',
  WritesMerged: 'Writes merged',
  ReadsMerged: 'Reads merged',
  '1MinAvg': '1 min',
  '5MinAvg': '5 min',
  '15MinAvg': '15 min',
  NumProcesses: 'Processes',
};

/** Columns of /proc/meminfo, in KiB, which their filter says nothing of (proc(5)). */
const MEMORY = new Set(['MemFree', 'Cached', 'Active', 'Inactive', 'VmallocUsed', 'Shmem', 'SwapCached']);

function inUnits(column: GraphColumn): GraphColumn {
  const each = /^per_(\d+)_s$/.exec(column.unit);
  if (each !== null) return { ...column, unit: '/s', values: column.values.map((value) => value / Number(each[1])) };
  if (MEMORY.has(column.name) && column.unit.toLowerCase() === 'count')
    return { ...column, unit: 'B', values: column.values.map((value) => value * 1024) };
  return column;
}

/** Whether the columns are the times of a disk, which count from its start on: milliseconds that only grow. */
function isTimes({ columns }: Graph): boolean {
  return (
    columns.some(({ name }) => name === 'TimeDoingIO') && columns.every(({ unit, aggregation }) => unit === 'ms' && aggregation === 'max')
  );
}

/** The share of each row's time by which a counter of milliseconds grew; above 100 % where several requests waited. A gap where it began anew. */
function shareOfTime(column: GraphColumn, rowMs: number): GraphColumn {
  const values = column.values.map((value, row) => {
    const grown = value - (column.values[row - 1] ?? NaN);
    return grown < 0 ? NaN : (100 * grown) / rowMs;
  });
  return { ...column, unit: '%', values };
}
