import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginInfo } from './types.ts';
import { EngineError, messageOf } from '../errors.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { sectionChanges } from '../pipeline/section-changes.ts';
import { LazySandbox, sandboxSpec, type SandboxStarter } from '../pipeline/sandboxes.ts';
import { findPlugin } from '../plugins/index.ts';
import type { SandboxSpec } from '../sandbox/types.ts';
import type { RecordStore } from '../store/index.ts';
import { ENGINE_TEMPLATES } from './engine-source.ts';
import { Lane } from './lane.ts';
import { Refill } from './refill.ts';
import { RunningFilter } from './running-filter.ts';
import type { Source } from './source.ts';
import type { FilterTemplate } from './templates.ts';

export interface FilterHooks {
  changed(): void;
  notice(level: 'warning' | 'error', code: string, text: string, about: { readonly source: number; readonly plugin: string }): void;
  /** The section of a source in the workspace file. */
  inputNames(source: Source): readonly string[];
  /** A filter of a source is gone, or begins anew: what it made is out of date. */
  forget(source: Source, plugin: string): void;
}

export interface FilterSurroundings {
  readonly starter: SandboxStarter;
  readonly store: RecordStore;
  /** Where the states of filters lie that are being replaced. */
  readonly folder: string;
  readonly hooks: FilterHooks;
}

/** How a filter is replaced: with the state that it has, or from the first record on. */
export interface ReplaceOptions {
  readonly keepState: boolean;
}

/** Where a filter is made. */
interface Place {
  readonly template: FilterTemplate;
  readonly source: Source;
  readonly lane: Lane;
  /** That of the one before it. */
  readonly name?: string;
}

/** Filters of live sources whose ticks are farther apart, in seconds, are brought up to date in between. */
const LIVE_TICKER = 5;
/** So many stored records may be left when the flow is held, for the rest of them. */
const REST = 20_000;

/** The filters of a workspace: one of each template for each source that it is for. */
export class WorkspaceFilters {
  readonly #starter: SandboxStarter;
  readonly #store: RecordStore;
  readonly #folder: string;
  readonly #hooks: FilterHooks;
  readonly #running = new Set<RunningFilter>();
  readonly #lanes = new Map<Source, Lane>();
  #templates: readonly FilterTemplate[];
  #states = 0;

  constructor(templates: readonly FilterTemplate[], { starter, store, folder, hooks }: FilterSurroundings) {
    this.#templates = templates;
    this.#starter = starter;
    this.#store = store;
    this.#folder = folder;
    this.#hooks = hooks;
    // Files are read from their beginning at every start: a state of the last one would count them twice.
    rmSync(folder, { recursive: true, force: true });
  }

  get templates(): readonly FilterTemplate[] {
    return this.#templates;
  }

