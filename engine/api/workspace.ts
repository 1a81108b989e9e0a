import { basename, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { watchConfig, type ConfigWatch } from '../config/index.ts';
import { EngineError, messageOf } from '../errors.ts';
import type { MessageBatch } from '../message/batch.ts';
import { PayloadBook, type PayloadNews } from '../outputs/payload-book.ts';
import { schemaTree } from '../outputs/schema-tree.ts';
import type { Consumer } from '../pipeline/consumer.ts';
import { DecoderDetector } from '../pipeline/detect.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { Sandboxes } from '../pipeline/starter.ts';
import { bundledPlugins, findPlugin, type Config } from '../plugins/index.ts';
import { recordDetail, RecordStore } from '../store/index.ts';
import { Throttle } from '../throttle.ts';
import type { InputFactory, ListenAddress } from './inputs.ts';
import { NoticeBoard } from './notices.ts';
import { WorkspaceFilters } from './plugins.ts';
import { decoderAbout } from './preview.ts';
import { Source, type SourceContext, type SourceOptions } from './source.ts';
import { DEFAULT_TEMPLATES, type FilterTemplate } from './templates.ts';
import { WorkspaceFile, type ListedSource } from './workspace-file.ts';
import type { DecoderAbout, DecoderChoice, EngineEvents, EngineState, RecordDetail, SchemaLogger } from './types.ts';
import { ViewRegistry } from './views.ts';

export interface WorkspaceOptions {
  /** The user-data folder: the temporary record store and the workspace file lie there. */
  readonly folder: string;
  readonly sandboxes: Sandboxes;
  readonly inputs: InputFactory;
  /** Hears everything that the window should hear. */
  readonly emit: <N extends keyof EngineEvents>(name: N, data: EngineEvents[N]) => void;
}

/** At most so often the state is pushed. */
const STATE_INTERVAL_MS = 250;
const OUTPUTS_INTERVAL_MS = 250;
/** How often the rates move, the sandboxes are asked how they are, and graphs of a file that is being read are brought up to date. */
const POLL_MS = 1000;

/** Everything that one window works on: sources, records, views, filters and what they inject. */
export class Workspace {
  readonly store: RecordStore;
  readonly views: ViewRegistry;
  readonly notices: NoticeBoard;
  readonly book = new PayloadBook();
  readonly #options: WorkspaceOptions;
  readonly #filters: WorkspaceFilters;
  readonly #sources = new Map<number, Source>();
  readonly #state: Throttle;
  readonly #outputs: Throttle;
  readonly #poll: NodeJS.Timeout;
  readonly #detector: DecoderDetector;
  readonly #file: WorkspaceFile;
  /** The workspace file was read: sources may start. */
  readonly #ready: Promise<void>;
  /** Decoders that the user chose for files. */
  readonly #remembered = new Map<string, DecoderChoice>();
  /** Sections of the sources that the file lists. */
  readonly #sections = new Map<number, string>();
  /** What they say, as far as it was read. */
  readonly #listed = new Map<string, ListedSource>();
  #watch: ConfigWatch | null = null;
  #reloading: Promise<void> = Promise.resolve();
  #news = { graphs: false, items: false, schema: false };
  #nextId = 1;
  #lastState = '';
  #memory = process.memoryUsage.rss();

  constructor(options: WorkspaceOptions) {
    this.#options = options;
    const { emit } = options;
    this.notices = new NoticeBoard((notice) => emit('notice', notice));
    this.store = new RecordStore({ folder: join(options.folder, 'store') });
    this.views = new ViewRegistry(
      this.store,
      (event) => emit('view.changed', event),
      (error) => this.notices.say('error', 'store.failed', `Records could not be read back: ${messageOf(error)}`),
    );
    this.#detector = new DecoderDetector(options.sandboxes, (text) => this.notices.say('warning', 'decoder.untried', text));
    this.#file = new WorkspaceFile(join(options.folder, 'workspace.toml'));
    this.#filters = new WorkspaceFilters(options.sandboxes, DEFAULT_TEMPLATES, {
      changed: () => this.#state.request(),
      notice: (level, code, text) => this.notices.say(level, code, text),
    });
    this.#state = new Throttle(() => this.#pushState(), STATE_INTERVAL_MS);
    this.#outputs = new Throttle(() => this.#pushOutputs(), OUTPUTS_INTERVAL_MS);
    this.#poll = setInterval(() => void this.#pollPlugins(), POLL_MS).unref();
    this.#ready = this.#load().then(() => {
      this.#watch = watchConfig(this.#file.path, () => {
        this.#reloading = this.#reloading.then(() => this.#reload());
      });
    });
    options.sandboxes.warm();
    this.#detector.warm();
  }

  /** Opens files; one that is open already is not opened again. Returns their numbers in order. */
  open(paths: readonly string[]): number[] {
    return paths.map((path) => {
      const location = resolve(path);
      const known = this.#find('file', location);
      if (known) return known.id;
      const label = basename(location);
      const input: SourceOptions['input'] = (split) => this.#options.inputs.file(label, location, split);
      const source = this.#add({ kind: 'file', label, location, samples: [location], input });
      void this.#ready.then(() => source.open(this.#remembered.get(location) ?? null));
      this.#edit((file) => file.rememberFile(location, this.#remembered.get(location) ?? null));
      return source.id;
    });
  }

  /** Listens for syslog, now and at every start. */
  listen(address: ListenAddress): number {
    const { protocol, host, port } = address;
    const location = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const known = port === 0 ? undefined : this.#find(protocol, location);
    if (known) return known.id;
    const label = `${protocol}:${port}`;
    const source = this.#add({ kind: protocol, label, location, input: () => this.#options.inputs.listen(label, address) });
    void this.#ready.then(() => source.open({ name: 'syslog', config: {}, by: 'configuration', confidence: 1 }));
    if (port !== 0) {
      const section = `syslog_${protocol}_${port}`;
      this.#sections.set(source.id, section);
      this.#edit((file) => file.addListener(section, protocol, location));
    }
    return source.id;
  }

  /** @throws {EngineError} `source.unknown` */
  async close(id: number): Promise<void> {
    const source = this.source(id);
    this.#sources.delete(id);
    this.#filters.remove(source);
    await source.close();
    this.store.remove(id);
    this.book.remove(id);
    const section = this.#sections.get(id);
    if (section !== undefined) this.#edit((file) => file.remove(section));
    this.#sections.delete(id);
    this.#tellOutputs({ graphs: true, items: true, schema: true });
    this.#state.request();
  }

  /**
   * Decodes a source by another decoder; null: shows it raw.
   * @throws {EngineError} `source.unknown`, `plugin.unknown`, `plugin.parameter`
   */
  decodeBy(id: number, name: string | null, config: Readonly<Config>): void {
    const source = this.source(id);
    if (name !== null) findPlugin('decoder', name);
    const choice: DecoderChoice | null = name === null ? null : { name, config, by: 'user', confidence: 1 };
    if (source.kind === 'file') {
      if (choice === null) this.#remembered.delete(source.location);
      else this.#remembered.set(source.location, choice);
      this.#edit((file) => file.rememberFile(source.location, choice));
    }
    this.book.remove(id);
    this.#tellOutputs({ graphs: true, items: true, schema: true });
    void source.decodeBy(choice);
  }

  /** @throws {EngineError} `source.unknown` */
  source(id: number): Source {
    const source = this.#sources.get(id);
    if (!source) throw new EngineError('source.unknown', `There is no source ${id}.`);
    return source;
  }

  decoders(): DecoderAbout[] {
    return bundledPlugins('decoder').map(decoderAbout);
  }

  /** @throws {EngineError} `record.unknown` */
  async record(id: number): Promise<RecordDetail> {
    const place = this.store.find(id);
    if (!place) throw new EngineError('record.unknown', `There is no record ${id}.`);
    return recordDetail({ ...place, stored: await this.store.load(place.segment) });
  }

  schema(): SchemaLogger[] {
    const samples = [...this.#sources.values()].map((source) => source.samples);
    return schemaTree(
      this.book.schemas().map(({ loggers }) => loggers),
      samples,
    );
  }

  state(): EngineState {
    const sources = [...this.#sources.values()];
    const infos = sources.map((source) => source.info());
    const sum = (of: (info: (typeof infos)[number]) => number): number => infos.reduce((total, info) => total + of(info), 0);
    const live = infos.some(({ kind, state }) => kind !== 'file' && state === 'listening');
    return {
      pid: process.pid,
      sources: infos,
      plugins: [...sources.flatMap((source) => source.decoderInfo() ?? []), ...this.#filters.infos()],
      records: sum((info) => info.records),
      rate: sum((info) => info.rate),
      queued: sources.reduce((total, source) => total + source.queued, 0),
      dropped: sum((info) => info.dropped),
      failures: sum((info) => info.failures),
      memory: this.#memory,
      clock: live ? 'live' : infos.some(({ kind }) => kind === 'file') ? 'replay' : 'idle',
    };
  }

  async stop(): Promise<void> {
    clearInterval(this.#poll);
    this.views.closeAll();
    await this.#ready;
    this.#watch?.close();
    await this.#reloading;
    await this.#file.settled();
    await Promise.all([...this.#sources.values()].map((source) => source.close()));
    this.#state.stop();
    this.#outputs.stop();
    await this.#options.sandboxes.close();
    await this.store.close();
  }

  #find(kind: string, location: string): Source | undefined {
    return [...this.#sources.values()].find((source) => source.kind === kind && source.location === location);
  }

  #add(options: Omit<SourceOptions, 'id'>): Source {
    const id = this.#nextId++;
    const context: SourceContext = {
      store: this.store,
      starter: this.#options.sandboxes,
      detector: this.#detector,
      addPlugins: (source, pipeline) => this.#addPlugins(source, pipeline),
      changed: () => this.#state.request(),
      notice: ({ level, code, text }) => this.notices.say(level, code, text),
    };
    const source = new Source({ ...options, id }, context);
    this.#sources.set(id, source);
    this.#state.request();
    return source;
  }

  /** Takes over what the workspace file says. */
  async #load(): Promise<void> {
    try {
      const { templates, sources, problems } = await this.#file.read();
      for (const problem of problems) this.notices.say('error', 'workspace.invalid', problem);
      this.#filters.setTemplates(templates);
      for (const listed of sources) {
        this.#listed.set(listed.input.name, listed);
        this.#openListed(listed);
      }
    } catch (error) {
      this.notices.say('error', 'workspace.unreadable', `${this.#file.path} could not be read: ${messageOf(error)}`);
    }
  }

  /** Somebody edited the workspace file: what it says is done, unless it has problems. */
  async #reload(): Promise<void> {
    try {
      const { templates, sources, problems } = await this.#file.read();
      for (const problem of problems) this.notices.say('error', 'workspace.invalid', `${problem}. What runs stays as it is.`);
      if (problems.length > 0) return;
      await this.#exchangeFilters(templates);
      await this.#exchangeSources(sources);
    } catch (error) {
      this.notices.say('error', 'workspace.unreadable', `${this.#file.path} could not be read: ${messageOf(error)}`);
    }
  }

  /** Files are read anew, so that what is shown of them is whole; listeners go on with the filters of now. */
  async #exchangeFilters(templates: readonly FilterTemplate[]): Promise<void> {
    const changes = this.#filters.setTemplates(templates);
    if (changes.added.length + changes.removed.length + changes.changed.length === 0) return;
    for (const source of this.#sources.values()) {
      if (source.kind !== 'file') {
        await this.#filters.exchange(source, changes);
        continue;
      }
      this.book.remove(source.id);
      void source.decodeBy(source.decoder);
    }
    this.#tellOutputs({ graphs: true, items: true, schema: true });
  }

  async #exchangeSources(listed: readonly ListedSource[]): Promise<void> {
    const now = new Map(listed.map((source) => [source.input.name, source]));
    for (const [id, section] of [...this.#sections]) {
      const before = this.#listed.get(section);
      const after = now.get(section);
      // What the window has just written is not read yet.
      if (before === undefined || (after !== undefined && isSame(before, after))) continue;
      this.#sections.delete(id);
      await this.close(id);
    }
    const open = new Set(this.#sections.values());
    for (const source of listed) if (!open.has(source.input.name)) this.#openListed(source);
    this.#listed.clear();
    for (const source of listed) this.#listed.set(source.input.name, source);
  }

  #openListed({ input, decoder, remembered }: ListedSource): void {
    if (remembered && input.type === 'FileInput') {
      for (const path of input.paths) if (decoder !== null) this.#remembered.set(path, decoder);
      return;
    }
    const kind = input.type === 'FileInput' ? 'file' : input.type === 'UdpInput' ? 'udp' : 'tcp';
    const location = input.type === 'FileInput' ? input.paths.join(', ') : input.address;
    if (this.#find(kind, location)) return;
    // In a stream of messages there is no text to detect a decoder by.
    const samples = input.type === 'FileInput' && input.splitter !== 'framing' ? input.paths : [];
    const label = kind === 'file' ? input.name : `${kind}:${location.slice(location.lastIndexOf(':') + 1)}`;
    const source = this.#add({ kind, label, location, samples, input: () => this.#options.inputs.configured(input) });
    this.#sections.set(source.id, input.name);
    void source.open(decoder);
  }

  /** Writes into the workspace file; what goes wrong there is a notice and nothing else. */
  #edit(change: (file: WorkspaceFile) => Promise<void>): void {
    this.#ready
      .then(() => change(this.#file))
      .catch((error: unknown) => {
        this.notices.say('warning', 'workspace.unwritten', `${this.#file.path} was not changed: ${messageOf(error)}`);
      });
  }

  #addPlugins(source: Source, pipeline: Pipeline): void {
    this.#filters.addTo(source, pipeline);
    pipeline.addOutput(new InjectedMessages((batch) => this.#take(source.id, batch)));
  }

  /** Takes what the filters of a source inject. */
  #take(source: number, batch: MessageBatch): void {
    if (!this.#sources.has(source)) return;
    const news = this.book.accept(source, batch);
    for (const { plugin, text } of news.alerts) this.notices.say('warning', 'alert', `${plugin}: ${text}`);
    this.#tellOutputs(news);
  }

  #tellOutputs(news: Pick<PayloadNews, 'graphs' | 'items' | 'schema'>): void {
    if (!news.graphs && !news.items && !news.schema) return;
    const { graphs, items, schema } = this.#news;
    this.#news = { graphs: graphs || news.graphs, items: items || news.items, schema: schema || news.schema };
    this.#outputs.request();
  }

  #pushOutputs(): void {
    const news = this.#news;
    this.#news = { graphs: false, items: false, schema: false };
    this.#options.emit('outputs.changed', news);
  }

  #pushState(): void {
    const state = this.state();
    // Memory alone moves all the time and is no news.
    const text = JSON.stringify({ ...state, memory: Math.round(state.memory / 2 ** 22) });
    if (text === this.#lastState) return;
    this.#lastState = text;
    this.#options.emit('state', state);
  }

  async #pollPlugins(): Promise<void> {
    this.#memory = await this.#options.sandboxes.memory().catch(() => process.memoryUsage.rss());
    await Promise.all([this.#filters.poll(), ...[...this.#sources.values()].map((source) => source.poll())]);
    for (const source of this.#sources.values()) if (source.info().state === 'reading') this.#filters.refresh(source);
    this.#state.request();
  }
}

/** Whether two sections say the same, wherever they stand. */
function isSame(before: ListedSource, after: ListedSource): boolean {
  return isDeepStrictEqual({ ...before, input: { ...before.input, origin: null } }, { ...after, input: { ...after.input, origin: null } });
}

/** The output that brings injected messages to the window. */
class InjectedMessages implements Consumer {
  readonly name = 'window';
  readonly pending = 0;
  readonly #take: (batch: MessageBatch) => void;

  constructor(take: (batch: MessageBatch) => void) {
    this.#take = take;
  }

  async submit(batch: MessageBatch, loop: number): Promise<void> {
    if (loop > 0) this.#take(batch);
    return Promise.resolve();
  }

  idle(): void {
    // Nothing is held back here.
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}
