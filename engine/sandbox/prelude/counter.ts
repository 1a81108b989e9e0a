import { FILLING } from './filling.ts';
import { min } from './intrinsics.ts';
import { endSandbox, endSandboxHere, state, waitForEnd } from './state/state.ts';

/** The step counter. It is a global lexical binding that only the prelude and instrumented code name. */
declare let $__n: number;
/** Steps from which instrumented code fills the counter by itself. */
declare let $__r: number;
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

/** Steps that this call was given so far, in the counter and its reserve, and steps that are left beyond those; `rest` is Infinity without a limit. */
let given = 0;
let rest = 0;
/** Steps that are left when those for a state are used up; -1 in a call. */
let lastSteps = -1;

/** Steps in the counter when a call begins; it is so full only as long as no step is taken. */
let full = -1;

/** Starts counting a call. */
export function startCounting(): void {
  if ($__n === full && lastSteps === -1) return;
  const limit = state.setup.instructions;
  lastSteps = -1;
  begin(limit === 0 ? Infinity : limit);
  full = $__n;
}

/** Begins to keep a state, or to put one back. */
export function countFreely(): void {
  lastSteps = LAST_STEPS;
  begin(STATE_STEPS);
}

function begin(steps: number): void {
  given = min(steps, PULSE);
  rest = steps - given;
  $__n = min(given, FILLING);
  $__r = given - $__n;
}

/** Takes the steps since `startCounting` as those of the last call. */
export function stopCounting(): void {
  // Steps in accessors are counted beside the loop that uses them; together they may be too many.
  if ($__n < 0) counterExhausted();
  noteUse(given - $__n - $__r);
}

function noteUse(used: number): void {
  state.instructionsLast = used;
  if (used > state.instructionsMaximum) state.instructionsMaximum = used;
}

/** Called by instrumented code when the counter has gone below zero and its reserve does not suffice. Fills it so that it is not below zero. */
export function counterExhausted(): void {
  for (;;) {
    const missing = -$__n;
    const steps = min($__r, missing > FILLING ? missing : FILLING);
    $__r -= steps;
    $__n += steps;
    if ($__n >= 0) return;
    if (rest === 0) endCall();
    $__r = min(rest, PULSE);
    rest -= $__r;
    given += $__r;
    if (state.host.pulse()) endSandboxHere('limit.memory', `exceeded memory_limit of ${state.setup.memory}`, state.setup.memory);
    if (state.ended !== null) waitForEnd();
  }
}

function endCall(): void {
  if (lastSteps >= 0) endState();
  noteUse(given);
  const { instructions } = state.setup;
  endSandboxHere('limit.instructions', `exceeded instruction_limit of ${instructions}`, instructions);
}

/** The script's own code takes too long: first that is an error like others, then the end. */
function endState(): never {
  const reason = `its own code for that exceeded ${STATE_STEPS} steps`;
  if (lastSteps === 0) endSandbox('limit.state', reason, STATE_STEPS);
  begin(lastSteps);
  lastSteps = 0;
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
