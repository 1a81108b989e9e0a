import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import type { SectionData } from '../../config/toml-write.ts';
import { watchConfig, type ConfigWatch } from '../../config/watch.ts';
import { EngineError, errorCode, messageOf } from '../../base/errors.ts';
import type { Input } from '../../inputs/types.ts';
import { commandName, commandSection } from '../file/command-section.ts';
import { listenerSection } from '../file/listener-section.ts';
import { demandsOf } from '../sources/demands.ts';
import { ENGINE_FACTS, ENGINE_SECTION } from '../sources/engine-source.ts';
import type { InputFactory } from '../sources/inputs.ts';
import type { Consent } from '../common/consent.ts';
import type { Notices } from '../common/notices.ts';
import type { OpenSources } from '../sources/open-sources.ts';
import type { WorkspaceFilters } from '../filters/plugins.ts';
import { sourceFacts, workstationFacts } from '../sources/facts.ts';
import { freeName, remoteName, remoteSection, type RemoteTarget } from '../sources/remote-section.ts';
import type { Source } from '../sources/source.ts';
import { storedTableAt } from '../sources/stored-table.ts';
import type { DecoderChoice } from '../../api/types.ts';
import { FILE_PREFIX, isStatistic, saysTheSame, sourceOf, type ListedSource } from '../file/workspace-content.ts';
import type { WorkspaceFile } from '../file/workspace-file.ts';

export interface ListedSourcesOptions {
  readonly file: WorkspaceFile;
  readonly inputs: InputFactory;
  readonly sources: OpenSources;
  /** Filters, which are exchanged with the sources when the file changes. */
  readonly filters: WorkspaceFilters;
  readonly notices: Notices;
  readonly consent: Consent;
  /** Closes a source whose section is gone. */
  readonly close: (id: number) => Promise<void>;
}

const FROM_NOW = { keepState: true };

/** The sources of the workspace file: opens them at the start and after each edit of the file, and writes sources of the window into it. */
export class ListedSources {
  /** Resolves when the file was read: sources may start. */
  readonly ready: Promise<void>;
  readonly #options: ListedSourcesOptions;
  readonly #file: WorkspaceFile;
  /** Decoders that the user chose for files. */
  readonly #remembered = new Map<string, DecoderChoice>();
  /** Files of the window that it listed at some time since the engine was started. */
  readonly #opened = new Set<string>();
  /** Seconds that are added to the times of files, where there are any. */
  readonly #timeOffsets = new Map<string, number>();
  /** Sections of the sources that the file lists, by the numbers of the sources. */
  readonly #sections = new Map<number, string>();
  /** The listed sources by section, as they were read last. */
  #listed: ReadonlyMap<string, ListedSource> = new Map();
  /** The unused sections that were reported last. */
  #unused: readonly string[] = [];
  #watch: ConfigWatch | null = null;
  #reloading: Promise<void> = Promise.resolve();
  #stopped = false;