  /** Takes other templates over: starts, stops and replaces what is different, while the rest goes on. */
  async setTemplates(templates: readonly FilterTemplate[], options: (source: Source) => ReplaceOptions): Promise<void> {
    this.#templates = templates;
    await Promise.all([...this.#lanes].map(([source, lane]) => this.#exchange(source, lane, options(source))));
    this.#hooks.changed();
  }

  /** Adds a filter of each template to the pipeline of a source. One that cannot start is a notice; the others go on. */
  addTo(source: Source, pipeline: Pipeline): void {
    this.remove(source);
    const lane = new Lane(pipeline);
    this.#lanes.set(source, lane);
    for (const template of this.#wantedBy(source)) {
      const filter = this.#tryMake({ template, source, lane });
      if (filter === null) continue;
      this.#running.add(filter);
      pipeline.router.addFilter(filter.runner);
    }
  }

  remove(source: Source): void {
    for (const filter of this.#of(source)) this.#drop(filter);
    this.#lanes.get(source)?.close();
    this.#lanes.delete(source);
  }

  /**
   * Starts a filter that was stopped, with the state that it had, or one that has ended, anew.
   * @throws {EngineError} `plugin.gone`, and why it does not load
   */
  async start(id: string): Promise<void> {
    await this.reload(id, { keepState: this.#find(id).stopped });
  }

  /** @throws {EngineError} `plugin.gone` */
  async stop(id: string): Promise<void> {
    const filter = this.#find(id);
    const lane = this.#laneOf(filter.source);
    filter.dropped = true;
    await lane.inTurn(async () => {
      await lane.pipeline.router.exclusive(async () => {
        await this.#takeOut(filter, lane, true);
        filter.stopped = true;
      });
    });
    this.#hooks.changed();
  }

  /**
   * Starts a filter anew, with what its script says now.
   * @throws {EngineError} `plugin.gone`, and why it does not load; it goes on as it was then
   */
  async reload(id: string, { keepState }: ReplaceOptions): Promise<void> {
    const known = this.#find(id);
    await this.check(known.template);
    const { source } = known;
    const lane = this.#laneOf(source);
    known.dropped = true;
    await lane.inTurn(async () => {
      const old = this.#find(id);
      if (!lane.closed) await this.#enter({ template: old.template, source, lane, old, keepState });
    });
    this.#hooks.changed();
  }

  /**
   * Whether the script of a template loads with its parameters.
   * @param text the script's text when it is not that of the file
   * @throws {EngineError} when it does not
   */
  async check(template: FilterTemplate, text?: string): Promise<void> {
    const spec = specOf(template, template.name);
    const sandbox = await this.#starter.start(text === undefined ? spec : { ...spec, text });
    await sandbox.stop();
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

  /** Asks the sandboxes how they are. */
  async poll(isDue: (source: Source) => boolean): Promise<void> {
    await Promise.all([...this.#running].filter(({ source }) => isDue(source)).map(async (filter) => filter.poll()));
  }

  infos(): PluginInfo[] {
    return [...this.#running].map((filter) => filter.info());
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
    if (filter === undefined) throw new EngineError('plugin.gone', 'There is no such filter any more.');
    return filter;
  }

  #laneOf(source: Source): Lane {
    const lane = this.#lanes.get(source);
    if (lane === undefined) throw new EngineError('plugin.gone', `${source.label} is not open any more.`);
    return lane;
  }

  async #exchange(source: Source, lane: Lane, { keepState }: ReplaceOptions): Promise<void> {
    // What reads stored records for a filter that is not wanted stops at once; the rest waits for its turn.
    for (const filter of this.#outdated(source)) filter.dropped = true;
    await lane.inTurn(async () => {
      if (lane.closed) return;
      const { ending, changed, added } = this.#changesOf(source);
      if (ending.length > 0) await lane.pipeline.router.exclusive(() => this.#end(ending, lane));
      for (const { old, template } of changed) await this.#enter({ template, source, lane, old, keepState });
      for (const template of added) await this.#enter({ template, source, lane, old: null, keepState: false });
    });
  }

  /** The filters of a source whose sections are others now, or gone. */
  #outdated(source: Source): RunningFilter[] {
    const { ending, changed } = this.#changesOf(source);
    return [...ending, ...changed.map(({ old }) => old)];
  }

  #changesOf(source: Source): {
    readonly ending: readonly RunningFilter[];
    readonly changed: readonly { readonly old: RunningFilter; readonly template: FilterTemplate }[];
    readonly added: readonly FilterTemplate[];
  } {
    const running = this.#of(source);
    const byName = new Map(running.map((filter) => [filter.template.name, filter]));
    const { added, removed, changed } = sectionChanges(
      running.map(({ template }) => template),
      this.#wantedBy(source),
    );
    return {
      added,
      ending: removed.flatMap(({ name }) => byName.get(name) ?? []),
      changed: changed.map(({ before, after }) => ({ old: byName.get(before.name) as RunningFilter, template: after })),
    };
  }

  async #end(filters: readonly RunningFilter[], lane: Lane): Promise<void> {
    for (const filter of filters) {
      await this.#takeOut(filter, lane, false);
      this.#drop(filter);
      this.#hooks.forget(filter.source, filter.name);
    }
  }

  /** Makes a filter and lets it in, in the place of `old`: with its state, or else with the records that are stored. */
  async #enter(entry: {
    readonly template: FilterTemplate;
    readonly source: Source;
    readonly lane: Lane;
    readonly old: RunningFilter | null;
    readonly keepState: boolean;
  }): Promise<void> {
    const { template, source, lane, old } = entry;
    // One that has not read all records yet has only a part of its state.
    const keepState = entry.keepState && old !== null && old.progress === null;
    // A live source has no beginning to go back to.
    const refills = !keepState && source.kind === 'file';
    let next: RunningFilter | null = null as RunningFilter | null;
    const exchange = async (): Promise<void> => {
      const state = old === null ? null : await this.#takeOut(old, lane, keepState);
      if (old !== null) this.#drop(old);
      if (old !== null && !keepState) this.#hooks.forget(source, old.name);
      next = await this.#makeFrom(state, { template, source, lane, ...(old === null ? {} : { name: old.name }) });
      if (next === null) return;
      this.#running.add(next);
      if (refills) next.progress = 0;
      else lane.pipeline.router.addFilter(next.runner);
    };
    if (old === null && refills) await exchange();
    else await lane.pipeline.router.exclusive(exchange);
    if (next !== null && refills) void this.#refill(next, lane);
  }

  /** One whose state does not fit what the script is now begins anew. */
  async #makeFrom(state: string | null, place: Place): Promise<RunningFilter | null> {
    const filter = this.#tryMake(place, state);
    const problem = filter === null || state === null ? null : await filter.sandbox.prepare();
    if (filter === null || problem === null) return filter;
    const about = { source: place.source.id, plugin: filter.name };
    this.#hooks.notice('warning', 'filter.state', `${filter.name} begins anew: the state that it had does not fit (${problem}).`, about);
    return this.#tryMake(place);
  }

  /** Gives it what is stored, then its place in the flow; all but the last records while everything else goes on. Never rejects. */
  async #refill(filter: RunningFilter, lane: Lane): Promise<void> {
    try {
      await this.#refillOrThrow(filter, lane);
    } catch (error) {
      filter.end(`its records could not be read back: ${messageOf(error)}`);
    }
    filter.progress = null;
    this.#hooks.changed();
  }

  async #refillOrThrow(filter: RunningFilter, lane: Lane): Promise<void> {
    const { router } = lane.pipeline;
    const refill = new Refill(this.#store, filter.source.id, (batch) => {
      filter.progress = lane.routed === 0 ? 1 : refill.fed / lane.routed;
      return filter.runner.submit(batch, 0, '', false);
    });
    const wanted = (): boolean => !filter.dropped && !lane.closed && filter.reason === null;
    filter.progress = 0;
    while (wanted() && lane.routed - refill.fed > REST) {
      const before = refill.fed;
      await refill.upTo(lane.routed, wanted);
      if (refill.fed === before) break;
    }
    if (!wanted()) return;
    await router.exclusive(async () => {
      await refill.upTo(lane.routed, wanted);
      if (wanted()) router.addFilter(filter.runner);
    });
    filter.runner.idle();
  }

