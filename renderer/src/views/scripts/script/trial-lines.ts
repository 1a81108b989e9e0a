import type { Graph } from '../../../../../engine/api/types.ts';

/** The lines of a small graph: an SVG path for each column, and what its edges stand for. */
interface GraphLines {
  readonly paths: readonly string[];
  readonly least: number;
  readonly most: number;
  /** Milliseconds of the first and the last row with a value. */
  readonly from: number;
  readonly to: number;
}

/** Draws the rows from the first one with a value to the last; where a value is missing, a line has a gap. null: there is no value. */
export function linesOf({ columns, time, rowMs }: Graph, width: number, height: number): GraphLines | null {
  let [first, last, least, most] = [Infinity, -1, 0, 0];
  for (const { values } of columns) {
    for (const [row, value] of values.entries()) {
      if (!Number.isFinite(value)) continue;
      first = Math.min(first, row);
      last = Math.max(last, row);
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  }
  if (last < 0) return null;
  const span = most - least || 1;
  const x = (row: number): string => ((width * (row - first + 0.5)) / (last - first + 1)).toFixed(1);
  const y = (value: number): string => (height - 2 - ((height - 4) * (value - least)) / span).toFixed(1);
  const paths = columns.map(({ values }) => {
    let path = '';
    for (let row = first, pen = false; row <= last; row++) {
      const value = values[row] ?? NaN;
      const isThere = Number.isFinite(value);
      // A value between two gaps is a dot: a line of no length with round ends.
      if (isThere) path += `${pen ? 'L' : 'M'}${x(row)} ${y(value)}${pen ? '' : 'h0.1'}`;
      pen = isThere;
    }
    return path;
  });
  return { paths, least, most, from: time + first * rowMs, to: time + last * rowMs };
}
