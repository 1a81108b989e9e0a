/**
 * Protocol between the engine and its sandbox hosts. Calls to one host are served strictly in order. While it serves a call, a host may
 * send a `REQUEST` to the engine; it then waits for the `ANSWER` without doing anything else.
 */
import { COLUMN_ORDER, HEADERS } from '../../api/headers.ts';
import type { End } from '../../api/ends.ts';
import type { LookupValue } from '../../lookup/lookup.ts';
import type { ClockKind } from '../../message/types.ts';
import type { SentConfig } from './sent-config.ts';
import type { LineCount, ReadAnswer, SandboxKind, SandboxLimits, Sampling, SourceForm } from './types.ts';

/** Engine to host. */
export const ToHost = { HELLO: 1, CREATE: 2, PROCESS: 3, TIMER: 4, REPORT: 5, STOP: 6, ANSWER: 7, SAVE: 8, RUN: 9, TIME: 10 } as const;

/** Host to engine. */
export const ToEngine = {
  READY: 1,
  CREATED: 2,
  BEGIN: 3,
  RESULT: 4,
  REPORTED: 5,
  REQUEST: 6,
  STOPPED: 7,
  ENDED: 8,
  SAVED: 9,
  PARTIAL: 10,
  STARVED: 11,
  INSTRUMENTED: 12,
} as const;

/** `HELLO`: the code that goes into each isolate before the script. */
export interface HelloHead {
  readonly prelude: string;
  /** Descriptor 5 is a file that is shared; see scratch.ts. */
  readonly shared: boolean;
  /** Factor between the time for which calls may have the processor and the time that they may take on the clock. */
  readonly patience: number;
}

/** Saving and restoring a state, and loading an input, may take this long, whatever a call may take. The head of their `BEGIN` says `SAVING`. */
export const SAVE_MS = 10_000;
export const SAVING = 'saving';
/** The head of a `SAVE` for a checkpoint. */
export const CHECKPOINT = 'checkpoint';

/** A script's state: in frames, `state` is the texts part, one byte a unit or two, and the bytes are the block. */
export interface StateHead {
  readonly wide: boolean;
  /** The script's _PRESERVATION_VERSION; null when it has none. */
  readonly version: number | null;
}

/** `CREATE`. The script's text follows on request. */
export interface CreateHead {
  /** A state to go on from. */
  readonly state: StateHead | null;
  /** The state is kept when the script asks to be stopped. */
  readonly preserve: boolean;
  readonly name: string;
  readonly kind: SandboxKind;
  readonly script: string;
  readonly config: SentConfig;
  readonly limits: SandboxLimits;
  /** Count the steps of each line. */
  readonly profile?: boolean;
  readonly sampling?: Sampling | undefined;
  readonly stateless?: boolean | undefined;
  readonly clock?: ClockKind | undefined;
  /** It must have a `timer_event`. */
  readonly ticks?: boolean | undefined;
  /** An output has a target. */
  readonly writes?: boolean | undefined;
  /** Form of the data that an input reads from its source. */
  readonly reads?: SourceForm | undefined;
}

/** `CREATED`: `end` when the script does not load. `missing`: places of what its state could not keep and its top level has not made. */
export interface CreatedHead {
  readonly end?: End;
  readonly missing?: readonly string[];
}

/** `SAVED`: the state and the places of what it cannot keep, or why there is none. */
export type SavedHead =
  | (StateHead & {
      readonly unkept: readonly string[];
      /** Microseconds of processor time that saving took. */
      readonly cpu: number;
    })
  | { readonly error: string };

/** `TIME`: so many of the rows of the next batch are timed one by one. */
export interface TimeHead {
  readonly rows: number;
}

/** process_message calls that were timed one by one, with the sum of their times. */
export interface CallTimesHead {
  readonly samples: number;
  readonly nanoseconds: number;
  /** Calls of the profile, once it is complete. */
  readonly profileSamples: number;
  readonly profileNanoseconds: number;
}

/** `TIMER` */
export interface TimerHead {
  readonly ns: string;
  /** As in `ProcessHead`. */
  readonly lookups: number;
}

/** `ANSWER` to `PARTIAL`, a result that is not the last of its call, and to the question how to go on. */
export interface GoOnHead {
  readonly stop: boolean;
}

