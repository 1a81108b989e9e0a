import type { PluginInfo } from '../../api/types.ts';
import { EngineError } from '../../base/errors.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { SandboxStarter } from '../../plugins/sandboxes.ts';
import type { RecordStore } from '../../store/record-store.ts';
import { spanOf } from '../../store/source-records.ts';
import { ENGINE_TEMPLATES } from '../sources/engine-source.ts';
import { filterChanges, type FilterChanges } from './filter-changes.ts';
import { FilterMaker, type FilterNews } from './filter-maker.ts';
import { SourcePipeline } from './source-pipeline.ts';
import { secondsPerRow } from './graph-span.ts';
import { refillFilter } from './refill.ts';
import type { RunningFilter } from './running-filter.ts';
import { SavedStates } from './saved-states.ts';
import type { Source } from '../sources/source.ts';
import { defaultOutput, type DefaultOutput, type FilterTemplate } from '../file/templates.ts';

export interface FilterHooks extends FilterNews {
  /** The section of a source in the workspace file. */
  inputNames(source: Source): readonly string[];
  /** Called when a filter of a source was removed or starts again: its graphs and lists are out of date. */
  forget(source: Source, plugin: string): void;
  /** Whether someone looks at graphs, or at lists. */
  areShown(output: DefaultOutput): boolean;
  /** Called when someone stopped a filter of the workspace file for a source, or started it again. */
  stopped(source: Source, section: string, stopped: boolean): void;
}

export interface FilterSurroundings {
  readonly starter: SandboxStarter;
  readonly store: RecordStore;
  /** Folder for the states of filters that are being replaced. */
  readonly folder: string;
  readonly hooks: FilterHooks;
}

/** Options for replacing a filter: it keeps its state, or starts again from the first record. */
export interface ReplaceOptions {
  readonly keepState: boolean;
}

/** Filters of live sources whose ticks are farther apart, in seconds, are brought up to date in between. */
const LIVE_TICKER = 5;

/** The filters of a workspace: one of each template for each source that it is for. */
export class WorkspaceFilters {
  readonly #maker: FilterMaker;
  readonly #states: SavedStates;
  readonly #store: RecordStore;
  readonly #hooks: FilterHooks;
  readonly #running = new Set<RunningFilter>();
  readonly #pipelines = new Map<Source, SourcePipeline>();
  #templates: readonly FilterTemplate[];

