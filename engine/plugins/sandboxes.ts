import { hostname } from 'node:os';
import { isBundled } from '../base/product/bundled.ts';
import { messageOf } from '../base/errors.ts';
import { modulesFolder } from './catalog.ts';
import { startParameters, type Config } from './parameters.ts';
import type { PluginScript } from './types.ts';
import { endOf } from '../sandbox/contract/errors.ts';
import {
  NO_RESULT,
  DEFAULT_LIMITS,
  type InputSandbox,
  type Sandbox,
  type SandboxKind,
  type SandboxLimits,
  type SandboxReport,
  type SandboxResult,
  type SandboxSpec,
  type SandboxState,
  type End,
} from '../sandbox/contract/types.ts';

/** A record of any size that an input delivers becomes one message of a bundled decoder. */
const BUNDLED_DECODER_LIMITS: SandboxLimits = { ...DEFAULT_LIMITS, output: 0 };

/** Starts sandboxes. */
export interface SandboxStarter {
  /** Processes that sandboxes are spread over; 1 when it is absent. */
  readonly hosts?: number | undefined;
  /**
   * Starts a sandbox and runs its script's top level.
   * @throws {Error} whose message says why the script does not load
   */
  start(spec: SandboxSpec): Promise<Sandbox>;
  /** Takes a sandbox that has done nothing, for the next start of the same. Absent: it is stopped. */
  keep?(spec: SandboxSpec, sandbox: Sandbox): void;
}

/** Starts sandboxes, and those of inputs. */
export interface ScriptStarter extends SandboxStarter {
  /** Starts a SandboxInput. Errors as with `start`. */
  startInput(spec: SandboxSpec): Promise<InputSandbox>;
}

/** Options for a script, as given by a section of a configuration, a filter of the window or a command. */
export interface ScriptOptions {
  readonly config?: Readonly<Config>;
  readonly limits?: Partial<SandboxLimits>;
  /** Folders that `require` searches before that of the bundled modules. */
  readonly modules?: readonly string[];
  /** Folder at which relative paths of files in parameters begin; the current folder when it is absent. */
  readonly folder?: string | undefined;
}

type OwnOption = 'name' | 'preservation' | 'profile' | 'text' | 'sampling' | 'clock' | 'writes' | 'reads';

/** The same, and what its sandbox is told besides; `SandboxSpec` says what each is. The name is that of the script when it is absent. */
export interface SpecOptions extends ScriptOptions, Partial<Pick<SandboxSpec, OwnOption>> {
  /** That of this machine when it is absent. */
  readonly hostname?: string | undefined;
}

/**
 * Makes the specification of the sandbox that runs a script.
 * @throws {EngineError} `plugin.parameter`
 */
export function sandboxSpec(kind: SandboxKind, plugin: PluginScript, options: SpecOptions = {}): SandboxSpec {
  const { config = {}, limits, modules = [], folder, hostname: host = hostname(), ...own } = options;
  return {
    name: plugin.name,
    hostname: host,
    ...own,
    kind,
    script: plugin.path,
    modules: [...modules, modulesFolder()],
    config: startParameters(plugin, config, folder),
    limits: { ...(kind === 'decoder' && isBundled(plugin.path) ? BUNDLED_DECODER_LIMITS : DEFAULT_LIMITS), ...limits },
    pid: process.pid,
    stateless: plugin.meta?.stateless,
  };
}

/**
 * A sandbox that is started when the first message comes: a filter that waits for messages that never come costs nothing. Until then
 * it gets no ticks. A script that does not load ends it, as an error would.
 */
export class LazySandbox implements Sandbox {
  readonly spec: SandboxSpec;
  readonly #starter: SandboxStarter;
  #starting: Promise<Sandbox> | null = null;
  #sandbox: Sandbox | null = null;
  #failure: End | null = null;

  constructor(starter: SandboxStarter, spec: SandboxSpec) {
    this.spec = spec;
    this.#starter = starter;
  }

  get started(): boolean {
    return this.#starting !== null;
  }

  /** Starts it before the first message comes. Returns its end when its script does not load, or null. */
  async prepare(): Promise<End | null> {
    this.#starting ??= this.#start();
    return this.#starting.then(() => null, endOfStart);
  }

  get state(): SandboxState {
    return this.#failure === null ? (this.#sandbox?.state ?? 'running') : 'terminated';
  }

  async process(...call: Parameters<Sandbox['process']>): Promise<SandboxResult> {
    return this.#call((sandbox) => sandbox.process(...call));
  }

  async timer(ns: bigint): Promise<SandboxResult> {
    return this.started ? this.#call((sandbox) => sandbox.timer(ns)) : NO_RESULT;
  }

  async report(): Promise<SandboxReport> {
    if (this.#sandbox !== null) return this.#sandbox.report();
    const { memory, instructions, output } = this.spec.limits;
    const none = (limit: number) => ({ current: 0, maximum: 0, limit });
    return {
      state: this.state,
      lastError: this.#failure?.reason ?? null,
      processed: 0,
      failures: 0,
      injected: 0,
      averageNs: 0,
      memory: none(memory),
      instructions: none(instructions),
      output: none(output),
    };
  }

  /** One that was not started has no state to write. */
  async save(path: string): Promise<void> {
    const sandbox = await this.#starting;
    await sandbox?.save?.(path);
  }

  terminate(end: End): void {
    this.#failure ??= end;
    this.#sandbox?.terminate?.(end);
  }

  async stop(): Promise<void> {
    const sandbox = await this.#starting?.catch(() => null);
    await sandbox?.stop();
  }

  /** Calls come before the sandbox in the order in which they were made, also while it is starting. */
  async #call(work: (sandbox: Sandbox) => Promise<SandboxResult>): Promise<SandboxResult> {
    this.#starting ??= this.#start();
    try {
      await this.#starting;
    } catch (error) {
      return { ...NO_RESULT, terminated: { ...endOfStart(error), row: -1 } };
    }
    return work(this.#sandbox as Sandbox);
  }

  async #start(): Promise<Sandbox> {
    try {
      return (this.#sandbox = await this.#starter.start(this.spec));
    } catch (error) {
      this.#failure = endOfStart(error);
      throw error;
    }
  }
}

const endOfStart = (error: unknown): End => ({ ...endOf(error), reason: messageOf(error) });