  /** Reads the file at once, and watches it from then on. */
  constructor(options: ListedSourcesOptions) {
    this.#options = options;
    this.#file = options.file;
    this.ready = this.#load().then(() => {
      this.#watch = watchConfig(this.#file.path, () => void this.#reload());
    });
  }

  /** The path of the file. */
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

  /** Writes an opened file into the workspace file, with the decoder that the user once chose for it. */
  addFile(path: string): void {
    this.#edit((file) => file.rememberFile(path, this.chosenFor(path), this.timeOffsetOf(path)));
  }

  /** Writes the decoder that the user chose for a file into the workspace file; null: none. */
  chooseDecoder(path: string, choice: DecoderChoice | null): void {
    if (choice === null) this.#remembered.delete(path);
    else this.#remembered.set(path, choice);
    this.#edit((file) => file.rememberFile(path, choice, this.timeOffsetOf(path)));
  }

  /** Seconds that are added to the times of a file. */
  timeOffsetOf(path: string): number {
    return this.#timeOffsets.get(path) ?? 0;
  }

  /** Writes the seconds that are added to the times of a source into the workspace file. */
  setTimeOffset(source: Source, seconds: number): void {
    const section = this.#sections.get(source.id);
    if (section === undefined) {
      this.#timeOffsets.set(source.location, seconds);
      if (source.kind === 'file') this.addFile(source.location);
      return;
    }
    const listed = this.#listed.get(section);
    // The source is the same: it must not be opened anew when the file is read again.
    if (listed !== undefined && 'time_offset' in listed.input) {
      const changed = { ...listed, input: { ...listed.input, time_offset: seconds } };
      this.#listed = new Map(this.#listed).set(section, changed);
    }
    this.#edit((file) => file.setTimeOffset(section, seconds));
  }

  /** Knows a decoder and the seconds of a file that is about to be opened. */
  chooseFor(path: string, decoder: DecoderChoice | null, timeOffset: number): void {
    if (decoder === null) this.#remembered.delete(path);
    else this.#remembered.set(path, decoder);
    this.#timeOffsets.set(path, timeOffset);
  }

  /** Replaces the sections of the file, and what runs. */
  async replace(sections: string): Promise<void> {
    await this.ready;
    await this.#file.replace(sections);
    await this.#reload();
  }

  /** Removes a file of the window from the workspace file. While the engine runs, its decoder is still known. */
  forgetFile(path: string): void {
    this.#edit((file) => file.forgetFile(path));
  }

  /** Tells whether the file lists a file that was opened in the window, or has listed it: one that vanished may come back. */
  remembers(path: string): boolean {
    return this.#opened.has(path);
  }

  /** Writes an opened listener into the workspace file. */
  addListener(id: number, protocol: 'udp' | 'tcp', port: number, location: string): void {
    // One of another address may listen on the same port.
    const isSame = (listed: ListedSource | undefined): boolean => listed === undefined || sourceFacts(listed.input).location === location;
    const open = new Set(this.#sections.values());
    const name = freeName(`syslog_${protocol}_${port}`, (taken) => open.has(taken) || !isSame(this.#listed.get(taken)));
    this.#sections.set(id, name);
    this.#edit((file) => file.setSections({ [name]: listenerSection(protocol, location) }));
  }

  /**
   * Runs a command line that is not open, once it is confirmed, and writes it into the workspace file. Returns the number of its source.
   * @throws {EngineError} `consent.refused`, `limit.reached`; `source.section` when it makes no valid section
   */
  async addCommand(line: string): Promise<number> {
    return this.#addConfirmed(commandSection(line, homedir()), (taken) => commandName(line, taken));
  }

  /**
   * Follows a file of another machine, once it is confirmed, and writes it into the workspace file. Returns the number of its source.
   * @throws {EngineError} `program.missing`, `consent.refused`, `limit.reached`, `source.section`
   */
  async addRemote(target: RemoteTarget): Promise<number> {
    await this.ready;
    return this.#addConfirmed(remoteSection(target), (taken) => remoteName(target, taken));
  }

  /**
   * Watches a stream of a cluster, once it is confirmed, and writes it into the workspace file. Returns the number of its source.
   * @throws {EngineError} `consent.refused`, `limit.reached`, `source.section`
   */
  async addCluster(stream: string, section: SectionData): Promise<number> {
    await this.ready;
    return this.#addConfirmed(section, (taken) => freeName(`nats_${stream}`, taken));
  }

  async #addConfirmed(section: SectionData, nameOf: (taken: (name: string) => boolean) => string): Promise<number> {
    const { input } = sourceOf('command', section);
    await this.#options.consent.require(demandsOf(input, 'window'));
    const { kind, location } = sourceFacts(input);
    const known = this.#options.sources.find(kind, location);
    if (known !== undefined) {
      void known.resume();
      return known.id;
    }
    const taken = new Set([...this.#sections.values(), ...this.#listed.keys()]);
    const name = nameOf((candidate) => taken.has(candidate));
    const id = this.#open(sourceOf(name, section));
    this.#edit((file) => file.setSections({ [name]: section }));
    return id as number;
  }

  /**
   * Writes sections that Sluicebox itself has made into the file, and opens what they list.
   * @throws {EngineError} `workspace.invalid`; {ConfigEditError} when the file cannot be edited
   */
  async addSections(sections: Readonly<Record<string, SectionData>>): Promise<void> {
    const inputs = Object.entries(sections).flatMap(([name, section]) => (isInput(section) ? [sourceOf(name, section).input] : []));
    await this.#options.consent.ask(inputs.flatMap((input) => demandsOf(input, 'product')));
    await this.#file.setSections(sections);
    await this.#reload();
    const isOpen = this.#options.sources.all().some(({ id }) => Object.hasOwn(sections, this.#sections.get(id) ?? ''));
    if (!isOpen) throw new EngineError('workspace.invalid', `Mend the workspace file first: ${this.#file.path} has problems.`);
  }

  /** Writes into the workspace file that a filter of a source was stopped, or runs again. */
  setStopped(source: Source, filter: string, stopped: boolean): void {
    this.#edit((file) => file.setStopped(filter, this.nameOf(source), stopped));
  }

  /** Removes the section of a closed source from the file. */
  remove({ id, kind, location }: Source): void {
    const section = this.#sections.get(id);
    if (section === undefined) {
      if (kind === 'file') this.forgetFile(location);
      return;
    }
    this.#edit((file) => (kind === 'workstation' ? file.removeWorkstation() : file.remove(section)));
    this.#sections.delete(id);
    // The name is free: the next source of this name is a new one, not a changed form of this one.
    this.#listed = new Map([...this.#listed].filter(([name]) => name !== section));
  }

  /** Stops watching the file; resolves when all edits are written. */
  async stop(): Promise<void> {
    await this.ready;
    this.#stopped = true;
    this.#watch?.close();
    await this.#reloading;
    await this.#file.settled();
  }

  /** Applies the file at the start. */
  async #load(): Promise<void> {
    const { filters, notices } = this.#options;
    try {
      const { templates, sources, problems, unused } = await this.#file.read();
      for (const problem of problems) notices.say('error', 'workspace.invalid', problem);
      this.#tellUnused(unused);
      await filters.setTemplates(templates, () => FROM_NOW);
      this.#listed = byName(sources);
      this.#openListed(sources);
      void this.#forgetVanished(sources);
    } catch (error) {
      this.#unreadable(error);
    }
  }

  /** Removes the files of the window that are not there any more. */
  async #forgetVanished(listed: readonly ListedSource[]): Promise<void> {
    for (const { input, remembered } of listed) {
      if (!remembered || input.type !== 'FileInput') continue;
      for (const path of input.paths) if (isPlainPath(path) && (await isGone(path))) this.forgetFile(path);
    }
  }

  /** Reads and applies the file again; never in the middle of a change from the window. */
  #reload(): Promise<void> {
    this.#reloading = this.#file.inTurn(() => this.#readAgain());
    return this.#reloading;
  }

  /** Applies an edited file, unless it has problems. */
  async #readAgain(): Promise<void> {
    const { filters, notices } = this.#options;
    try {
      const { templates, sources, problems, unused } = await this.#file.read();
      for (const problem of problems) notices.say('error', 'workspace.invalid', `${problem}. What runs stays as it is.`);
      if (problems.length > 0) return;
      this.#tellUnused(unused);
      // A file is filtered again as a whole; of a live source the old filter may have seen more records than the store has.
      const filtersExchanged = filters.setTemplates(templates, ({ kind }) => ({ keepState: kind !== 'file' }));
      // Both begin at once: sources that the window opens or closes from now on are not in the text that was read.
      await Promise.all([filtersExchanged, this.#exchange(byName(sources))]);
    } catch (error) {
      this.#unreadable(error);
    }
  }

  /** Tells of unused sections, of each one once. */
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
    this.#openListed(added);
  }

  /** Whether the file lists a source no more, or another one in its place. */
  #isGone(section: string, listed: ReadonlyMap<string, ListedSource>): boolean {
    const before = this.#listed.get(section);
    const after = listed.get(section);
    // A section that the window has just written is not read yet.
    return before !== undefined && (after === undefined || !saysTheSame(before, after));
  }

  /** Opens sources. What has to be confirmed first is asked for together, and opened when that was done. */
  #openListed(listed: readonly ListedSource[]): void {
    const { consent } = this.#options;
    const waiting = listed.filter(({ input }) => !demandsOf(input, 'file').every((one) => consent.has(one)));
    for (const source of listed) if (!waiting.includes(source)) this.#tryOpen(source);
    if (waiting.length > 0) void this.#openConfirmed(waiting);
  }

  async #openConfirmed(waiting: readonly ListedSource[]): Promise<void> {
    const { consent, notices } = this.#options;
    await consent.ask(waiting.flatMap(({ input }) => demandsOf(input, 'file')));
    for (const source of waiting) {
      const { name } = source.input;
      const now = this.#listed.get(name);
      const isOpen = [...this.#sections.values()].includes(name);
      // Meanwhile the file may have changed.
      if (this.#stopped || isOpen || now === undefined || !saysTheSame(now, source)) continue;
      if (demandsOf(source.input, 'file').every((one) => consent.has(one))) this.#tryOpen(source);
      else
        notices.say(
          'warning',
          'consent.refused',
          `${name} of ${this.#file.path} was not started, since nobody confirmed it. The next start asks again.`,
        );
    }
  }

  /** Opens a source, or says why not. */
  #tryOpen(source: ListedSource): void {
    try {
      this.#open(source);
    } catch (error) {
      this.#options.notices.say('warning', 'limit.reached', `${source.input.name} was not opened: ${messageOf(error)}`);
    }
  }

  /** Opens a source. Returns its number; null: it is open already, or is opened only on request. */
  #open({ input, decoder, remembered, parts }: ListedSource): number | null {
    if (remembered && input.type === 'FileInput') {
      for (const path of input.paths) {
        this.#opened.add(path);
        if (decoder !== null) this.#remembered.set(path, decoder);
        if (input.time_offset !== 0) this.#timeOffsets.set(path, input.time_offset);
      }
      return null;
    }
    const { sources, inputs } = this.#options;
    const facts = isStatistic(input) ? workstationFacts([input, ...parts.map((part) => part.input)]) : sourceFacts(input);
    if (sources.find(facts.kind, facts.location)) return null;
    const make = (config: ListedSource['input']) => (): Input => inputs.configured(config);
    // A stream of framed messages has no text to detect a decoder by.
    const samples = input.type === 'FileInput' && input.splitter !== 'framing' ? input.paths : [];
    const more = parts.map((part) => ({ input: make(part.input), decoder: part.decoder }));
    const timeOffset = 'time_offset' in input ? input.time_offset : 0;
    const source = sources.add({ ...facts, samples, input: make(input), parts: more, timeOffset });
    this.#sections.set(source.id, input.name);
    void source.open(decoder);
    return source.id;
  }

  /** Writes into the file; an error becomes a notice. */
  #edit(change: (file: WorkspaceFile) => Promise<void>): void {
    this.ready
      .then(() => change(this.#file))
      .catch((error: unknown) => {
        this.#options.notices.say('warning', 'workspace.unwritten', `${this.#file.path} was not changed: ${messageOf(error)}`);
      });
  }
}

/** Whether a section of the watched machine is that of an input. */
const isInput = ({ type }: SectionData): boolean => typeof type === 'string' && type.endsWith('Input');

/** Whether it names one file, as opposed to a pattern or a place elsewhere. */
const isPlainPath = (path: string): boolean => isAbsolute(path) && !/[*?[\]{}]/.test(path);

async function isGone(path: string): Promise<boolean> {
  const error: unknown = await stat(path).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (errorCode(error) !== 'ENOENT') return false;
  // A store that cannot be read now is not gone.
  return (await storedTableAt(path).catch(() => undefined)) === null;
}

const byName = (sources: readonly ListedSource[]): ReadonlyMap<string, ListedSource> =>
  new Map(sources.map((source) => [source.input.name, source]));