/** `REQUEST` during `CREATE` or a call. */
export type RequestHead =
  | { readonly want: 'script' }
  /** A module that the file `from` imports. */
  | { readonly want: 'import'; readonly specifier: string; readonly from: string }
  /** A module for `require`. */
  | { readonly want: 'module'; readonly name: string }
  /** A variable of the current batch. */
  | { readonly want: 'variable'; readonly name: string }
  | LookupRequest
  /** Whether an input shall go on. */
  | { readonly want: 'go on' }
  /** Something to read for an input; see `ReadRequest`. `globals`: how many global variables it has. */
  | { readonly want: 'input'; readonly form: InputForm; readonly rest: number; readonly saved: boolean; readonly globals: number };

/** Question for the value that a lookup has; column null: whether it has the value. */
export interface LookupRequest {
  readonly want: 'lookup';
  readonly name: string;
  readonly column: string | null;
  readonly value: string;
}

/** `ANSWER` to it. */
export type LookupAnswer = { readonly value: LookupValue | null } | { readonly error: string };

export type InputForm = 'text' | 'bytes';

/**
 * `ANSWER` to an input that reads: the text is the only text, bytes are the block; of records the block has `count` ends (Uint32) in the text. `stop`
 * and `save` are for the host.
 */
export interface InputHead {
  readonly kind: ReadAnswer['kind'];
  readonly count: number;
  readonly name: string;
  readonly ended: boolean;
  readonly texts: readonly TextPlace[];
}

/** A source file. `path` identifies it, `label` is what errors call it. */
export interface SourceFile {
  readonly path: string;
  readonly label: string;
  readonly text: string;
  /** The types were taken out of it. */
  readonly stripped?: boolean;
  /** Its text with the step counter, as an earlier host, or the engine, has made it: a host need not parse it. */
  readonly instrumented?: InstrumentedText | undefined;
  /** It runs without a step counter: a bundled file of a bundled script. */
  readonly uncounted?: boolean;
  /** Of such a file: a host need not parse it. */
  readonly shape?: ScriptShape | undefined;
}

export interface InstrumentedText extends ScriptShape {
  readonly code: string;
}

/**
 * `INSTRUMENTED`: files of users that the host has instrumented. It sends this once, before it runs the first script: what comes later may be a script's own
 * forgery.
 */
export type InstrumentedHead = readonly InstrumentedFile[];

export interface InstrumentedFile {
  /** That of its `SourceFile`. */
  readonly path: string;
  readonly instrumented: InstrumentedText;
}

/** Properties of a script that have to be known before it runs. */
export interface ScriptShape {
  readonly form: 'classic' | 'module';
  /** Stands behind the code when the file's variables are kept in checkpoints. */
  readonly own: string;
}

/** `ANSWER` to a source request. */
export type SourceAnswer = { readonly file: SourceFile } | { readonly error: string };

/** `REPORTED`; call 0: unasked, because the sandbox is about to end. */
export interface ReportedHead {
  /** Bytes that the script holds above a sandbox without a script. */
  readonly memory: number;
  readonly memoryMaximum: number;
  /** Bytes of the whole isolate. */
  readonly isolate: number;
  readonly instructions: number;
  readonly instructionsMaximum: number;
  readonly output: number;
  readonly outputMaximum: number;
  readonly calls: number;
  readonly nanoseconds: number;
  readonly timers: number;
  readonly timerNanoseconds: number;
  readonly times: CallTimesHead;
  /** Nanoseconds that 99 of 100 of the timed calls did not exceed. */
  readonly percentile99: number;
  readonly profile?: readonly LineCount[];
  /** Of a sandbox with a profile: what its script does that the contract passes over in silence. */
  readonly hints?: readonly string[];
}

/** Location of a column. Positions are byte offsets in the block of the same delivery; -1: not present. */
export interface ColumnPlace {
  /** Number of the column in the batch. */
  readonly id: number;
  readonly entries: number;
  readonly values: number;
  readonly rows: number;
  readonly offsets: number;
  /** Position of the ends of pieces; `values` is that of their starts. */
  readonly ends: number;
  /** For pieces: how many there are, and the text (number among those of the call) or the bytes (position and length). */
  readonly count: number;
  readonly text: number;
  readonly bytes: number;
  readonly bytesLength: number;
}

/** Text of a delivery: bytes in the `texts` part, one byte a unit or two. */
export interface TextPlace {
  readonly bytes: number;
  readonly wide: boolean;
}

/** Columns that go into the isolate together. */
export interface Delivery {
  readonly columns: readonly ColumnPlace[];
  readonly texts: readonly TextPlace[];
}