  #drop(filter: RunningFilter): void {
    filter.dropped = true;
    this.#running.delete(filter);
  }

  /** Ends a filter between two batches. @returns the file with its state; null: it has none, or it is not wanted */
  async #takeOut(filter: RunningFilter, { pipeline }: Lane, keepState: boolean): Promise<string | null> {
    const { runner, sandbox } = filter;
    pipeline.router.remove(runner);
    if (keepState && filter.reason === null && !filter.stopped) filter.saved = await this.#save(sandbox);
    await runner.stop();
    return keepState ? filter.saved : null;
  }

  async #save(sandbox: LazySandbox): Promise<string | null> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, `${++this.#states}.state`);
    return sandbox.save(path).then(
      () => path,
      () => null,
    );
  }

  #tryMake(place: Place, state: string | null = null): RunningFilter | null {
    try {
      return this.#make(place, state);
    } catch (error) {
      const { template, source } = place;
      const about = { source: source.id, plugin: template.name };
      this.#hooks.notice('error', 'plugin.failed', `${template.name} did not start: ${messageOf(error)}`, about);
      return null;
    }
  }

  #make({ template, source, lane, name = this.#freeName(template.name, source) }: Place, state: string | null): RunningFilter {
    const sandbox = new LazySandbox(this.#starter, { ...specOf(template, name, state), clock: source.clock });
    const onEnded = (filter: RunningFilter, reason: string): void => this.#ended(filter, reason);
    const filter = new RunningFilter({ template, name, source, sandbox, lane, onEnded });
    // What is wrong with a script of the user's own is said at once, not when its first message comes.
    if (!template.builtIn && state === null) void sandbox.prepare().then((reason) => reason !== null && filter.end(reason));
    return filter;
  }

  #ended({ name, source }: RunningFilter, reason: string): void {
    const about = { source: source.id, plugin: name };
    this.#hooks.notice('error', 'plugin.terminated', `${name} was terminated: ${reason}. Everything else goes on.`, about);
    this.#hooks.changed();
  }

  /** Two plugins of one name could not be told apart in graphs and tables. */
  #freeName(name: string, source: Source): string {
    const taken = new Set([...this.#running].map((filter) => filter.name));
    const candidates = [name, `${name} (${source.label})`, `${name} (${source.label}, ${source.id})`];
    return candidates.find((candidate) => !taken.has(candidate)) ?? name;
  }
}

function specOf({ script, config, limits = {}, modules = [] }: FilterTemplate, name: string, state: string | null = null): SandboxSpec {
  const preservation = state === null ? {} : { preservation: state };
  return sandboxSpec('filter', findPlugin('filter', script), { name, config, limits, modules, ...preservation });
}
