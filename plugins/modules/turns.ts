/** Turns for filters that have more to output than they may inject at a tick (max_timer_inject): each tick outputs a part. */
import { checkList, wholeNumber } from '../base/arguments.ts';
import { OUTPUTS_PER_TICK } from '../base/graph_parameters.ts';
import { uintConfig } from './config.ts';

declare global {
  /** Number of the item that comes first at the next tick. */
  var next_turn: number;
}

globalThis.next_turn = 0;

/** The parameter outputs_per_tick. */
export function outputsPerTick(): number {
  return uintConfig('outputs_per_tick', OUTPUTS_PER_TICK.default, OUTPUTS_PER_TICK.minimum);
}

/** Returns the items for this tick: all of them, or the `count` items that were not output for the longest time. */
export function nextTurn<T>(items: readonly T[], count: number): readonly T[] {
  checkList('nextTurn', 1, items);
  wholeNumber('nextTurn', 2, count, 1);
  if (items.length <= count) return items;
  const from = globalThis.next_turn % items.length;
  const end = from + count;
  globalThis.next_turn = end % items.length;
  return [...items.slice(from, end), ...items.slice(0, Math.max(0, end - items.length))];
}
