import type { Rows } from './query.ts';

/** Cells that the rows of an entry are divided into, for pictures of very many rows. */
const CELLS = 256;

/** Numbers of cells, ascending, each once. */
export type CellList = Uint8Array;

export const NO_CELLS: CellList = new Uint8Array(0);
const ALL_CELLS: CellList = Uint8Array.from({ length: CELLS }, (_unused, cell) => cell);

/** The cells that hold these of `count` positions, ascending; null: all. */
export function cellsOf(positions: Rows, count: number): CellList {
  if (positions === null)
    return count >= CELLS
      ? ALL_CELLS
      : cellsOf(
          Uint16Array.from({ length: count }, (_unused, i) => i),
          count,
        );
  if (positions.length === 0) return NO_CELLS;
  const cells = new Uint8Array(Math.min(CELLS, positions.length));
  let used = 0;
  for (const position of positions) {
    const cell = Math.floor((position * CELLS) / count);
    if (used === 0 || cells[used - 1] !== cell) cells[used++] = cell;
  }
  return cells.slice(0, used);
}

/** The cells that hold the positions whose rows have this code, ascending. @param rows the row at each of `count` positions; null: the same */
export function cellsWith(codes: Uint8Array, code: number, rows: Rows, count: number): CellList {
  const cells = new Uint8Array(Math.min(CELLS, count));
  let used = 0;
  for (let position = 0; position < count; position++) {
    if (codes[rows === null ? position : (rows[position] as number)] !== code) continue;
    const cell = Math.floor((position * CELLS) / count);
    if (used === 0 || cells[used - 1] !== cell) cells[used++] = cell;
  }
  return used === 0 ? NO_CELLS : cells.slice(0, used);
}

/** The first position of a cell. */
export function cellStart(cell: number, count: number): number {
  return Math.ceil((cell * count) / CELLS);
}

/** Positions that a cell stands for: at least one. */
export function cellWeight(count: number): number {
  return Math.max(1, count / CELLS);
}
