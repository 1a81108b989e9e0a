import { homedir } from 'node:os';
import type { SectionData } from '../config/toml-write.ts';
import { watchConfig, type ConfigWatch } from '../config/watch.ts';
import { EngineError, messageOf } from '../errors.ts';
import type { Input } from '../inputs/types.ts';
import { commandName, commandSection } from './file/command-section.ts';
import { ENGINE_FACTS, ENGINE_SECTION } from './sources/engine-source.ts';
import type { InputFactory } from './sources/inputs.ts';
import type { Notices } from './common/notices.ts';
import type { OpenSources } from './sources/open-sources.ts';
import type { WorkspaceFilters } from './filters/plugins.ts';
import { sourceFacts, workstationFacts } from './sources/facts.ts';
import type { Source } from './sources/source.ts';
import type { DecoderChoice } from '../api/types.ts';
import { FILE_PREFIX, isStatistic, saysTheSame, sourceOf, type ListedSource } from './file/workspace-content.ts';
import type { WorkspaceFile } from './file/workspace-file.ts';

export interface ListedSourcesOptions {
  readonly file: WorkspaceFile;
  readonly inputs: InputFactory;
  readonly sources: OpenSources;
  /** Are exchanged with the sources when the file is another. */
  readonly filters: WorkspaceFilters;
  readonly notices: Notices;
  /** Closes a source whose section is gone. */
  readonly close: (id: number) => Promise<void>;
}

const FROM_NOW = { keepState: true };

/** The sources in the workspace file: opens them, again whenever somebody has edited it, and writes down what the window opens. */
export class ListedSources {
  /** The file was read: sources may start. */
  readonly ready: Promise<void>;
  readonly #options: ListedSourcesOptions;
  readonly #file: WorkspaceFile;
  /** Decoders that the user chose for files. */
  readonly #remembered = new Map<string, DecoderChoice>();
  /** Sections of the sources that the file lists. */
  readonly #sections = new Map<number, string>();
  /** What they say, as far as it was read. */
  #listed: ReadonlyMap<string, ListedSource> = new Map();
  /** What it says and the window does not do. */
  #unused: readonly string[] = [];
  #watch: ConfigWatch | null = null;
  #reloading: Promise<void> = Promise.resolve();

