import { EngineError, messageOf } from '../../base/errors.ts';
import type { InputNotice } from '../../inputs/types.ts';
import { managedFilter, parseManaged, type ManagedParameters, type ManagedSection } from '../../config/managed.ts';
import type { FilterConfig } from '../../config/schema/sections.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { messagesOf } from '../../message/batch/row-index.ts';
import { nowNs } from '../../message/timestamp.ts';
import { bundledNames } from '../../plugins/catalog.ts';
import type { Consumer } from '../../pipeline/consumer.ts';
import { comesBack } from '../../pipeline/injection-rules.ts';
import { pluginTerminated, sandboxTerminated } from '../../pipeline/messages.ts';
import { count, runnerFields, type PluginReport } from '../../pipeline/plugin-report.ts';
import type { Injector } from '../../pipeline/router.ts';
import { Subscription, type Selection, type Selector } from '../../pipeline/selection.ts';
import { Serial } from '../../base/time/serial.ts';
import { Throttle } from '../../base/time/throttle.ts';
import { controlOf, type Control } from './control-message.ts';
import { fullName, ManagedFiles, isTooLong } from './managed-files.ts';

/** A filter that a manager has started. */
export interface ManagedFilter {
  /** Removes it from the router; it finishes its messages and keeps its state. */
  stop(): Promise<void>;
}

/** Services of the pipeline to a manager. */
export interface ManagerSurroundings {
  readonly router: Injector;
  readonly hostname: string;
  readonly pid: number;
  /** Tells whether a filter of this name is running. */
  isRunning(name: string): boolean;
  /**
   * Starts a filter and adds it to the router.
   * @param onEnd called when it has ended by itself
   * @throws {EngineError} when it cannot be started
   */
  start(config: FilterConfig, onEnd: () => void): Promise<ManagedFilter>;
  log(level: InputNotice['level'], code: InputNotice['code'], text: string): void;
}

export interface ManagerOptions {
  readonly name: string;
  readonly matcher: Selector;
  /** Name of the signer whose messages alone are obeyed. */
  readonly signer?: string | undefined;
  readonly maxFilters: number;
  /** Folder of the scripts and configurations. */
  readonly folder: string;
  /** Limits and folders of all its filters. */
  readonly forced: Omit<ManagedParameters, 'filename'>;
}

/** Least time between two lines about refused messages. */
const TELL_MS = 10_000;

/** Loads and unloads filters on control messages, one after the other. It never ends by itself. */
export class ManagerFilter implements Consumer {
  readonly name: string;
  readonly subscription: Subscription;
  readonly #options: ManagerOptions;
  readonly #surroundings: ManagerSurroundings;
  readonly #files: ManagedFiles;
  readonly #running = new Map<string, ManagedFilter>();
  #messages = 0;
  #pending = 0;
  #stopped = false;
  /** Control messages that were refused since that was last said, and who signed the last one. */
  #refused = 0;
  #refusedSigner = '';
  readonly #told = new Throttle(() => this.#tellRefused(), TELL_MS);
  readonly #turns = new Serial();

  constructor(options: ManagerOptions, surroundings: ManagerSurroundings) {
    this.name = options.name;
    // Messages of other signers are looked at as well, to say that they are refused.
    this.subscription = new Subscription({ matcher: options.matcher });
    this.#options = options;
    this.#surroundings = surroundings;
    this.#files = new ManagedFiles(options.folder, options.name);
  }

  get pending(): number {
    return this.#pending;
  }

  /** Loads the filters that ran at the last stop. One that cannot be loaded is reported, and the others are loaded. */
  async restore(): Promise<void> {
    await this.#files.open();
    for (const name of await this.#files.names()) {
      await this.#restore(name).catch((error: unknown) => this.#say('error', `${name} was not loaded again: ${messageOf(error)}`));
    }
  }

