import { firstWhere } from '../message/binary-search.ts';
import type { Tick } from './clock.ts';

/** One step of a filter over a batch: rows to process, or a tick. */
export type Step = { readonly rows: Uint32Array | null } | { readonly ns: bigint };

/** Cuts the selected rows of a batch at its ticks; null: all rows. */
export function* stepsOf(length: number, selection: Uint32Array | null, ticks: readonly Tick[]): Iterable<Step> {
  if (ticks.length === 0) {
    yield { rows: selection };
    return;
  }
  const rows = selection ?? allRows(length);
  let from = 0;
  for (const tick of ticks) {
    const to = firstWhere(rows, (row) => row >= tick.row);
    if (to > from) yield { rows: rows.subarray(from, to) };
    yield { ns: tick.ns };
    from = to;
  }
  if (from < rows.length) yield { rows: rows.subarray(from) };
}

function allRows(length: number): Uint32Array {
  const rows = new Uint32Array(length);
  for (let row = 0; row < length; row++) rows[row] = row;
  return rows;
}
