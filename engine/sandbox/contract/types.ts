import type { End } from '../../api/ends.ts';
import type { ClockKind } from '../../message/types.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';

export type { End };

export type SandboxKind = 'input' | 'decoder' | 'filter' | 'encoder' | 'output';
export type ConfigValue = string | number | boolean;

/** Limits of one sandbox; 0 means none. Defaults are in `DEFAULT_LIMITS`. */
export interface SandboxLimits {
  /** Bytes that the isolate may hold. */
  readonly memory: number;
  /** Instrumented steps of one call. */
  readonly instructions: number;
  /** Bytes of the payload buffer or of one encoded message. */
  readonly output: number;
  /** Messages that one process_message call of a filter may inject. */
  readonly processInject: number;
  /** Messages that one timer_event call of a filter may inject. */
  readonly timerInject: number;
  /** Milliseconds for which one call may have the processor, for what no counter sees. */
  readonly callMs: number;
}

export const DEFAULT_LIMITS: SandboxLimits = {
  memory: 8_388_608,
  instructions: 1_000_000,
  output: 64_512,
  processInject: 1,
  timerInject: 10,
  callMs: 3_000,
};

/** Selection of the process_message calls that are timed one by one: about one in `every`, beginning with the first, and the first `profile` of them all. */
export interface Sampling {
  readonly every: number;
  readonly profile: number;
}

export const DEFAULT_SAMPLING: Sampling = { every: 1000, profile: 0 };

/** The script of a sandbox, its parameters and its limits. */
export interface SandboxSpec {
  /** The plugin's name in the configuration; Logger of what a filter injects. */
  readonly name: string;
  readonly kind: SandboxKind;
  /** Absolute path of the script (.js, .ts). */
  readonly script: string;
  /** The script's text when it is not that of the file: a draft. */
  readonly text?: string | undefined;
  /** Directories that `require` searches, in order. */
  readonly modules: readonly string[];
  readonly config: Readonly<Record<string, ConfigValue>>;
  readonly limits: SandboxLimits;
  /** The service's host name and process number, for injected messages. */
  readonly hostname: string;
  readonly pid: number;
  /**
   * Absolute path of the file that keeps the script's global variables over restarts (preserve_data). Written when the sandbox stops and from
   * time to time; a file that is damaged or does not fit the script fails the start and is kept.
   */
  readonly preservation?: string | undefined;
  /** Count the steps of each line. */
  readonly profile?: boolean;
  /** The handling of a message does not depend on earlier messages. */
  readonly stateless?: boolean | undefined;
  /** It works beside others that do the same, and so in a process of its own. */
  readonly beside?: boolean;
  /** It may be ended for being slow, which its host measures. */
  readonly judged?: boolean;
  /** `DEFAULT_SAMPLING` when it is left out. */
  readonly sampling?: Sampling;
  /** Clock of a filter, an encoder or an output. 'message': time of the current message or tick; otherwise the time of the machine. */
  readonly clock?: ClockKind;
  /** Its `timer_event` will be called: one without it does not load. */
  readonly ticks?: boolean | undefined;
  /** An output has a target: it may call `write_output`. */
  readonly writes?: boolean | undefined;
  /** An input has a source: it may call `read_input`. */
  readonly reads?: SourceForm | undefined;
}

/** Whether a script keeps nothing from one record to the next. */
export const keepsNothing = ({ kind, stateless }: Pick<SandboxSpec, 'kind' | 'stateless'>): boolean =>
  kind === 'decoder' && stateless === true;

/** Form of the data that an input reads: pieces of streams, whole items (a datagram, a file, the output of a command), or records. */
export type SourceForm = 'chunks' | 'whole' | 'records';

/** A record that process_message refused (status below 0): the input row and the script's reason, empty when it gave none. */
export interface Failure {
  readonly row: number;
  readonly reason: string;
}

/** The end of a sandbox. `row` is the input row it was working on, -1 outside process_message. */
export interface Termination extends End {
  readonly row: number;
}

/** Output of an encoder: output i is that of row `rows[i]`, the bytes from the end of output i − 1 to `ends[i]`. */
export interface EncodedRows {
  readonly rows: Uint32Array;
  readonly ends: Uint32Array;
  readonly bytes: Uint8Array;
}