/** Delivery for a variable that no message has. */
export const NO_COLUMNS: Delivery = { columns: [], texts: [] };

/** Description of a field column, without its values. */
export interface FieldInfo {
  readonly name: string;
  readonly representation: string | null;
  readonly type: number;
}

/** A header in a batch: unset (null), the same value in all rows, or a column. */
export type HeaderInfo = null | { readonly constant: string | number } | { readonly column: true };

/** Numbers of the header columns; field column i has number `FIRST_FIELD + i`. */
export const HEADER_NAMES = [HEADERS.uuid, HEADERS.timestamp, ...COLUMN_ORDER].map(({ name }) => name);
export const FIRST_FIELD = HEADER_NAMES.length;

/** `PROCESS` */
export interface ProcessHead {
  readonly length: number;
  /** One for each of `HEADER_NAMES`. */
  readonly headers: readonly HeaderInfo[];
  readonly fields: readonly FieldInfo[];
  readonly delivery: Delivery;
  /** Version of the lookups: with another one, answers of earlier calls do not hold any more. */
  readonly lookups?: number;
  /** The clock from this call on; absent: as before. */
  readonly clock?: ClockKind;
}

/** A column of what a script injected; positions as in `ColumnPlace`. */
export interface OutColumn {
  readonly entries: number;
  readonly values: number;
  readonly rows: number;
  readonly offsets: number;
  readonly ends: number;
  readonly count: number;
  /** Pieces: the text they lie in; `ARENA` is the text of the result, other numbers are texts of the call's deliveries. */
  readonly text: number;
  readonly bytes: number;
  readonly bytesLength: number;
}

export interface OutField extends OutColumn {
  readonly name: string;
  readonly representation: string | null;
  readonly type: number;
}

export const ARENA = -1;

/** Origin of a message: passed on unchanged, built from columns, or injected by `inject_payload` as a new message. */
export const Origin = { PASSED: 0, TABLE: 1, PAYLOAD: 2 } as const;

/**
 * Output of an encoder, or what an output has written: `count` rows (Uint32) with the length of each (Uint32) and its form (Uint8):
 * 0 text, the next units of `text` of the arena (from and to, in units); 1 bytes, the next ones of `bytes`.
 */
export interface EncodedPlace {
  readonly count: number;
  readonly rows: number;
  readonly lengths: number;
  readonly forms: number;
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  readonly bytesLength: number;
}

/** `RESULT`. The texts part is the arena. */
export interface ResultHead {
  /** Global variables that the script has. */
  readonly globals: number;
  /** Variables that the script has read for the first time. */
  readonly used: readonly string[];
  /** Messages that were injected, without those that were passed on. */
  readonly injected: number;
  /** Source messages that were passed on as they are. */
  readonly passed: number;
  /** Uint32 for each message in order: its row; -1: message i is from row i, for all rows. */
  readonly origins: number;
  /** Uint8 for each message in order: its `Origin`; -1: all as `origin`. */
  readonly kinds: number;
  readonly origin: number;
  /** Int64 for each injected message. */
  readonly timestamps: number;
  /** Injected messages that brought their own uuid. */
  readonly uuids: { readonly count: number; readonly rows: number; readonly bytes: number } | null;
  /** In the order of their columns. */
  readonly headers: readonly (null | { readonly constant: string | number } | OutColumn)[];
  readonly fields: readonly OutField[];
  readonly failures: readonly (readonly [row: number, reason: string])[];
  /** Output of an encoder, or records written by an output. The engine encodes the rows that an encoder passed. */
  readonly encoded: EncodedPlace | null;
  /** Of an output: so many rows were processed, and the others are still to be, for there is enough to write. */
  readonly done?: number;
  /** Of an output: the first row of the call that it holds. */
  readonly held?: number;
  /** Of an output: all rows before that one are released, those of earlier calls too. */
  readonly released?: boolean;
  readonly ended: (End & { readonly row: number }) | null;
  /** The results of the rows before that one were lost with the isolate. */
  readonly lost?: boolean;
  /** Of an input: what process_message returned; null while it has not. */
  readonly status: { readonly code: number; readonly text: string } | null;
  /** Text of the arena: one byte a unit, or two. Set by the host. */
  readonly wide?: boolean;
  /** Microseconds of processor time that the call has taken. Set by the host. */
  readonly cpu?: number;
  /** Set by the host. */
  readonly times?: CallTimesHead;
}
