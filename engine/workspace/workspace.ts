import { join } from 'node:path';
import { EngineError, messageOf } from '../base/errors.ts';
import { onLookupNews, useLookups } from '../lookup/folder.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { LatestPayloads } from '../outputs/latest-payloads.ts';
import { schemaTree } from '../outputs/schema-tree.ts';
import { DecoderDetector } from '../detect/detect.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { PipelineReport } from '../pipeline/plugin-report.ts';
import { SummaryPlans } from '../plugins/summary-plan.ts';
import type { Sandboxes } from '../plugins/starter.ts';
import type { PlanOf } from '../store/record-summaries.ts';
import { UserScripts } from '../plugins/user-scripts.ts';
import { RecordStore } from '../store/record-store.ts';
import type { ViewRow } from '../store/view-entry.ts';
import { ENGINE_FACTS, EngineInput } from './sources/engine-source.ts';
import { Assistants } from './assistants.ts';
import { Exports } from './query/exports.ts';
import { FileOpening } from './opening/file-opening.ts';
import { FilterEditor } from './filters/filter-editor.ts';
import { InjectedMessages } from './injected-messages.ts';
import type { InputFactory } from './sources/inputs.ts';
import { ListedSources } from './opening/listed-sources.ts';
import { LiveOpening } from './opening/live-opening.ts';
import { Annotations } from './marks/annotations.ts';
import { Incidents } from './incident/incidents.ts';
import { NamedWorkspaces } from './named/named-workspaces.ts';
import { Consent, type Ask } from './common/consent.ts';
import { Grants } from './common/grants.ts';
import { Notices, sayOfReceived, sayOfStore } from './common/notices.ts';
import { OpenSources } from './sources/open-sources.ts';
import { WorkspaceOutputs } from './outputs.ts';
import { Queries } from './query/queries.ts';
import { DecoderEditor } from './decoder-editor.ts';
import { SavedQueries } from './saved-queries.ts';
import { WorkspaceFilters } from './filters/plugins.ts';
import { AllowedScripts } from './scripts/allowed-scripts.ts';
import { WorkspaceRules } from './rules/workspace-rules.ts';
import { ReadingTurns } from './sources/reading-turns.ts';
import { ReceivedFolder } from './sources/received-records.ts';
import type { SourceContext } from './sources/context.ts';
import type { Source } from './sources/source.ts';
import { StateNews } from './state-news.ts';
import { DEFAULT_TEMPLATES } from './file/templates.ts';
import { alertWords } from './common/alert-words.ts';
import { tryScript } from './scripts/trial.ts';
import { WorkspaceFile } from './file/workspace-file.ts';
import type { EngineEvents, EngineState, FileLook, FilePlace, SchemaLogger, TrialReply, TrialRequest } from '../api/types.ts';
import { Fleet } from './fleet.ts';
import { TypedOpening } from './opening/typed-opening.ts';
import { ViewRegistry } from './views.ts';

export interface WorkspaceOptions {
  /** The user-data folder, with the temporary record store and the workspace file. */
  readonly folder: string;
  /** The folder of its lookups; absent: that within its own. */
  readonly lookups?: string | undefined;
  /** The folder of the user's scripts; absent: that within its own. */
  readonly scripts?: string | undefined;
  readonly sandboxes: Sandboxes;
  readonly inputs: InputFactory;
  /** Asks the user, through the shell, whether something may start. */
  readonly ask: Ask;
  /** Sends an event to the window. */
  readonly emit: <N extends keyof EngineEvents>(name: N, data: EngineEvents[N]) => void;
}

