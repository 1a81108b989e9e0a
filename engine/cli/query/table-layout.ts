/** Columns between those of a table. */
const GAP = 2;
/** A text is not cut to less than this; further columns are left out instead. */
const LEAST = 12;

/** The measures of a column of a printed table. */
export interface MeasuredColumn {
  /** Columns of the terminal that its widest cell takes. */
  readonly width: number;
  /** Its cells are not cut: a part of a number is another number. */
  readonly isWhole: boolean;
}

/**
 * The widths of a table's columns: all of them when they fit, else the first ones, with the widest cut. There is one at least, however narrow the terminal is.
 * @param available columns of the terminal; null: there is room for all
 */
export function fittingWidths(columns: readonly MeasuredColumn[], available: number | null): number[] {
  const widths = columns.map(({ width }) => width);
  if (available === null || total(widths) <= available) return widths;
  const least = columns.map(({ width, isWhole }) => (isWhole ? width : Math.min(width, LEAST)));
  let count = 1;
  while (count < columns.length && total(least.slice(0, count + 1)) <= available) count++;
  const room = available - GAP * (count - 1);
  const most = widestThatFits(widths.slice(0, count), least, room);
  return widths.slice(0, count).map((width, i) => Math.max(least[i] ?? 0, Math.min(width, most)));
}

const total = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width, GAP * Math.max(0, widths.length - 1));

/** The greatest width to which all columns can be cut so that they fit, apart from those that need more. */
function widestThatFits(widths: readonly number[], least: readonly number[], room: number): number {
  let most = 0;
  const sumAt = (width: number): number => widths.reduce((sum, own, i) => sum + Math.max(least[i] ?? 0, Math.min(own, width)), 0);
  while (most < room && sumAt(most + 1) <= room) most++;
  return most;
}
