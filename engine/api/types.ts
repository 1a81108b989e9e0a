/**
 * The types of requests and events between the window and the engine. Pure types: the shell relays, the renderer imports these and nothing
 * else of the engine. Times are milliseconds since 1970 unless a name says ns; ns are decimal strings, exact.
 */

import type { End } from './ends.ts';
import type { ErrorCode } from './errors.ts';
import type { DecoderAbout, DecoderPreview } from './decoder-types.ts';
import type { ExportInfo, ExportRequest } from './export-types.ts';
import type { FilterSet, QueryPlace, TextQuery } from './filter-types.ts';
import type { Highlighter, Mark } from './mark-types.ts';
import type { FleetRequests } from './fleet-types.ts';
import type { NoticeCode } from './notices.ts';
import type { OpenRequests } from './open-types.ts';
import type { OperationRequests } from './operation-types.ts';
import type { PatternRequests } from './pattern-types.ts';
import type { FilterSection, PluginInfo, PluginRequests } from './plugin-types.ts';
import type { QueryRequests } from './query-types.ts';
import type { Graph, ItemTable, OutputChanges, SchemaChange } from './output-types.ts';
import type { RecordGraphRequests } from './record-graph-types.ts';
import type { RawLines, RecordDetail, RecordQuery, RowsReply } from './record-types.ts';
import type { ShellEvents, ShellRequests } from './shell-types.ts';
import type { FileLook, FilePlace, WorkspaceRequests } from './workspace-types.ts';
import type { Histogram, SearchProgress, SortState, TickKind, Ticks, TopValues, ViewFacts } from './view-types.ts';

export type { DecoderAbout, DecoderParameter, DecoderPreview, PreviewRecord } from './decoder-types.ts';
export type { ExportFormat, ExportInfo, ExportRequest } from './export-types.ts';
export type * from './filter-types.ts';
export type * from './mark-types.ts';
export type * from './fleet-types.ts';
export type * from './open-types.ts';
export type * from './operation-types.ts';
export type * from './pattern-types.ts';
export type * from './output-types.ts';
export type * from './plugin-types.ts';
export type * from './query-types.ts';
export type * from './record-graph-types.ts';
export type * from './record-types.ts';
export type * from './shell-types.ts';
export type * from './workspace-types.ts';
export type { Histogram, HistogramGroup, SearchProgress, SortState, TickKind, Ticks, TopValues, ViewFacts } from './view-types.ts';

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