/** Number and average duration of the calls that were timed one by one. */
export interface CallTimes {
  readonly samples: number;
  readonly averageNs: number;
}

/** Messages that the script of an output has taken and holds after a call. */
export interface Held {
  /** Whether the messages of earlier calls are held no more. */
  readonly released: boolean;
  /** Number of the call's messages, the last ones, that are held. */
  readonly kept: number;
}

/** Result of a call into a sandbox. */
export interface SandboxResult {
  /**
   * Messages that the script injected, in order; null: none. For filters, Type, Logger and Hostname are already as the contract says.
   * For decoders, missing headers are already filled from the source, and the messages passed on are included.
   */
  readonly injected: MessageBatch | null;
  /** For each injected message the input row that it came from; null: row i comes from input row i, all of them. */
  readonly origins: Uint32Array | null;
  readonly failures: readonly Failure[];
  /** Set when the sandbox ended in this call; what it had injected before is in `injected`. */
  readonly terminated: Termination | null;
  /** The process_message calls so far that were timed one by one, when the spec says something about sampling. */
  readonly times?: CallTimes | undefined;
  /** Of an encoder: its own output, for the rows that have any. */
  readonly encoded?: EncodedRows | null;
  /** Of a decoder: rows of `injected` that are records as they were (ascending); absent: none. */
  readonly unchanged?: Uint32Array | undefined;
  /** Of an encoder: rows that it left as they are (ascending), whose output is the message itself. */
  readonly passed?: Uint32Array;
  /** Of an output with a target: the records that it wrote, in order. */
  readonly written?: readonly Uint8Array[] | undefined;
  /** The row that wrote each of them; -1: a tick did. */
  readonly writtenRows?: readonly number[];
  /** Of an output: what it holds; absent: the call says nothing about that. */
  readonly held?: Held | undefined;
  /** Of an output with a target: only so many rows of the call were processed, and the caller is to send the others when that is written. Decoders process all. */
  readonly done?: number;
}

/** A call that brought nothing. */
export const NO_RESULT: SandboxResult = { injected: null, origins: null, failures: [], terminated: null };

export type SandboxState = 'running' | 'terminated' | 'stopped';

/** Current, highest and allowed use of one resource. */
export interface Usage {
  readonly current: number;
  readonly maximum: number;
  readonly limit: number;
}

/** Number of steps that a line took. */
export interface LineCount {
  readonly file: string;
  /** From 1 on; 0 for steps that belong to no line. */
  readonly line: number;
  readonly steps: number;
}

/** The way in which a sandbox holds up what is in front of it. */
export interface Stall {
  /** Milliseconds since it last got on. */
  readonly ms: number;
  /** Milliseconds that one of its messages takes; null: none came through in that time. */
  readonly messageMs: number | null;
  /** Messages that wait for it in its host; more may wait in front. */
  readonly waiting: number;
}

export interface SandboxReport {
  readonly state: SandboxState;
  readonly lastError: string | null;
  /** The reason for which its state was last not kept for the next start. */
  readonly stateProblem?: string | undefined;
  /** Places in the script's variables that its state does not keep, with the reason. */
  readonly unkept?: readonly string[] | undefined;
  readonly processed: number;
  readonly failures: number;
  readonly injected: number;
  /** Of the script: bytes above those of a sandbox without one. */
  readonly memory: Usage;
  /** Bytes of the whole isolate. */
  readonly isolateMemory?: number | undefined;
  readonly instructions: Usage;
  readonly output: Usage;
  /** Milliseconds of processor time that its calls have taken in all; absent: nobody measures it. */
  readonly workMs?: number | undefined;
  /** Average nanoseconds of one process_message call in the last while, of all calls; what the script waited for its variables is left out. */
  readonly averageNs: number;
  /** Nanoseconds that 99 of 100 calls did not exceed, of those that were timed one by one; 0: none was. */
  readonly percentile99Ns?: number;
  /** Calls that were timed one by one. */
  readonly times?: CallTimes;
  /** Calls of the profile, once it is complete. */
  readonly profileTimes?: CallTimes | undefined;
  /** timer_event calls, and the average nanoseconds of one. */
  readonly timers?: number;
  readonly timerAverageNs?: number;
  /** The most expensive line first; only when they are counted. */
  readonly profile?: readonly LineCount[] | undefined;
  /** Hints about calls that the contract ignores without an error, such as a key that is no header; only of a script with a profile. */
  readonly hints?: readonly string[] | undefined;
  /** Absent: it holds nothing up. */
  readonly stall?: Stall | undefined;
}

