/** Payloads of filters in a form that can be compared where order or precision do not count. */
import { closeTo } from './conformance.ts';

interface Header {
  columns: number;
  column_info: { name: string; unit: string; aggregation: string }[];
}

interface GraphText {
  preamble: unknown;
  header: Header;
  rows: string[][];
}

/** A graph's text taken apart: the line in front of it, if any, its header, its rows. */
export function parseGraph(text: string): GraphText {
  const lines = text.split('\n').slice(0, -1);
  const first = JSON.parse(lines[0] ?? '{}') as Record<string, unknown>;
  const preamble = 'annotations' in first || 'options' in first ? first : null;
  const rest = preamble === null ? lines : lines.slice(1);
  return {
    preamble: normalPreamble(preamble),
    header: JSON.parse(rest[0] ?? '{}') as Header,
    rows: rest.slice(1).map((row) => row.split('\t')),
  };
}

/** The reference prints an empty list of annotations as an object. */
function normalPreamble(preamble: Record<string, unknown> | null): unknown {
  const empty = preamble !== null && JSON.stringify(preamble['annotations']) === '{}';
  return empty ? { annotations: [] } : preamble;
}

/** Where two graphs differ first; null when they are the same to nine digits. */
export function graphDifference(actual: string, expected: string): string | null {
  const [ours, theirs] = [parseGraph(actual), parseGraph(expected)];
  for (const part of ['preamble', 'header'] as const) {
    if (!sameJson(ours[part], theirs[part])) return `${part}: ${JSON.stringify(ours[part])} instead of ${JSON.stringify(theirs[part])}`;
  }
  if (ours.rows.length !== theirs.rows.length) return `${ours.rows.length} rows instead of ${theirs.rows.length}`;
  const row = theirs.rows.findIndex((cells, i) => !sameCells(ours.rows[i] ?? [], cells));
  return row < 0 ? null : `row ${row}: ${ours.rows[row]?.join(' ')} instead of ${theirs.rows[row]?.join(' ')}`;
}

/**
 * Where two delta outputs differ, their rows in any order. Repeated changes of a minimum or maximum add up in the reference, which is no use to
 * whoever merges them; there only the presence of a value is compared.
 */
export function deltaDifference(actual: string, expected: string): string | null {
  const sum = parseGraph(expected).header.column_info.map(({ aggregation }) => aggregation !== 'min' && aggregation !== 'max');
  const comparable = (text: string): string => {
    const [header = '', ...rows] = text.trimEnd().split('\n');
    const cells = rows.map((row) => row.split('\t').map((cell, i) => (i === 0 || sum[i - 1] || cell === 'nan' ? cell : 'changed')));
    return [header, ...cells.toSorted(([a], [b]) => Number(a) - Number(b)).map((row) => row.join('\t')), ''].join('\n');
  };
  return graphDifference(comparable(actual), comparable(expected));
}

function sameCells(actual: readonly string[], expected: readonly string[]): boolean {
  return actual.length === expected.length && expected.every((cell, i) => cell === actual[i] || closeTo(Number(actual[i]), Number(cell)));
}

function sameJson(actual: unknown, expected: unknown): boolean {
  return JSON.stringify(ordered(actual)) === JSON.stringify(ordered(expected));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, ordered(item)]),
  );
}

/** Indented lines as a tree with its siblings in alphabetical order. */
export function sortedTree(text: string): string {
  const [, root] = readTree(
    text.split('\n').filter((line) => line !== ''),
    0,
    -1,
  );
  return root.join('\n');
}

/** Reads the lines that are indented deeper than `indent`; returns the next line and the sorted blocks. */
function readTree(lines: readonly string[], from: number, indent: number): [next: number, blocks: string[]] {
  const blocks: string[] = [];
  let at = from;
  while (at < lines.length) {
    const line = lines[at] as string;
    const depth = line.search(/\S/);
    if (depth <= indent) break;
    const [next, children] = readTree(lines, at + 1, depth);
    blocks.push([line, ...children].join('\n'));
    at = next;
  }
  return [at, blocks.toSorted()];
}

/** A graph without the columns behind the first `count`. */
export function firstColumns(text: string, count: number): string {
  const { preamble, header, rows } = parseGraph(text);
  const lines = [{ ...header, columns: count, column_info: header.column_info.slice(0, count) }, ...rows.map((row) => row.slice(0, count))];
  const front = preamble === null ? [] : [JSON.stringify(preamble)];
  return [...front, ...lines.map((line) => (Array.isArray(line) ? line.join('\t') : JSON.stringify(line))), ''].join('\n');
}
