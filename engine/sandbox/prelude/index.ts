/**
 * The code that stands between a script and the host, inside the isolate. It reads and writes whole batches, and calls the script for each message.
 * Evaluates to a function that the host calls once with what it offers, and that returns what the host may call.
 */
import type { End } from '../../api/ends.ts';
import type { DeliveredText } from './batch.ts';
import { shareBlock, takeBlock } from './block.ts';
import { countFreely, counterExhausted, startCounting, stopCounting } from './counter.ts';
import { decode_message } from './decode-message.ts';
import { compile_function, read_config, require } from './environment.ts';
import { describeThrown, type Thrown } from './errors.ts';
import { takenHints } from './hints.ts';
import { in_lookup, lookup, lookupsAre } from './lookup.ts';
import { inject_message, inject_payload } from './writing/inject.ts';
import { lockDown, objectKeys } from './intrinsics.ts';
import { hideSources } from './native-text.ts';
import { add_to_payload } from './writing/payload.ts';
import { payload_span, read_integer, read_message, read_next_field } from './reading/read.ts';
import {
  askedToEnd,
  deliver,
  finish,
  open,
  PROCESS_MISSING,
  resume,
  run,
  setEntry,
  setProgress,
  timer,
  TIMER_MISSING,
  type EntryPoints,
  type Parcel,
} from './run.ts';
import { input_source, read_bytes, read_input, takeInput } from './reading/read-input.ts';
import { addScriptVariables, scriptVariables } from './script-variables.ts';
import { restoreState } from './state/restore.ts';
import { saveState, VERSION } from './state/save.ts';
import { shareTexts } from './shared-text.ts';
import { state, type HostCalls, type Setup } from './state/state.ts';
import { hold_messages, release_messages } from './hold.ts';
import { write_output } from './writing/write-output.ts';
import { message_writer, MessageWriter } from './writing/writer.ts';
import { write_message } from './writing/write.ts';

/** Functions that the host may call. */
export interface Prelude {
  /** A number stands for so many bytes of the shared memory. */
  open(head: string, block: ArrayBuffer, ...texts: (DeliveredText | number)[]): void;
  deliver(head: string, block: ArrayBuffer, ...texts: DeliveredText[]): void;
  /** [null] done, [undefined] rows are left, [end] the sandbox ends, [text, stack, overLimit] the script threw. */
  resume(until: number): Outcome;
  /** @param lookups version of the lookups */
  timer(ns: string, lookups?: number): Outcome;
  /** Runs an input. */
  run(): Outcome;
  /** Takes the data that an input asked for. */
  takeInput(head: string, block: ArrayBuffer, text?: string): void;
  finish(end: string | null): Parcel;
  /** Takes memory through which the blocks of later results go. */
  share(buffer: SharedArrayBuffer): void;
  /** Takes memory in which texts of later batches are. */
  shareTexts(buffer: SharedArrayBuffer): void;
  /** Begins counting for the top level. */
  startLoading(): void;
  /** Takes the script's entry points: those of a module, or the globals. Brings the end when they do not do, or null. */
  endLoading(exports: EntryPoints | null): Outcome;
  usage(): number[];
  /** Hints about calls that the contract ignores without an error; only of a script that is being tried. */
  hints(): readonly string[];
  /**
   * The state, its bytes and its version, and what of it cannot be kept; that for a checkpoint has also what scripts hold in variables that are no global
   * ones.
   */
  save(checkpoint: boolean): [text: string, block: ArrayBuffer, version: number | null, unkept: readonly string[]];
  /** The script ended itself with a status above 0: its state is kept. */
  askedToEnd(): boolean;
  /** Puts a state back, unless the script says that it is of another version. Returns what was not kept and is missing now. */
  restore(text: string, block: ArrayBuffer, version: number | null, ...modules: object[]): readonly string[];
}

export type Outcome = [End | null | undefined] | Thrown;

type Functions = Record<string, unknown>;

/** The functions of each kind; what a kind may not use is not there. */
function functionsOf(kind: Setup['kind']): Functions {
  const all: Functions = { require, read_config, compile_function, decode_message, lookup, in_lookup };
  if (kind === 'input') return { ...all, inject_message, read_input, read_bytes, input_source };
  const reading: Functions = { ...all, read_message, read_integer, read_next_field, payload_span };
  if (kind === 'output') return { ...reading, write_output, hold_messages, release_messages };
  const injecting: Functions = { ...reading, add_to_payload, inject_payload, inject_message };
  if (kind === 'filter') return injecting;
  return kind === 'encoder' ? { ...injecting, write_message } : { ...injecting, write_message, message_writer };
}

const { defineProperty } = Object;

function guarded(call: () => End | null | undefined): Outcome {
  try {
    return [call()];
  } catch (thrown) {
    stopCounting();
    return describeThrown(thrown);
  }
}

function endLoading(exports: EntryPoints | null): End | null {
  stopCounting();
  const points = exports ?? (globalThis as EntryPoints);
  setEntry(points);
  state.loaded = true;
  if (typeof points.process_message !== 'function') return PROCESS_MISSING;
  return state.setup.ticks && typeof points.timer_event !== 'function' ? TIMER_MISSING : null;
}

const version = (): number | null => {
  const { [VERSION]: value } = globalThis as unknown as Functions;
  return typeof value === 'number' ? value : null;
};

/** No limit of steps holds while state is saved and restored. */
function save(checkpoint: boolean): ReturnType<Prelude['save']> {
  countFreely();
  takeBlock();
  const { text, unkept } = saveState(checkpoint ? scriptVariables : null);
  return [text, takeBlock(), version(), [...unkept]];
}

function restore(text: string, block: ArrayBuffer, saved: number | null, ...modules: object[]): string[] {
  countFreely();
  const own = version();
  return own === null || own === (saved ?? 0) ? restoreState(text, block, modules) : [];
}

interface Started {
  readonly prelude: Prelude;
  /** Called by instrumented code when its step counter goes below zero. */
  readonly exhausted: () => void;
  readonly own: typeof addScriptVariables;
}

/** Called by the host. `progress` is a cell that shows it the current row. */
export function start(setup: string, host: HostCalls, progress: Int32Array): Started {
  const scope = globalThis as unknown as Functions;
  state.setup = JSON.parse(setup) as Setup;
  state.clock = state.setup.clock;
  state.host = host;
  setProgress(progress);
  const functions = functionsOf(state.setup.kind);
  lockDown(scope, () => hideSources([...objectKeys(functions).map((name) => functions[name]), MessageWriter]));
  for (const name of objectKeys(functions)) {
    defineProperty(scope, name, { value: functions[name], writable: true, configurable: true, enumerable: false });
  }
  const prelude: Prelude = {
    open,
    deliver,
    resume: (until) => guarded(() => resume(until)),
    timer: (ns, lookups) => guarded(() => (lookupsAre(lookups), timer(ns))),
    run: () => guarded(run),
    takeInput,
    finish,
    share: shareBlock,
    shareTexts,
    startLoading: startCounting,
    endLoading: (exports) => guarded(() => endLoading(exports)),
    askedToEnd,
    save,
    restore,
    hints: () => [...takenHints()],
    usage: () => [state.instructionsLast, state.instructionsMaximum, state.outputLast, state.outputMaximum],
  };
  return { prelude, exhausted: counterExhausted, own: addScriptVariables };
}
