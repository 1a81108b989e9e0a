import { min } from './intrinsics.ts';
import { endSandbox, state, waitForEnd } from './state.ts';

/** The step counter. It is a global lexical binding that only the prelude and instrumented code name. */
declare let $__n: number;
/** The steps of each line, when they are counted; the first cell is for the steps of functions of the sandbox. */
declare let $__p: Float64Array | null;

/** Steps until the host looks at the isolate's memory. */
const PULSE = 1 << 16;

/** What the counter started from, and what is left beyond that; Infinity without a limit. */
let filled = 0;
let rest = 0;
/** What earlier fillings of this call took. */
let spent = 0;

/** Starts counting a call. */
export function startCounting(): void {
  const limit = state.setup.instructions;
  spent = 0;
  rest = limit === 0 ? Infinity : limit;
  refill();
}

/** Begins work that has no limit of steps. */
export function countFreely(): void {
  spent = 0;
  rest = Infinity;
  refill();
}

function refill(): void {
  filled = min(rest, PULSE);
  rest -= filled;
  $__n = filled;
}

/** Takes the steps since `startCounting` as those of the last call. */
export function stopCounting(): void {
  const used = spent + filled - $__n;
  state.instructionsLast = used;
  if (used > state.instructionsMaximum) state.instructionsMaximum = used;
}

/** Called by instrumented code when the counter has gone below zero. */
export function counterExhausted(): void {
  if (rest > 0) {
    const overdrawn = -$__n;
    spent += filled;
    refill();
    $__n -= overdrawn;
    if ($__n >= 0) {
      state.host.pulse();
      if (state.ended !== null) waitForEnd();
      return;
    }
    if (rest > 0) return counterExhausted();
  }
  state.instructionsLast = spent + filled;
  if (state.instructionsLast > state.instructionsMaximum) state.instructionsMaximum = state.instructionsLast;
  endSandbox(`exceeded instruction_limit of ${state.setup.instructions}`);
}

/** Takes steps for work that the prelude does for the script. */
export function charge(steps: number): void {
  $__n -= steps;
  if ($__p !== null) $__p[0] = ($__p[0] as number) + steps;
  if ($__n < 0) counterExhausted();
}