/** The requests to the engine: name → input and answer. Inputs are checked against `requestSchemas` at the edge. */
export interface EngineRequests
  extends
    FleetRequests,
    OpenRequests,
    OperationRequests,
    PatternRequests,
    PluginRequests,
    QueryRequests,
    RecordGraphRequests,
    WorkspaceRequests {
  'engine.state': { in: Record<string, never>; out: EngineState };
  /** Opens files. `moved`: those that were open in another place before, from which they take their decoder, time offset and marks. */
  'source.open': { in: { paths: string[]; moved?: FilePlace[] }; out: { opened: number[] } };
  /** Tells where files are that were open before. `places` says where the user has found some of them. */
  'source.whereabouts': { in: { paths: string[]; places: FilePlace[] }; out: { files: FileLook[] } };
  'source.listen': { in: { protocol: 'udp' | 'tcp'; host: string; port: number }; out: { id: number } };
  /** Runs a command line in a shell, now and at every start, and shows what it writes. */
  'source.run': { in: { command: string }; out: { id: number } };
  /** The first lines of a source as they are. */
  'source.head': { in: { id: number }; out: { lines: string[] } };
  /**
   * Lines of a file as they stand in it, decoded or not, from the line that is `before` lines before the one with the byte `at`. null: it cannot be
   * read by bytes, because it is packed, no UTF-8, or several files.
   */
  'source.raw': { in: { id: number; at: number; before: number; count: number }; out: RawLines | null };
  /** Stops a source; what it brought stays. A file stops only on the way to its end. */
  'source.pause': { in: { id: number }; out: null };
  /** Goes on after that, or runs a command again that has ended. */
  'source.resume': { in: { id: number }; out: null };
  'source.close': { in: { id: number }; out: null };
  /** Watches the engine itself, as long as it runs. */
  'engine.watch': { in: Record<string, never>; out: { id: number } };
  /** Watches this machine, now and at every start. */
  'workstation.watch': { in: Record<string, never>; out: WatchReport };
  /** The parts of this machine that could be watched now. */
  'workstation.about': { in: Record<string, never>; out: WatchReport };
  /** Decodes the source anew with this decoder; null: shows it raw. */
  'source.decoder': {
    in: { id: number; decoder: string | null; config?: Record<string, string | number | boolean> | undefined };
    out: null;
  };
  /** Adds so many seconds to the times of a source, now and whenever it is opened again. A file is read anew for it. */
  'source.shift': { in: { id: number; seconds: number }; out: null };
  'decoder.list': { in: Record<string, never>; out: DecoderAbout[] };
  /** Runs a decoder over the first records of a source. */
  'decoder.preview': { in: { id: number; decoder: string; config: Record<string, string | number | boolean> }; out: DecoderPreview };
  'view.open': { in: { query: RecordQuery }; out: { view: number } };
  /**
   * Answers with the revision from which on `view.changed` events are about this query. `near`: the record around which rows are wanted first, or the end of the
   * list; absent: its beginning.
   */
  'view.query': { in: { view: number; query: RecordQuery; near?: number | 'end' | undefined }; out: { revision: number } };
  'view.close': { in: { view: number }; out: null };
  /** Records as they were read, or as JSON lines: as many as fit. */
  'view.text': { in: { view: number; start: number; count: number; format: 'raw' | 'json' }; out: { text: string; count: number } };
  'view.rows': { in: { view: number; start: number; count: number; columns: string[] }; out: RowsReply };
  /** Row number in the view of the first record at or after a time. */
  'view.seek': { in: { view: number; time: number }; out: { row: number } };
  /** Row number in the view of a record, of as many rows as there are then; null: it is not shown there. */
  'view.locate': { in: { view: number; id: number }; out: { row: number | null; total: number } };
  /**
   * Looks for a text in the rows of a view, which stay as they are, beginning at the row `near`; `search.changed` events say how far it is. An empty text
   * ends the search. The search stays when the view gets another query.
   */
  'view.search': { in: { view: number; search: TextQuery; near: number }; out: null };
  /**
   * Shows all rows of a view by a column, in a stable order, values that are missing last; `view.changed` events say how far it is. Rows that come then are not shown
   * until it is asked for again. null: in the order of arrival or time.
   */
  'view.sort': { in: { view: number; column: { by: string; down: boolean } | null }; out: null };
  /** Rows with a hit before a row, as far as they were counted, and whether that row is one. */
  'view.hits': { in: { view: number; row: number }; out: { before: number; hit: boolean } };
  /** The nearest row of a kind behind a row, or before it; beyond the end of the list it goes on at the other one. null: there is none. */
  'view.nearest': { in: { view: number; kind: TickKind; row: number; forward: boolean }; out: { row: number | null; wrapped: boolean } };
  /** The hits, marks, errors and warnings along the rows of a view, in so many parts at most. */
  'view.ticks': { in: { view: number; buckets: number }; out: Ticks };
  /** `by`: a variable whose values are the layers; absent: severities. */
  'view.histogram': {
    in: { view: number; buckets: number; from?: number | undefined; to?: number | undefined; by?: string | undefined };
    out: Histogram;
  };
  /** The commonest values of a variable among the records that the view shows. Counts a while and answers with what it has. */
  'view.top': { in: { view: number; variable: string; limit: number }; out: TopValues };
  /** Writes the records that a query selects now into a file; `export` events say how far it is. */
  'export.start': { in: ExportRequest; out: { id: number } };
  'export.cancel': { in: { id: number }; out: null };
  /** Number of the record that came last; null: there is none. */
  'record.last': { in: Record<string, never>; out: { last: number | null } };
  'record.get': { in: { id: number }; out: RecordDetail };
  /** The message of a record as a line of JSON, without its line end, as exports write it. */
  'record.json': { in: { id: number }; out: { json: string } };
  /** The marks of the open sources, by time. */
  'mark.list': { in: Record<string, never>; out: Mark[] };
  /** Marks a record, or takes its mark away. */
  'mark.set': { in: { record: number; on: boolean }; out: null };
  'mark.note': { in: { key: number; note: string }; out: null };
  'mark.remove': { in: { key: number }; out: null };
  'highlighter.list': { in: Record<string, never>; out: Highlighter[] };
  /** Replaces all highlighters. */
  'highlighter.set': { in: { highlighters: Highlighter[] }; out: null };
  'filterSet.list': { in: Record<string, never>; out: FilterSet[] };
  /** Replaces all sets of filters. */
  'filterSet.set': { in: { sets: FilterSet[] }; out: null };
  'graph.list': { in: Record<string, never>; out: Graph[] };
  'items.list': { in: Record<string, never>; out: ItemTable[] };
  /**
   * Answered as soon as there is something newer than revision `since`, at most some times a second; 0: whatever there is, at once. So a
   * graph that changed comes by itself, while somebody waits for it, and what changes meanwhile comes once, as it is then.
   */
  'graph.changes': { in: { since: number }; out: OutputChanges<Graph> };
  'items.changes': { in: { since: number }; out: OutputChanges<ItemTable> };
  'schema.changes': { in: { since: number }; out: SchemaChange };
  'notice.list': { in: Record<string, never>; out: Notice[] };
}
export type RequestName = keyof EngineRequests;

/** The events of the engine, each at most a few times a second. */
export interface EngineEvents {
  state: EngineState;
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
  export: ExportInfo;
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
