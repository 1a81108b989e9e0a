/** A filter may inject only so many messages at a tick (max_timer_inject): one with more to output does it by turns. */
import { checkList, wholeNumber } from '../base/arguments.ts';
import { OUTPUTS_PER_TICK } from '../base/graph_parameters.ts';
import { uintConfig } from './config.ts';

declare global {
  /** Which of the items comes first at the next tick. */
  var next_turn: number;
}

globalThis.next_turn = 0;

/** The parameter outputs_per_tick. */
export function outputsPerTick(): number {
  return uintConfig('outputs_per_tick', OUTPUTS_PER_TICK.default, OUTPUTS_PER_TICK.minimum);
}

/** The items whose turn it is: all of them, or the `count` that have waited for longest. */
export function nextTurn<T>(items: readonly T[], count: number): readonly T[] {
  checkList('nextTurn', 1, items);
  wholeNumber('nextTurn', 2, count, 1);
  if (items.length <= count) return items;
  const from = globalThis.next_turn % items.length;
  const end = from + count;
  globalThis.next_turn = end % items.length;
  return [...items.slice(from, end), ...items.slice(0, Math.max(0, end - items.length))];
}