/** Everything that one window works on: sources, records, views, filters and what they inject. */
export class Workspace {
  readonly store: RecordStore;
  readonly views: ViewRegistry;
  /** The plan by which the summaries of a decoder's records are made. */
  readonly planOf: PlanOf;
  readonly annotations: Annotations;
  readonly notices: Notices;
  readonly payloads = new LatestPayloads();
  readonly outputs = new WorkspaceOutputs(this.payloads, () => this.#schema());
  readonly #options: WorkspaceOptions;
  readonly filters: WorkspaceFilters;
  readonly scripts: AllowedScripts;
  readonly filterEditor: FilterEditor;
  readonly exports: Exports;
  readonly queries: Queries;
  readonly savedQueries: SavedQueries;
  readonly named: NamedWorkspaces;
  readonly incidents: Incidents;
  readonly rules: WorkspaceRules;
  readonly typed: TypedOpening;
  readonly live: LiveOpening;
  readonly decoders: DecoderEditor;
  readonly fleet: Fleet;
  readonly assistants: Assistants;
  readonly #files: FileOpening;
  /** The files that the user chose. */
  readonly grants = new Grants();
  readonly #received: ReceivedFolder;
  readonly #reading = new ReadingTurns();
  readonly #sources: OpenSources;
  readonly #listed: ListedSources;
  readonly #state: StateNews;
  readonly #detector: DecoderDetector;
  readonly #lookups: Disposable;
  #engine: EngineInput | null = null;

  constructor(options: WorkspaceOptions) {
    this.#options = options;
    const { emit, sandboxes, inputs } = options;
    const consent = new Consent(options.ask);
    this.notices = new Notices((notice) => emit('notice', notice));
    this.store = new RecordStore({ folder: join(options.folder, 'store'), onProblem: (text) => sayOfStore(this.notices, text) });
    this.#received = new ReceivedFolder({
      folder: join(options.folder, 'received'),
      onProblem: (text) => sayOfReceived(this.notices, text),
    });
    const plans = new SummaryPlans();
    this.planOf = (decoder) => plans.of(decoder);
    this.views = new ViewRegistry(this.store, {
      planOf: this.planOf,
      changed: (event) => emit('view.changed', event),
      searched: (event) => emit('search.changed', event),
      labelOf: (source) => (this.#sources.has(source) ? this.#sources.get(source).label : ''),
      failed: (error) => this.notices.say('error', 'store.failed', `Records could not be read back: ${messageOf(error)}`),
      marked: () => this.annotations.marks.records,
    });
    this.annotations = new Annotations({
      store: this.store,
      folder: options.folder,
      sourceOf: (id) => (this.#sources.has(id) ? this.#sources.get(id) : undefined),
      openSources: () => this.#sources.all(),
      changed: (marks) => emit('marks', { marks }),
      failed: (text) => this.notices.say('warning', 'marks.file', text),
    });
    const scripts = options.scripts ?? join(options.folder, 'scripts');
    const lookups = options.lookups ?? join(options.folder, 'lookups');
    useLookups(lookups);
    this.#lookups = onLookupNews(({ level, code, text }) => {
      this.notices.say(level, code, text);
      if (code === 'lookup.read') this.views.lookupsRead();
    });
    this.rules = new WorkspaceRules({
      store: this.store,
      folder: options.folder,
      lookups,
      grants: this.grants,
      notices: this.notices,
      changed: (progress) => emit('rules', progress),
    });
    const own = new UserScripts(scripts, 'decoder', (text) => this.notices.say('warning', 'script.unusable', text));
    this.#detector = new DecoderDetector(sandboxes, (text) => this.notices.say('warning', 'decoder.untried', text), own);
    this.#sources = new OpenSources((id) => this.#contextOf(id));
    this.filters = new WorkspaceFilters(DEFAULT_TEMPLATES, {
      starter: sandboxes,
      store: this.store,
      folder: join(options.folder, 'filter-states'),
      hooks: {
        changed: () => this.#state.changed(),
        notice: (level, code, text, about) => this.notices.say(level, code, text, about),
        inputNames: (source) => this.#listed.namesOf(source),
        forget: (source, plugin) => this.#forget(source.id, plugin),
        areShown: (output) => this.outputs.areShown(output),
        stopped: (source, section, stopped) => this.#listed.setStopped(source, section, stopped),
      },
    });
    this.scripts = new AllowedScripts(scripts, this.grants, () => this.filters.templates.map(({ script }) => script));
    const file = new WorkspaceFile(join(options.folder, 'workspace.toml'));
    this.filterEditor = new FilterEditor(file, this.filters, this.scripts, consent);
    const parts = { sources: this.#sources, filters: this.filters };
    this.#state = new StateNews({ ...parts, sandboxes, emit: (state) => emit('state', state) });
    this.#listed = new ListedSources({ ...parts, file, inputs, consent, notices: this.notices, close: (id) => this.close(id) });
    this.exports = new Exports({
      grants: this.grants,
      store: this.store,
      emit: (info) => emit('export', info),
      labelOf: (source) => (this.#sources.has(source) ? this.#sources.get(source).label : ''),
      notes: () => this.annotations.marks.notes(),
      isRead: (path) => this.#sources.find('file', path) !== undefined,
    });
    this.#files = new FileOpening({
      folder: options.folder,
      inputs,
      sources: this.#sources,
      listed: this.#listed,
      grants: this.grants,
      consent,
      notices: this.notices,
      moved: ({ path, place }) => this.annotations.marks.move(path, place),
      opened: () => {
        this.annotations.marks.sourcesChanged();
        // Their first lines are to be on the screen at once.
        this.#state.tell();
      },
    });
    this.typed = new TypedOpening({
      detector: this.#detector,
      grants: this.grants,
      consent,
      listed: this.#listed,
      open: (paths) => this.open(paths),
      places: () => this.#sources.places(),
    });
    this.live = new LiveOpening({ inputs, sources: this.#sources, listed: this.#listed, consent });
    this.decoders = new DecoderEditor({
      sources: this.#sources,
      listed: this.#listed,
      consent,
      scripts: this.scripts,
      own,
      forget: (id) => this.#forget(id),
    });
    this.assistants = new Assistants({
      folder: options.folder,
      source: (id) => this.source(id),
      changed: (state) => emit('assistants', state),
      failed: (text) => this.notices.say('warning', 'assistants.file', text),
    });
    this.fleet = new Fleet(consent, this.#listed);
    this.queries = new Queries({ store: this.store, folder: join(options.folder, 'store'), sources: () => this.#sources.all() });
    this.savedQueries = new SavedQueries(file);
    const pack = { store: this.store, sources: this.#sources, listed: this.#listed, file, annotations: this.annotations, scripts };
    this.named = new NamedWorkspaces({
      ...pack,
      folder: options.folder,
      consent,
      exports: this.exports,
      grants: this.grants,
      open: (paths) => this.open(paths),
      close: (id) => this.close(id),
      said: (text) => this.notices.say('info', 'workspace.part', text),
      replaced: () => this.filterEditor.replaced(),
    });
    this.incidents = new Incidents({
      store: this.store,
      annotations: this.annotations,
      queries: this.queries,
      savedQueries: () => this.savedQueries.list(),
      labelOf: (source) => (this.#sources.has(source) ? this.#sources.get(source).label : ''),
      exports: this.exports,
      pack,
    });
  }

  /**
   * Opens the files that are not open, and the logs of folders. Returns the numbers of their sources in order.
   * @param moved files that were open in another place before
   * @throws {EngineError} `file.ungranted` for one that nobody chose, `consent.refused`, `limit.reached`
   */
  open(paths: readonly string[], moved: readonly FilePlace[] = []): Promise<number[]> {
    return this.#files.open(paths, moved);
  }

  /** Tells where files are that were open before. */
  whereabouts(paths: readonly string[], places: readonly FilePlace[]): Promise<FileLook[]> {
    return this.#files.whereabouts(paths, places);
  }

  /** Watches the engine itself: reports of its parts, its memory, and the ends of filters. */
  watchEngine(): number {
    const known = this.#sources.find(ENGINE_FACTS.kind, ENGINE_FACTS.location);
    if (known) return known.id;
    const reports = async (): Promise<PipelineReport[]> =>
      (await Promise.all(this.#sources.all().map((source) => source.report()))).filter((report) => report !== null);
    const source = this.#sources.add({ ...ENGINE_FACTS, input: () => (this.#engine = new EngineInput({ reports })) });
    void this.#listed.ready.then(() => source.open(null));
    return source.id;
  }

  /** @throws {EngineError} `source.unknown` */
  async close(id: number): Promise<void> {
    const source = this.source(id);
    this.#sources.remove(id);
    this.filters.remove(source);
    // At once: it may be opened again before it has come to its end.
    this.#listed.remove(source);
    await source.close();
    this.store.remove(id);
    this.annotations.marks.sourcesChanged();
    this.payloads.remove(id);
    this.outputs.forgot();
    this.#state.changed();
  }

  /**
   * Adds so many seconds to the times of a source, now and at the next start.
   * @throws {EngineError} `source.unknown`, `source.parts`
   */
  shiftTimes(id: number, seconds: number): void {
    const source = this.source(id);
    if (source.kind === 'workstation') throw new EngineError('source.parts', `The times of ${source.label} are those of this machine.`);
    this.#listed.setTimeOffset(source, seconds);
    if (source.kind === 'file') this.#forget(id);
    void source.shiftTimes(seconds);
  }

  /** @throws {EngineError} `source.unknown` */
  source(id: number): Source {
    return this.#sources.get(id);
  }

  /** The sections of the sources in the workspace file, by which filters name them. */
  inputs(): { source: number; input: string }[] {
    return this.#sources.all().map((source) => ({ source: source.id, input: this.#listed.nameOf(source) }));
  }

  /**
   * Runs a script over the last records of a source, without any effect.
   * @throws {EngineError} `source.unknown`, or when the matcher is wrong
   */
  tryScript(request: TrialRequest): Promise<TrialReply> {
    if (request.path !== null) this.scripts.checkOwn(request.path);
    this.source(request.source);
    return tryScript(request, { starter: this.#options.sandboxes, store: this.store, folder: this.scripts.folder });
  }

  /** @throws {EngineError} `record.unknown` */
  async record(id: number): Promise<ViewRow> {
    const place = this.store.find(id);
    if (!place) throw new EngineError('record.unknown', `There is no record ${id}.`);
    return { ...place, stored: await this.store.load(place.segment) };
  }

  state(): EngineState {
    return this.#state.now();
  }

  /**
   * @param keepReceived leaves what live sources have received to the next process: the window did not end in order
   * @param saved called when all is written that the next process finds; to free the records takes seconds when they are many
   */
  async stop({ keepReceived = false, saved = () => undefined }: { keepReceived?: boolean; saved?: () => void } = {}): Promise<void> {
    this.#state.stopPolling();
    this.#lookups[Symbol.dispose]();
    this.views.closeAll();
    await this.rules.close();
    await this.exports.stop();
    await this.queries.stop();
    await this.fleet.close();
    await this.assistants.close();
    await this.#listed.stop();
    await Promise.all(this.#sources.all().map((source) => source.close({ keepReceived })));
    if (!keepReceived) this.#received.sweep();
    this.#state.stop();
    this.outputs.stop();
    await this.annotations.close({ keepReceived });
    await this.#options.sandboxes.close();
    saved();
    await this.store.close();
  }

  #schema(): SchemaLogger[] {
    const schemas = this.#sources.all().map(({ schema }) => schema);
    return schemaTree(
      schemas.map(({ counts }) => counts.loggers()),
      schemas.map(({ samples }) => samples),
    );
  }

  /** Removes the outputs of all filters of a source, or of one of them. */
  #forget(source: number, plugin?: string): void {
    this.payloads.remove(source, plugin);
    this.outputs.forgot();
  }

  #contextOf(id: number): SourceContext {
    return {
      store: this.store,
      starter: this.#options.sandboxes,
      detector: this.#detector,
      received: this.#received,
      reading: this.#reading,
      addPlugins: (source, pipeline) => this.#addPlugins(source, pipeline),
      atEnd: (source) => {
        this.filters.atEnd(source);
        this.views.atEnd();
        this.outputs.atEnd();
      },
      changed: () => this.#state.changed(),
      took: (records) => {
        this.#state.counted(records);
        this.outputs.counted();
      },
      notice: ({ level, code, text }) => this.notices.say(level, code, text, { source: id }),
    };
  }

  #addPlugins(source: Source, pipeline: Pipeline): void {
    // A source that is closed while it starts is started nevertheless, and then stopped.
    if (this.#sources.has(source.id)) this.filters.addTo(source, pipeline);
    const tellEngine = (batch: MessageBatch): void => void this.#engine?.tell(batch).catch(() => undefined);
    pipeline.addOutput(new InjectedMessages((batch, byHost) => this.#take(source.id, batch, byHost), tellEngine, source.bringsOutputs));
  }

  /** Takes what the filters of a source inject, or have injected elsewhere. */
  #take(source: number, batch: MessageBatch, byHost: boolean): void {
    if (!this.#sources.has(source)) return;
    const news = this.payloads.accept(source, batch, { byHost });
    for (const { plugin, text, row } of news.alerts) {
      // The time of the tick, also when the filter reads what the source had brought long before.
      const time = Number((batch.timestamps[row] as bigint) / 1_000_000n);
      const graphs = this.payloads.graphsOf(source, plugin);
      const shows = graphs.length > 0 ? 'graphs' : this.payloads.itemsOf(source, plugin).length > 0 ? 'items' : null;
      this.notices.say('warning', 'alert', alertWords(text, { plugin, graphs, time }), { source, plugin, time, shows });
    }
    this.outputs.injected(news);
  }
}
