import { min } from './intrinsics.ts';
import { endSandbox, state, waitForEnd } from './state.ts';

/** The step counter. It is a global lexical binding that only the prelude and instrumented code name. */
declare let $__n: number;
/** The steps of each line, when they are counted; the first cell is for the steps of functions of the sandbox. */
declare let $__p: Float64Array | null;

/** Steps until the host looks at the isolate's memory. */
const PULSE = 1 << 16;

/**
 * Steps for keeping a state and for putting it back. No limit of the script holds then, but neither may its accessors, `toSaved` and the like go on
 * for ever; the largest graph takes a hundredth of this.
 */
const STATE_STEPS = 1e8;
/** A script that catches the error has so many more to come to an end. */
const LAST_STEPS = 1e6;

/** Steps that the counter was last filled with, and steps left beyond those; `rest` is Infinity without a limit. */
let filled = 0;
let rest = 0;
/** Steps that are left when those for a state are used up; -1 in a call. */
let lastSteps = -1;
/** Steps used from earlier fillings in this call. */
let spent = 0;

/** Starts counting a call. */
export function startCounting(): void {
  const limit = state.setup.instructions;
  lastSteps = -1;
  spent = 0;
  rest = limit === 0 ? Infinity : limit;
  refill();
}

/** Begins to keep a state, or to put one back. */
export function countFreely(): void {
  lastSteps = LAST_STEPS;
  spent = 0;
  rest = STATE_STEPS;
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
  if (lastSteps >= 0) endState();
  state.instructionsLast = spent + filled;
  if (state.instructionsLast > state.instructionsMaximum) state.instructionsMaximum = state.instructionsLast;
  const { instructions } = state.setup;
  endSandbox('limit.instructions', `exceeded instruction_limit of ${instructions}`, instructions);
}

/** The script's own code takes too long: first that is an error like others, then the end. */
function endState(): never {
  const reason = `its own code for that exceeded ${STATE_STEPS} steps`;
  if (lastSteps === 0) endSandbox('limit.state', reason, STATE_STEPS);
  rest = lastSteps;
  lastSteps = 0;
  refill();
  throw new RangeError(reason);
}

/** Whether the script's own code has taken too long for its state. */
export function stateStepsAreSpent(): boolean {
  return lastSteps === 0;
}

/** Takes steps for work that the prelude does for the script. */
export function charge(steps: number): void {
  $__n -= steps;
  if ($__p !== null) $__p[0] = ($__p[0] as number) + steps;
  if ($__n < 0) counterExhausted();
}