/** Return value of an input's process_message. A code above 0 has ended the input. */
export interface InputStatus {
  readonly code: number;
  readonly text: string;
}

/** Request of an input that reads. */
export interface ReadRequest {
  readonly form: 'text' | 'bytes';
  /** Length of the end of the last reading that is to come again in front of the next one, in units of the text or in bytes. */
  readonly rest: number;
  /** The state that the script has now is known: it goes on from there when its host dies. */
  readonly saved: boolean;
  /** Writes that state into its file. */
  persist(): Promise<void>;
}

/** Answer to a read of an input. `ended`: nothing more follows in its stream. */
export type ReadAnswer =
  | { readonly kind: 'end' | 'stop' }
  /** The script's state is to be made known first. */
  | { readonly kind: 'save' }
  | { readonly kind: 'text'; readonly text: string; readonly name: string; readonly ended: boolean }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly name: string; readonly ended: boolean }
  /** Records, one behind the other in a text. */
  | { readonly kind: 'records'; readonly text: string; readonly ends: Uint32Array; readonly name: string };

/** Source that an input reads from. */
export interface ScriptSource {
  /** Resolves when there is something. What was read before is done with, but for the rest. */
  read(request: ReadRequest): Promise<ReadAnswer>;
  /** The script begins anew with the state that it had at its last reading: what was read then comes again. */
  rewind(): void;
  /** One that is to stop may be stopped between two readings. */
  mayInterrupt(): boolean;
}

/** A running script as those see it who look after it, of whatever kind. */
export interface RunningScript {
  readonly spec: SandboxSpec;
  readonly state: SandboxState;
  /** Milliseconds of processor time that its calls have taken, as its host measures them; absent: nobody does. */
  readonly workMs?: number | undefined;
  /** Its script runs in this process, without the way to a host and back. */
  readonly isHere?: boolean;
  report(): Promise<SandboxReport>;
  /**
   * Writes the script's state after the calls that are open into a file that a successor can begin with (`SandboxSpec.preservation`).
   * Rejects when it has ended or its state cannot be written.
   */
  save?(path: string): Promise<void>;
  /** Ends it at once, without keeping its state. */
  terminate?(end: End): void;
  stop(): Promise<void>;
}

/** A script that takes messages, as those see it who only bring them. */
export interface Processor {
  /**
   * Runs process_message for the rows of `selection` (ascending; null: all). Never rejects for what a script does: a script's end is
   * in the result. Rejects only when the sandbox was already ended or stopped.
   * @param timed so many of the calls are timed one by one, whatever the sampling wants
   */
  process(batch: MessageBatch, selection: Uint32Array | null, timed?: number): Promise<SandboxResult>;
}

/** A script that takes messages, with a clock. */
export interface TimedProcessor extends Processor {
  /** Runs timer_event. */
  timer(ns: bigint): Promise<SandboxResult>;
  /** Changes the clock of a filter, an encoder or an output for the calls from here on. */
  useClock?(clock: ClockKind): void;
}

/** A running decoder, filter, encoder or output. Calls are served in order; several may be under way. */
export interface Sandbox extends RunningScript, TimedProcessor {}

/** A running input. */
export interface InputSandbox extends RunningScript {
  /**
   * Runs process_message once, for as long as that takes. What it injects goes to `take` in pieces; it waits while a piece is being taken. `stop` ends
   * it at the next step. Resolves to what it returned, or to why it ended.
   */
  run(take: (batch: MessageBatch) => Promise<void>, source?: ScriptSource): Promise<InputStatus | Termination>;
  /** Between two calls: keeps the state that it has now, to go on with it when its host dies, and for its file. */
  checkpoint(): void;
}
