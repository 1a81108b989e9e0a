/**
 * The types of requests and events between the window and the engine. Pure types: the shell relays, the renderer imports these and nothing
 * else of the engine. Times are milliseconds since 1970 unless a name says ns; ns are decimal strings, exact.
 */

import type { AssistantsState } from './assistant-types.ts';
import type { End } from './ends.ts';
import type { ErrorCode } from './errors.ts';
import type { ExportInfo } from './export-types.ts';
import type { QueryPlace } from './filter-types.ts';
import type { Mark } from './mark-types.ts';
import type { NoticeCode } from './notices.ts';
import type { FilterSection, PluginInfo } from './plugin-types.ts';
import type { RulesProgress } from './rule-types.ts';
import type { engineRequests, shellRequests } from './requests/index.ts';
import type { TypesOf } from './requests/request.ts';
import type { ShellEvents } from './shell-types.ts';
import type { SearchProgress, SortState, ViewFacts } from './view-types.ts';

export type * from './assistant-types.ts';
export type { DecoderAbout, DecoderParameter, DecoderPreview, PreviewRecord } from './decoder-types.ts';
export type { ExportFormat, ExportInfo, ExportRequest } from './export-types.ts';
export type * from './filter-types.ts';
export type * from './mark-types.ts';
export type * from './measure-types.ts';
export type * from './fleet-types.ts';
export type * from './incident-types.ts';
export type * from './open-types.ts';
export type * from './operation-types.ts';
export type * from './pattern-types.ts';
export type * from './output-types.ts';
export type * from './difference-types.ts';
export type * from './overview-types.ts';
export type * from './plugin-types.ts';
export type * from './query-types.ts';
export type * from './record-graph-types.ts';
export type * from './record-types.ts';
export type { RuleFolder, RuleInfo, RulesLook, RulesProgress, RulesState } from './rule-types.ts';
export type * from './shell-types.ts';
export type * from './workspace-types.ts';
export type { Histogram, HistogramGroup, SearchProgress, SortState, TickKind, Ticks, ViewFacts } from './view-types.ts';

/** `poll`: a file that is read again and again; `stats`: counters of an accumulator. */
export type SourceKind = 'file' | 'udp' | 'tcp' | 'stdin' | 'poll' | 'command' | 'stats' | 'workstation' | 'engine';

/** The decoder of a source: which one, by whose choice, and how sure detection was (0 to 1). */
export interface DecoderChoice {
  readonly name: string;
  readonly config: Readonly<Record<string, string | number | boolean>>;
  readonly by: 'detected' | 'user' | 'configuration';
  readonly confidence: number;
  /** Limits in its section. */
  readonly limits?: FilterSection['limits'];
  /** Folders that `require` searches before that of the bundled modules. */
  readonly modules?: readonly string[];
  /** Folder at which relative paths of files in its parameters begin. */
  readonly folder?: string;
}

export interface SourceInfo {
  readonly id: number;
  readonly kind: SourceKind;
  /** Short name for lists: the file's base name, `udp:5514`. */
  readonly label: string;
  /** Absolute path or address. */
  readonly location: string;
  readonly state: 'opening' | 'reading' | 'following' | 'gone' | 'listening' | 'paused' | 'ended' | 'failed' | 'closed';
  /** null: the records are shown raw. */
  readonly decoder: DecoderChoice | null;
  /** It is a table of a store: its messages were decoded when they were imported. */
  readonly stored?: true;
  /** The records from before a crash of the engine are still being read back. */
  readonly restoring?: true;
  /** No decoder was found for its beginning, and nobody has chosen one yet. */
  readonly unrecognised?: true;
  /** Seconds that are added to the time of each record. */
  readonly timeOffset: number;
  /** Fields that a table of its records shows unless someone chose others; `Hostname` and `Logger` are the headers. */
  readonly columns: readonly string[];
  /** The fields are all that its records say, and all of a kind: the columns repeat the text. */
  readonly tabular: boolean;
  /** Characters of the longest values of its fields in its first records, as far as they are known. */
  readonly lengths: Readonly<Record<string, number>>;
  /** The headers among Hostname, Logger and Pid that its records have had so far. */
  readonly headers: readonly string[];
  readonly records: number;
  readonly failures: number;
  readonly dropped: number;
  readonly bytes: number;
  readonly totalBytes: number;
  /** Records a second, now, and for the last 30 seconds (oldest first). */
  readonly rate: number;
  readonly history: readonly number[];
  /** The last problem, as a sentence for the user. */
  readonly problem: string | null;
  /** Exit status or signal of a command that has ended by itself; absent: it has not. */
  readonly end?: { readonly status: number | null; readonly signal: string | null; readonly at: number } | undefined;
}

