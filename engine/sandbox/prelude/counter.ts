import { min } from './intrinsics.ts';
import { endSandbox, state } from './state.ts';

/** The step counter. It is a global lexical binding that only the prelude and instrumented code name. */
declare let $__n: number;

/** As much as the counter holds at a time; a small integer on every machine. */
const FILL = 1_000_000_000;

/** What the counter started from, and what is left beyond that; Infinity without a limit. */
let filled = 0;
let rest = 0;
/** What earlier fillings of this call took. */
let spent = 0;

/** Starts counting a call. */
export function startCounting(): void {
  const limit = state.setup.instructions;
  spent = 0;
  if (limit > 0 && limit <= FILL) {
    rest = 0;
    $__n = filled = limit;
  } else {
    rest = (limit === 0 ? Infinity : limit) - FILL;
    $__n = filled = FILL;
  }
}

/** Steps taken since `startCounting`. */
export function stopCounting(): void {
  const used = spent + filled - $__n;
  state.instructionsLast = used;
  if (used > state.instructionsMaximum) state.instructionsMaximum = used;
}

/** Called by instrumented code when the counter has gone below zero. */
export function counterExhausted(): void {
  if (rest > 0) {
    spent += filled - $__n;
    filled = min(rest, FILL);
    rest -= filled;
    $__n = filled;
    return;
  }
  state.instructionsLast = spent + filled;
  if (state.instructionsLast > state.instructionsMaximum) state.instructionsMaximum = state.instructionsLast;
  endSandbox(`exceeded instruction_limit of ${state.setup.instructions}`);
}

/** Takes steps for work that the prelude does for the script. */
export function charge(steps: number): void {
  $__n -= steps;
  if ($__n < 0) counterExhausted();
}