  submit({ batch, rows, signer }: Selection): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    const { signer: wanted } = this.#options;
    if (wanted !== undefined && signer !== wanted) {
      this.#refuse(rows?.length ?? batch.length, signer);
      return Promise.resolve();
    }
    const now = nowNs();
    const controls = Array.from(messagesOf(batch, rows), (message) => controlOf(message, now));
    this.#messages += controls.length;
    this.#pending++;
    return this.#turns.run(() => this.#obeyAll(controls)).finally(() => this.#pending--);
  }

  async report(capacity: number): Promise<PluginReport> {
    const own = { RunningFilters: count(this.#running.size), ProcessMessageCount: count(this.#messages) };
    return Promise.resolve({ name: this.name, fields: { ...runnerFields(this.#pending, capacity, this.subscription), ...own } });
  }

  /** Finishes its messages. The router stops the filters themselves. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#told.stop();
    if (this.#refused > 0) this.#tellRefused();
    await this.#turns.idle();
  }

  /** Counts control messages that may not be obeyed; what can come from anybody is said now and then. */
  #refuse(messages: number, signer: string): void {
    this.#refused += messages;
    this.#refusedSigner = signer;
    this.#told.request();
  }

  #tellRefused(): void {
    const by = this.#refusedSigner === '' ? 'without a signature' : `signed by ${this.#refusedSigner}`;
    const { signer = '' } = this.#options;
    this.#say('warning', `refused ${this.#refused} control messages, the last one ${by}: message_signer is ${signer}`);
    this.#refused = 0;
  }

  async #obeyAll(controls: readonly Control[]): Promise<void> {
    // A failed control message must not prevent later ones.
    for (const control of controls) await this.#obey(control).catch((error: unknown) => this.#say('error', messageOf(error)));
  }

  async #obey(control: Control): Promise<void> {
    switch (control.action) {
      case 'load':
        return this.#load(control.config, control.script);
      case 'unload':
        return this.#unload(fullName(this.name, control.name));
      default:
        return this.#say('warning', control.why);
    }
  }

  async #load(config: string, script: string): Promise<void> {
    const { maxFilters } = this.#options;
    if (this.#running.size >= maxFilters) {
      return this.#say('warning', `a filter was not loaded: there are no more than max_filters of ${maxFilters}`);
    }
    try {
      await this.#tryLoad(config, script);
    } catch (error) {
      this.#tellFailure(messageOf(error));
    }
  }

  async #tryLoad(config: string, script: string): Promise<void> {
    const section = parseManaged(config, 'Fields[config]');
    const name = fullName(this.name, section.name);
    if (isTooLong(name))
      throw new EngineError('manager.config', `the name of the section has ${section.name.length} characters: too many for a file`);
    this.#checkFree(name);
    try {
      if (section.values.plugin !== undefined && script !== '') {
        throw new EngineError('manager.config', `[${section.name}] names a plugin, and the message has a script as well`);
      }
      await this.#files.write(name, config, script);
      await this.#start(name, section);
    } catch (error) {
      await this.#files.remove(name);
      throw new EngineError('manager.load', `${name} was not loaded: ${messageOf(error)}`, { cause: error });
    }
  }

  #checkFree(name: string): void {
    if (!this.#surroundings.isRunning(name)) return;
    throw new EngineError('manager.running', `${name} is already running: unload it before it is loaded again`);
  }

  async #restore(name: string): Promise<void> {
    // A file that cannot be parsed is kept for its owner to inspect.
    const section = parseManaged(await this.#files.readConfig(name), this.#files.config(name));
    this.#checkFree(name);
    try {
      await this.#start(name, section);
    } catch (error) {
      // A host that does not start says nothing about the filter.
      if (!(error instanceof EngineError && error.code === 'sandbox.host')) await this.#files.remove(name);
      throw error;
    }
  }

  async #start(name: string, section: ManagedSection): Promise<void> {
    const parameters = { filename: this.#files.script(name), ...this.#options.forced };
    const config = managedFilter(section, { name, file: this.#files.config(name) }, parameters, { filter: bundledNames('filter') });
    let ended = false;
    const onEnd = (): void => {
      ended = true;
      this.#running.delete(name);
    };
    const filter = await this.#surroundings.start(config, onEnd);
    if (!ended) this.#running.set(name, filter);
    this.#say('info', `${name} was loaded`);
  }

  /** Unloads a filter. Of one that has ended by itself only the files are removed, so that it is not loaded at the next start. */
  async #unload(name: string): Promise<void> {
    const filter = this.#running.get(name);
    const wasKept = !isTooLong(name) && (await this.#files.names()).includes(name);
    if (filter === undefined && !wasKept) return this.#tellUnknown(name);
    this.#running.delete(name);
    await filter?.stop();
    await this.#files.remove(name);
    if (filter === undefined) return this.#say('info', `${name} had ended; it is not loaded again at the next start`);
    this.#say('info', `${name} was unloaded`);
    this.#inject(pluginTerminated({ ...this.#head(name, 'the filter was unloaded'), type: 'SandboxFilter' }));
  }

  #tellUnknown(name: string): void {
    const running = [...this.#running.keys()].sort();
    const known = running.length === 0 ? 'no filter is loaded' : `loaded are ${running.join(', ')}`;
    this.#say('warning', `${name} was not unloaded, for there is none of that name: ${known}`);
  }

  #tellFailure(reason: string): void {
    this.#say('error', reason);
    const message = sandboxTerminated(this.#head(this.name, reason));
    if (!comesBack(this.#options, message)) this.#inject(message);
  }

  /** Injects a message without waiting for it to be processed, since this manager may have to process it. */
  #inject(message: MessageBatch): void {
    void this.#surroundings.router.inject(message, 0).catch(() => undefined);
  }

  #head(plugin: string, reason: string): Parameters<typeof sandboxTerminated>[0] {
    const { hostname, pid } = this.#surroundings;
    return { plugin, reason, hostname, pid, timestamp: nowNs() };
  }

  #say(level: InputNotice['level'], text: string): void {
    this.#surroundings.log(level, 'manager', `[${this.name}] ${text}`);
  }
}