export interface EngineState {
  readonly pid: number;
  readonly sources: readonly SourceInfo[];
  readonly plugins: readonly PluginInfo[];
  readonly records: number;
  readonly rate: number;
  /** Batches that wait between the stages. */
  readonly queued: number;
  readonly dropped: number;
  readonly failures: number;
  /** Resident bytes of all processes. The engine counts itself and its sandbox hosts; the shell adds those of the window. */
  readonly memory: number;
  readonly clock: 'live' | 'replay' | 'idle';
}

/** A part of the state that is told when it changes: those that are new or have changed, and the ids of all in their order; null: they are as before. */
export interface PartChanges<T extends { readonly id: unknown }> {
  readonly changed: readonly T[];
  readonly ids: readonly T['id'][] | null;
}

/** All that has changed since the last event of its kind. Together with an answer to `engine.state` that came in between it is right as well. */
export interface StateChange extends Omit<EngineState, 'sources' | 'plugins'> {
  readonly sources: PartChanges<SourceInfo>;
  readonly plugins: PartChanges<PluginInfo>;
}

export interface Notice {
  readonly id: number;
  readonly at: number;
  readonly level: 'info' | 'warning' | 'error';
  readonly code: NoticeCode;
  /** One line. */
  readonly text: string;
  /** Further details, such as the last output of a process that died; null: none. */
  readonly details: string | null;
  /** Its subject, which the window can show; null: none. */
  readonly about: NoticeSubject | null;
}

/** The subject of a notice. */
export interface NoticeSubject {
  readonly source: number | null;
  /** Name of a plugin. */
  readonly plugin: string | null;
  /** Milliseconds: the time of the records that it is about; null: unknown. */
  readonly time: number | null;
  /** The end of the plugin; null: it has not ended. */
  readonly end: End | null;
  /** The kind of output that the plugin shows; null: none, or not yet. */
  readonly shows: 'graphs' | 'items' | null;
  /** Title of a rule whose records it tells of; empty: of several rules. Absent: of none. */
  readonly rule?: string | undefined;
  /** A folder or an archive, and how many of its logs the next opening of it adds; absent: it is about none. */
  readonly rest?: { readonly path: string; readonly logs: number } | undefined;
}

/** One thing of this machine that can be watched. */
export interface WatchItem {
  readonly name: string;
  /** Path or program that it is read from. */
  readonly place: string;
  /** The reason for which it cannot be read, and what to do; null: it can. */
  readonly reason: string | null;
}

/** The parts of this machine that are watched, and those that cannot be. */
export interface WatchReport {
  readonly items: readonly WatchItem[];
}
/** The requests to the engine, and those that the shell answers itself: name → input and answer. */
export type EngineRequests = TypesOf<typeof engineRequests>;
export type ShellRequests = TypesOf<typeof shellRequests>;
export type RequestName = keyof EngineRequests;

/** The events of the engine, each at most a few times a second. */
export interface EngineEvents {
  state: StateChange;
  notice: Notice;
  /**
   * Rows were added to a view or its filter went on; `scanned` of `records` were looked at. While `revision` stays the same, rows were only
   * added at the end. `fresh` counts the rows that came since the view was opened, as opposed to those that were found or read. While `nearby` holds, the `total`
   * rows are only those around the place that was asked for, and `found` those of the filter so far.
   */
  'view.changed': {
    view: number;
    total: number;
    nearby: boolean;
    found: number;
    scanned: number;
    records: number;
    revision: number;
    fresh: number;
    facts: ViewFacts;
    /** null: in their own order. */
    sort: SortState | null;
  };
  /** More rows of a view were searched. */
  'search.changed': { view: number } & SearchProgress;
  /** The marks of the open sources have changed. */
  marks: { marks: Mark[] };
  /** Progress of the rules, and their hits. */
  rules: RulesProgress;
  export: ExportInfo;
  /** Assistants have asked, or may ask about other files. */
  assistants: AssistantsState;
}

export type AllRequests = EngineRequests & ShellRequests;
export type AllEvents = EngineEvents & ShellEvents;

/** A refused request: a stable code, and words for the user. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly text: string;
  /** Place of the mistake in a query. */
  readonly place?: QueryPlace | undefined;
}

/** An answer is a value, not a thrown error: the bridge into the page keeps nothing of an error but its message. */
export type Reply<N extends keyof AllRequests> = { readonly value: AllRequests[N]['out'] } | { readonly failed: Refusal };

/** The interface that the preload puts on `window.sluicebox`. */
export interface SluiceboxApi {
  /** Never rejects. */
  request<N extends keyof AllRequests>(name: N, input: AllRequests[N]['in']): Promise<Reply<N>>;
  on<N extends keyof AllEvents>(name: N, listener: (data: AllEvents[N]) => void): () => void;
  /** Opens files that were dropped on the window. Never rejects. */
  openDropped(files: readonly File[]): Promise<Reply<'source.open'>>;
  readonly platform: 'linux' | 'darwin' | 'win32';
}
