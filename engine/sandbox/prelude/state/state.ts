import type { End, EndCode } from '../../../api/ends.ts';
import type { ClockKind } from '../../../message/types.ts';
import type { InputForm } from '../../contract/protocol.ts';
import type { SentConfig } from '../../contract/sent-config.ts';
import type { SandboxKind, SourceForm } from '../../contract/types.ts';
import { stackNow } from '../errors.ts';
import { stringify } from '../intrinsics.ts';
import type { RowMessage } from '../reading/row-message.ts';

/** Functions that the host offers to the prelude. All of them are synchronous. */
export interface HostCalls {
  /** Makes the host deliver the columns of a variable of the current batch. */
  fetch(variable: string): void;
  /** The string of a text whose bytes are in shared memory. */
  text(number: number): string;
  /** The exports of a module. Throws a text when there is none or it does not load. */
  load(name: string): unknown;
  /** Compiles a function's text, instrumented: returns the function that takes the scope's values. */
  compile(parameters: string, body: string, scope: string): (...values: unknown[]) => (...values: unknown[]) => unknown;
  /** The `LookupAnswer` of the engine as JSON; column null: whether the lookup has the value. */
  lookup(name: string, column: string | null, value: string): string;
  /**
   * Lets the host look at the isolate's memory, and ask whether an input shall go on; it may not come back. Returns whether the script holds more than
   * it may.
   */
  pulse(): boolean;
  /** Sends what an input has injected so far. */
  flush(): void;
  /** Makes the host receive something for an input, in this form; so much of what it had before is to come again in front of it. */
  read(form: InputForm, rest: number, globals: number): void;
  /** Collects what there is and ends the isolate. @param end an `EndInside` as JSON */
  end(end: string): void;
}

export interface Setup {
  readonly name: string;
  /** It runs in an isolate of its own, into which texts come from outside. */
  readonly isolated: boolean;
  readonly kind: SandboxKind;
  readonly config: SentConfig;
  readonly instructions: number;
  readonly output: number;
  readonly memory: number;
  /** It must have a `timer_event`. */
  readonly ticks: boolean;
  /** An output has a target. */
  readonly writes: boolean;
  /** A decoder whose records do not depend on each other: its result may be that of the first ones alone. */
  readonly stateless: boolean;
  /** Form of the data that an input reads from its source; '' when it has no source. */
  readonly reads: SourceForm | '';
  readonly processInject: number;
  readonly timerInject: number;
  readonly clock: ClockKind;
  /** The script is being tried: what the contract passes over in silence is noted. */
  readonly hints: boolean;
}

/** An end that the prelude found. */
export interface EndInside extends End {
  /** Name of the code that ran, and the stack at that time, to find the place in the script. */
  readonly during?: string;
  readonly stack?: string;
}

interface State {
  setup: Setup;
  host: HostCalls;
  /** Clock of the calls: that of the setup, until a call names another one. */
  clock: ClockKind;
  /** The top level has run. */
  loaded: boolean;
  /** The script's function that runs. */
  call: 'process_message' | 'timer_event';
  /** The row that is being processed; -1 outside of process_message. */
  row: number;
  /** The time of the last tick. */
  tick: bigint;
  /** Messages that this call may still inject; -1: no limit. */
  budget: number;
  /** The row as write_message left it; null while it is as it came. */
  edited: RowMessage | null;
  /** The end of the sandbox, once it ends. */
  ended: End | null;
  /** The row at which it ended. */
  endedRow: number;
  instructionsLast: number;
  instructionsMaximum: number;
  outputLast: number;
  outputMaximum: number;
}

/** One prelude serves one isolate, so this is all there is of it. */
export const state: State = {
  setup: undefined as unknown as Setup,
  host: undefined as unknown as HostCalls,
  clock: 'wall',
  loaded: false,
  call: 'process_message',
  row: -1,
  tick: 0n,
  budget: -1,
  edited: null,
  ended: null,
  endedRow: -1,
  instructionsLast: 0,
  instructionsMaximum: 0,
  outputLast: 0,
  outputMaximum: 0,
};

/** Ends the sandbox. Does not return: the host stops the isolate while it is in the loop. */
export function endSandbox(code: EndCode, reason: string, limit: number): never {
  state.host.end(stringify({ code, reason, limit }));
  waitForEnd();
}

/** Ends the sandbox at a place in the script, which the host puts into the reason. */
export function endSandboxHere(code: EndCode, reason: string, limit: number): never {
  const during = state.loaded ? `in ${state.call}` : 'at the top level';
  const end: EndInside = { code, reason, limit, during, stack: stackNow() };
  state.host.end(stringify(end));
  waitForEnd();
}

/** The first end counts. */
export function noteEnd(end: End): void {
  if (state.ended !== null) return;
  state.ended = end;
  state.endedRow = state.row;
}

/** The host has stopped the isolate; that takes effect at the next interrupt check. */
export function waitForEnd(): never {
  for (;;);
}