  /** Reads the file at once, and watches it from then on. */
  constructor(options: ListedSourcesOptions) {
    this.#options = options;
    this.#file = options.file;
    this.ready = this.#load().then(() => {
      this.#watch = watchConfig(this.#file.path, () => void this.#reload());
    });
  }

  /** Of the file. */
  get path(): string {
    return this.#file.path;
  }

  /** The section of a source, by which filters name it. */
  nameOf(source: Source): string {
    if (source.kind === ENGINE_FACTS.kind) return ENGINE_SECTION;
    return this.#sections.get(source.id) ?? FILE_PREFIX + source.location;
  }

  /** The sections of a source and of its parts. */
  namesOf(source: Source): string[] {
    const name = this.nameOf(source);
    return [name, ...(this.#listed.get(name)?.parts ?? []).map(({ input }) => input.name)];
  }

  /** The decoder that the user chose for a file. */
  chosenFor(path: string): DecoderChoice | null {
    return this.#remembered.get(path) ?? null;
  }

  /** Writes down that a file was opened, by the decoder that was chosen for it once. */
  addFile(path: string): void {
    this.#edit((file) => file.rememberFile(path, this.chosenFor(path)));
  }

  /** Writes down the decoder that the user chose for a file; null: none. */
  chooseDecoder(path: string, choice: DecoderChoice | null): void {
    if (choice === null) this.#remembered.delete(path);
    else this.#remembered.set(path, choice);
    this.#edit((file) => file.rememberFile(path, choice));
  }

  /** Writes down a listener that was opened. */
  addListener(id: number, protocol: 'udp' | 'tcp', port: number, location: string): void {
    const section = `syslog_${protocol}_${port}`;
    this.#sections.set(id, section);
    this.#edit((file) => file.addListener(section, protocol, location));
  }

  /**
   * Runs a command line that is not open, and writes it down. Returns the number of its source.
   * @throws {EngineError} `source.section` when it cannot be written down
   */
  addCommand(line: string): number {
    const taken = new Set([...this.#sections.values(), ...this.#listed.keys()]);
    const name = commandName(line, (candidate) => taken.has(candidate));
    const section = commandSection(line, homedir());
    const id = this.#open(sourceOf(name, section));
    this.#edit((file) => file.setSections({ [name]: section }));
    return id as number;
  }

  /**
   * Writes sections into the file, and opens what they list.
   * @throws {EngineError} `workspace.invalid`; {ConfigEditError} when the file cannot be edited
   */
  async addSections(sections: Readonly<Record<string, SectionData>>): Promise<void> {
    await this.#file.setSections(sections);
    await this.#reload();
    const isOpen = this.#options.sources.all().some(({ id }) => Object.hasOwn(sections, this.#sections.get(id) ?? ''));
    if (!isOpen) throw new EngineError('workspace.invalid', `Mend the workspace file first: ${this.#file.path} has problems.`);
  }

  /** Writes down that a filter of a source was stopped, or goes on. */
  setStopped(source: Source, filter: string, stopped: boolean): void {
    this.#edit((file) => file.setStopped(filter, this.nameOf(source), stopped));
  }

  /** Takes the section of a source that was closed out of the file. */
  remove({ id, kind }: Source): void {
    const section = this.#sections.get(id);
    if (section === undefined) return;
    this.#edit((file) => (kind === 'workstation' ? file.removeWorkstation() : file.remove(section)));
    this.#sections.delete(id);
    // The name is free: what gets it next is something else, and not this one in another form.
    this.#listed = new Map([...this.#listed].filter(([name]) => name !== section));
  }

  /** Resolves when the file is left alone, and all edits of it are made. */
  async stop(): Promise<void> {
    await this.ready;
    this.#watch?.close();
    await this.#reloading;
    await this.#file.settled();
  }

  /** Takes over what the file says. */
  async #load(): Promise<void> {
    const { filters, notices } = this.#options;
    try {
      const { templates, sources, problems, unused } = await this.#file.read();
      for (const problem of problems) notices.say('error', 'workspace.invalid', problem);
      this.#tellUnused(unused);
      await filters.setTemplates(templates, () => FROM_NOW);
      this.#listed = byName(sources);
      for (const listed of sources) this.#open(listed);
    } catch (error) {
      this.#unreadable(error);
    }
  }

  /** One time after the other, and not in the middle of a change from the window. */
  #reload(): Promise<void> {
    this.#reloading = this.#file.inTurn(() => this.#readAgain());
    return this.#reloading;
  }

  /** Somebody edited the file: what it says is done, unless it has problems. */
  async #readAgain(): Promise<void> {
    const { filters, notices } = this.#options;
    try {
      const { templates, sources, problems, unused } = await this.#file.read();
      for (const problem of problems) notices.say('error', 'workspace.invalid', `${problem}. What runs stays as it is.`);
      if (problems.length > 0) return;
      this.#tellUnused(unused);
      // What is shown of a file is whole; of a live source the filters of before have seen more.
      const filtersExchanged = filters.setTemplates(templates, ({ kind }) => ({ keepState: kind !== 'file' }));
      // Both begin at once: what the window opens and closes from now on is not in what was read.
      await Promise.all([filtersExchanged, this.#exchange(byName(sources))]);
    } catch (error) {
      this.#unreadable(error);
    }
  }

  /** Once each, however often the file is written. */
  #tellUnused(unused: readonly string[]): void {
    for (const line of unused) if (!this.#unused.includes(line)) this.#options.notices.say('warning', 'workspace.unused', line);
    this.#unused = unused;
  }

  #unreadable(error: unknown): void {
    this.#options.notices.say('error', 'workspace.unreadable', `${this.#file.path} could not be read: ${messageOf(error)}`);
  }

  async #exchange(listed: ReadonlyMap<string, ListedSource>): Promise<void> {
    const gone = [...this.#sections].filter(([, section]) => this.#isGone(section, listed)).map(([id]) => id);
    for (const id of gone) this.#sections.delete(id);
    const open = new Set(this.#sections.values());
    const added = [...listed].flatMap(([name, source]) => (open.has(name) ? [] : [source]));
    this.#listed = listed;
    const { sources, close } = this.#options;
    for (const id of gone) if (sources.has(id)) await close(id);
    for (const source of added) this.#open(source);
  }

  /** Whether the file lists a source no more, or another one in its place. */
  #isGone(section: string, listed: ReadonlyMap<string, ListedSource>): boolean {
    const before = this.#listed.get(section);
    const after = listed.get(section);
    // What the window has just written is not read yet.
    return before !== undefined && (after === undefined || !saysTheSame(before, after));
  }

  /** Returns the number of the source; null: it is not opened now, or is open. */
  #open({ input, decoder, remembered, parts }: ListedSource): number | null {
    if (remembered && input.type === 'FileInput') {
      for (const path of input.paths) if (decoder !== null) this.#remembered.set(path, decoder);
      return null;
    }
    const { sources, inputs } = this.#options;
    const facts = isStatistic(input) ? workstationFacts([input, ...parts.map((part) => part.input)]) : sourceFacts(input);
    if (sources.find(facts.kind, facts.location)) return null;
    const make = (config: ListedSource['input']) => (): Input => inputs.configured(config);
    // In a stream of messages there is no text to detect a decoder by.
    const samples = input.type === 'FileInput' && input.splitter !== 'framing' ? input.paths : [];
    const more = parts.map((part) => ({ input: make(part.input), decoder: part.decoder }));
    const source = sources.add({ ...facts, samples, input: make(input), parts: more });
    this.#sections.set(source.id, input.name);
    void source.open(decoder);
    return source.id;
  }

  /** Writes into the file; what goes wrong there is a notice and nothing else. */
  #edit(change: (file: WorkspaceFile) => Promise<void>): void {
    this.ready
      .then(() => change(this.#file))
      .catch((error: unknown) => {
        this.#options.notices.say('warning', 'workspace.unwritten', `${this.#file.path} was not changed: ${messageOf(error)}`);
      });
  }
}

const byName = (sources: readonly ListedSource[]): ReadonlyMap<string, ListedSource> =>
  new Map(sources.map((source) => [source.input.name, source]));