  constructor(templates: readonly FilterTemplate[], { starter, store, folder, hooks }: FilterSurroundings) {
    this.#templates = templates;
    this.#store = store;
    this.#hooks = hooks;
    this.#states = new SavedStates(folder);
    this.#maker = new FilterMaker({
      starter,
      news: hooks,
      spanOf: ({ id }) => spanOf(store, id),
      isStopped: ({ name }, source) => this.#isStopped(name, source),
      isTaken: (name) => [...this.#running].some((filter) => filter.name === name),
    });
  }

  get templates(): readonly FilterTemplate[] {
    return this.#templates;
  }

  /** Takes other templates over: starts, stops and replaces what is different, while the rest goes on. */
  async setTemplates(templates: readonly FilterTemplate[], options: (source: Source) => ReplaceOptions): Promise<void> {
    this.#templates = templates;
    await Promise.all([...this.#pipelines].map(([source, sourcePipeline]) => this.#exchange(source, sourcePipeline, options(source))));
    for (const source of this.#pipelines.keys()) if (!this.#wantedBy(source).every(isDefault)) this.#wake(this.#of(source));
    this.#hooks.changed();
  }

  /** Adds a filter of each template to the pipeline of a source. One that cannot start is a notice; the others go on. */
  addTo(source: Source, pipeline: Pipeline): void {
    this.remove(source);
    const sourcePipeline = new SourcePipeline(pipeline);
    this.#pipelines.set(source, sourcePipeline);
    const wanted = this.#wantedBy(source);
    const mayRest = source.kind === 'file' && wanted.every(isDefault);
    for (const template of wanted) {
      const filter = this.#maker.make({ template, source, sourcePipeline });
      if (filter === null) continue;
      this.#running.add(filter);
      if (filter.stopped) continue;
      const output = defaultOutput(template);
      if (mayRest && output !== null && !this.#hooks.areShown(output)) rest(filter);
      else pipeline.router.addFilter(filter.runner);
    }
  }

  /**
   * Starts the default filters of files that rest because nobody has looked at what they make: they read what is stored.
   * @param output only those that make graphs, or lists
   */
  wake(output?: DefaultOutput): void {
    this.#wake([...this.#running].filter(({ template }) => output === undefined || defaultOutput(template) === output));
  }

  #wake(filters: readonly RunningFilter[]): void {
    for (const filter of filters) {
      if (!filter.resting) continue;
      filter.resting = false;
      const sourcePipeline = this.#pipelines.get(filter.source);
      if (sourcePipeline === undefined || filter.stopped || filter.dropped) continue;
      if (this.#isOutgrown(filter)) void this.#renew(filter, sourcePipeline);
      else void this.#refill(filter, sourcePipeline);
    }
  }

  /** A file was read to its end: graphs that have no room for all of its time begin anew with longer rows. */
  atEnd(source: Source): void {
    const awake = this.#of(source).filter(({ resting }) => !resting);
    const sourcePipeline = this.#pipelines.get(source);
    for (const filter of awake) if (sourcePipeline !== undefined && this.#isOutgrown(filter)) void this.#renew(filter, sourcePipeline);
  }

  remove(source: Source): void {
    for (const filter of this.#of(source)) this.#drop(filter);
    this.#pipelines.get(source)?.close();
    this.#pipelines.delete(source);
  }

  /**
   * Starts a filter that was stopped, with the state that it had, or one that has ended, anew.
   * @throws {EngineError} `plugin.gone`, and why it does not load
   */
  async start(id: string): Promise<void> {
    const { stopped, template, source } = this.#find(id);
    await this.#reload(id, stopped, () => this.#setStopped(template.name, source, false));
  }

  /** @throws {EngineError} `plugin.gone` */
  async stop(id: string): Promise<void> {
    const filter = this.#find(id);
    this.#setStopped(filter.template.name, filter.source, true);
    const sourcePipeline = this.#pipelineOf(filter.source);
    filter.dropped = true;
    await sourcePipeline.inTurn(() => this.#stop(this.#find(id), sourcePipeline));
    this.#hooks.changed();
  }

  /**
   * Starts a filter anew, with what its script says now; one that is stopped stays so.
   * @throws {EngineError} `plugin.gone`, and why it does not load; it goes on as it was then
   */
  async reload(id: string, { keepState }: ReplaceOptions): Promise<void> {
    await this.#reload(id, keepState);
  }

  /** As `FilterMaker.check`. */
  check(template: FilterTemplate, text?: string): Promise<void> {
    return this.#maker.check(template, text);
  }

  /** The filters of a section, one for each source. */
  idsOf(section: string): string[] {
    return [...this.#running].filter(({ template }) => template.name === section).map(({ id }) => id);
  }

  /** Brings the graphs and tables of sources that are being read up to date; what they show at the end is the same. */
  refresh(source: Source): void {
    for (const { runner, template } of this.#of(source)) {
      if (template.builtIn && (source.clock === 'message' || template.ticker > LIVE_TICKER)) runner.refresh();
    }
  }

  /** Requests the reports of the sandboxes. */
  async poll(isDue: (source: Source) => boolean): Promise<void> {
    await Promise.all([...this.#running].filter(({ source }) => isDue(source)).map(async (filter) => filter.poll()));
  }

  infos(): PluginInfo[] {
    return [...this.#running].map((filter) => filter.info());
  }

  async #reload(id: string, keepState: boolean, checked?: () => void): Promise<void> {
    const known = this.#find(id);
    await this.check(known.template);
    checked?.();
    const { source } = known;
    const sourcePipeline = this.#pipelineOf(source);
    known.dropped = true;
    await sourcePipeline.inTurn(async () => {
      const old = this.#find(id);
      if (!sourcePipeline.closed) await this.#enter({ template: old.template, source, sourcePipeline, old, keepState });
    });
    this.#hooks.changed();
  }

  #isOutgrown({ rowSeconds, template, source, ended, stopped, dropped }: RunningFilter): boolean {
    if (rowSeconds === null || ended !== null || stopped || dropped) return false;
    return (secondsPerRow(template, spanOf(this.#store, source.id)) ?? 0) > rowSeconds;
  }

  /** Begins a filter of a file anew, with what is stored. */
  async #renew({ id, source }: RunningFilter, sourcePipeline: SourcePipeline): Promise<void> {
    await sourcePipeline.inTurn(async () => {
      const old = [...this.#running].find((filter) => filter.id === id);
      if (old === undefined || sourcePipeline.closed || !this.#isOutgrown(old)) return;
      old.dropped = true;
      await this.#enter({ template: old.template, source, sourcePipeline, old, keepState: false });
    });
    this.#hooks.changed();
  }

  #of(source: Source): RunningFilter[] {
    return [...this.#running].filter((filter) => filter.source === source);
  }

  #wantedBy(source: Source): FilterTemplate[] {
    const names = this.#hooks.inputNames(source);
    const wanted = this.#templates.filter(({ inputs }) => inputs === undefined || inputs.some((name) => names.includes(name)));
    return source.kind === 'engine' ? [...ENGINE_TEMPLATES, ...wanted.filter(({ builtIn }) => !builtIn)] : wanted;
  }

  #find(id: string): RunningFilter {
    const filter = [...this.#running].find((other) => other.id === id);
    if (filter === undefined) throw new EngineError('plugin.gone', 'There is no such filter script any more.');
    return filter;
  }

  #pipelineOf(source: Source): SourcePipeline {
    const sourcePipeline = this.#pipelines.get(source);
    if (sourcePipeline === undefined) throw new EngineError('plugin.gone', `${source.label} is not open any more.`);
    return sourcePipeline;
  }

  async #exchange(source: Source, sourcePipeline: SourcePipeline, { keepState }: ReplaceOptions): Promise<void> {
    // Reading stored records for an outdated filter stops at once; the other changes wait for their turn.
    for (const filter of this.#outdated(source)) filter.dropped = true;
    await sourcePipeline.inTurn(async () => {
      if (sourcePipeline.closed) return;
      const { ending, changed, added } = this.#changesOf(source);
      if (ending.length > 0) await sourcePipeline.pipeline.router.exclusive(() => this.#end(ending, sourcePipeline));
      for (const { old, template } of changed) await this.#enter({ template, source, sourcePipeline, old, keepState });
      for (const template of added) await this.#enter({ template, source, sourcePipeline, old: null, keepState: false });
      // The change for which they stopped reading was taken back meanwhile.
      for (const old of this.#of(source).filter(isHalfway))
        await this.#enter({ template: old.template, source, sourcePipeline, old, keepState: false });
      for (const filter of this.#of(source)) await this.#obey(filter, sourcePipeline);
    });
  }

  /** The filters of a source whose sections are others now, or gone. */
  #outdated(source: Source): RunningFilter[] {
    const { ending, changed } = this.#changesOf(source);
    return [...ending, ...changed.map(({ old }) => old)];
  }

  #changesOf(source: Source): FilterChanges {
    return filterChanges(this.#of(source), this.#wantedBy(source));
  }

  async #end(filters: readonly RunningFilter[], sourcePipeline: SourcePipeline): Promise<void> {
    for (const filter of filters) {
      await this.#takeOut(filter, sourcePipeline, false);
      this.#drop(filter);
      this.#hooks.forget(filter.source, filter.name);
    }
  }

  /** Makes a filter and lets it in, in the place of `old`: with its state, or else with the records that are stored. */
  async #enter(entry: {
    readonly template: FilterTemplate;
    readonly source: Source;
    readonly sourcePipeline: SourcePipeline;
    readonly old: RunningFilter | null;
    readonly keepState: boolean;
  }): Promise<void> {
    const { template, source, sourcePipeline, old } = entry;
    const keepState = entry.keepState && old !== null && hasState(old);
    // A live source has no beginning to go back to.
    const refills = !keepState && source.kind === 'file';
    let next: RunningFilter | null = null as RunningFilter | null;
    const exchange = async (): Promise<void> => {
      const state = old === null ? null : await this.#takeOut(old, sourcePipeline, keepState);
      if (old !== null) this.#drop(old);
      if (sourcePipeline.closed) return;
      if (old !== null && !keepState) this.#hooks.forget(source, old.name);
      const made = await this.#maker.makeFrom(state, { template, source, sourcePipeline, name: old?.name });
      if (made === null) return;
      if (sourcePipeline.closed) return made.runner.stop();
      next = made;
      this.#running.add(next);
      if (next.stopped) next.saved = state;
      else if (refills) next.progress = 0;
      else sourcePipeline.pipeline.router.addFilter(next.runner);
    };
    if (old === null && refills) await exchange();
    else await sourcePipeline.pipeline.router.exclusive(exchange);
    if (next?.progress === 0) void this.#refill(next, sourcePipeline);
  }

  async #refill(filter: RunningFilter, sourcePipeline: SourcePipeline): Promise<void> {
    await refillFilter(this.#store, filter, sourcePipeline);
    this.#hooks.changed();
  }

  #drop(filter: RunningFilter): void {
    filter.dropped = true;
    this.#running.delete(filter);
  }

  /** Ends a filter between two batches. @returns the file with its state; null: it has none, or it is not wanted */
  async #takeOut(filter: RunningFilter, { pipeline }: SourcePipeline, keepState: boolean): Promise<string | null> {
    const { runner, sandbox } = filter;
    pipeline.router.remove(runner);
    if (keepState && filter.ended === null && !filter.stopped && filter.progress === null) filter.saved = await this.#states.save(sandbox);
    await runner.stop();
    return keepState ? filter.saved : null;
  }

  async #stop(filter: RunningFilter, sourcePipeline: SourcePipeline): Promise<void> {
    await sourcePipeline.pipeline.router.exclusive(async () => {
      await this.#takeOut(filter, sourcePipeline, true);
      filter.stopped = true;
    });
  }

  /** Stops or starts a filter of the workspace file as that says. */
  async #obey(filter: RunningFilter, sourcePipeline: SourcePipeline): Promise<void> {
    const { source } = filter;
    const template = this.#templates.find(({ name }) => name === filter.template.name);
    if (template === undefined || filter.stopped === this.#isStopped(template.name, source)) return;
    if (filter.stopped) await this.#enter({ template, source, sourcePipeline, old: filter, keepState: true });
    else await this.#stop(filter, sourcePipeline);
  }

  #isStopped(section: string, source: Source): boolean {
    const inputs = this.#hooks.inputNames(source);
    const { stoppedFor = [] } = this.#templates.find(({ name }) => name === section) ?? {};
    return stoppedFor.some((input) => inputs.includes(input));
  }

  /** Remembers that a filter was stopped, so that the same in the workspace file is no change. */
  #setStopped(section: string, source: Source, stopped: boolean): void {
    const listed = this.#templates.find(({ name }) => name === section);
    if (listed === undefined || this.#isStopped(section, source) === stopped) return;
    const inputs = this.#hooks.inputNames(source);
    const others = (listed.stoppedFor ?? []).filter((input) => !inputs.includes(input));
    const stoppedFor = stopped ? [...others, ...inputs.slice(0, 1)] : others;
    this.#templates = this.#templates.map((template) => (template === listed ? { ...template, stoppedFor } : template));
    this.#hooks.stopped(source, section, stopped);
  }
}

/** Whether nobody made or changed it. A filter that someone made may select what default filters inject, so these do not wait beside it. */
const isDefault = (template: FilterTemplate): boolean => defaultOutput(template) !== null;

/** Lets a filter wait that has read none of the records yet. */
function rest(filter: RunningFilter): void {
  filter.resting = true;
  filter.progress = 0;
}

/** Whether it has its whole state: one that has not read all records has only a part of it, and one that was not started, or has ended, none. */
const hasState = ({ progress, stopped, saved, ended }: RunningFilter): boolean =>
  progress === null && (stopped ? saved !== null : ended === null);

/** Whether it has stopped reading the stored records before their end. */
const isHalfway = ({ dropped, progress, stopped, ended }: RunningFilter): boolean =>
  dropped && progress !== null && !stopped && ended === null;
