import { hostname } from 'node:os';
import { clockOfInputs } from '../config/clocks.ts';
import type { FilterConfig, InputConfig, OutputConfig } from '../config/schema/sections.ts';
import type { PipelineConfig } from '../config/sections.ts';
import { EngineError, messageOf } from '../base/errors.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { nowNs } from '../message/timestamp.ts';
import { StatHub } from '../inputs/stats/stat-hub.ts';
import type { Consumer } from '../pipeline/consumer.ts';
import type { Leak } from '../pipeline/leak-watch.ts';
import { Detectors } from './detectors.ts';
import { makeManager } from './manager-section.ts';
import { makeRules } from './rules-section.ts';
import { pluginTerminated } from '../pipeline/messages.ts';
import { Pipeline, type PipelineClock } from '../pipeline/pipeline.ts';
import type { PipelineReport } from '../pipeline/plugin-report.ts';
import type { ScriptStarter } from '../plugins/sandboxes.ts';
import type { RunningInput } from '../pipeline/running-input.ts';
import { Serial } from '../base/time/serial.ts';
import { filterChanges, inputChanges, outputChanges, pendingChanges, type SectionChanges } from './section-changes.ts';
import { SectionFactory, type PipelineHost } from './section-factory.ts';

export type { PipelineHost } from './section-factory.ts';

/** Result of applying an edited configuration. */
export interface Reload {
  /** Applied changes, one line each. */
  readonly applied: readonly string[];
  /** Changes that take effect at the next start, one line each. */
  readonly pending: readonly string[];
}

/**
 * Builds the pipeline of a checked configuration, with its decoders and filters started.
 * @throws {EngineError} when a plugin cannot start; what was started is stopped again
 */
export async function pipelineFromConfig(config: PipelineConfig, given: PipelineHost): Promise<ConfiguredPipeline> {
  const clock = given.edges === undefined ? clockOfInputs(config.inputs) : 'message';
  const onTime = onClock(given, clock);
  const host = { stats: new StatHub(), detectors: new Detectors(onTime.starter, onTime.tell), ...onTime };
  const { max_message_loops: maxMessageLoops, plugin_chansize: capacity, poolsize: inFlight, max_pack_idle: maxPackIdle } = config.service;
  const pipeline = new Pipeline({
    clock,
    maxMessageLoops,
    capacity,
    inFlight,
    maxPackIdle,
    hostname: config.service.hostname,
  });
  const factory = new SectionFactory(config, host, (...told) => pipeline.tellTerminated(...told));
  const live: LiveParts = { consumers: new Map(), inputs: new Map() };
  try {
    for (const section of [...config.outputs, ...config.filters]) {
      live.consumers.set(section.name, await addConsumer(section, factory, pipeline));
    }
    for (const section of config.managers) {
      const manager = makeManager(section, config, host, pipeline);
      pipeline.router.addFilter(manager);
      await inSection(section, () => manager.restore());
    }
    for (const section of config.rules) pipeline.router.addFilter(await inSection(section, () => makeRules(section, host, pipeline)));
    for (const input of config.inputs) {
      live.inputs.set(input.name, pipeline.addInput(await inSection(input, () => factory.input(input))));
    }
    if (host.edges !== undefined) {
      pipeline.addInput({ input: host.edges.messages, decoder: null, sendDecodeFailures: false, clock: 'message' });
      pipeline.addOutput(host.edges.observer);
    }
  } catch (error) {
    await factory.abandon();
    throw error;
  }
  return new ConfiguredPipeline(config, host, pipeline, live);
}

/** Longest wait of a reload for filters and outputs to finish their messages. */
const EXCHANGE_PATIENCE_MS = 10_000;

/** A pipeline that applies edits of its configuration while it runs, as far as it can. */
export class ConfiguredPipeline {
  readonly #host: PipelineHost;
  readonly #pipeline: Pipeline;
  readonly #live: LiveParts;
  /** The configuration at the start, with the parts that were reloaded since. */
  #config: PipelineConfig;
  readonly #reloads = new Serial();

  constructor(config: PipelineConfig, host: PipelineHost, pipeline: Pipeline, live: LiveParts) {
    this.#config = config;
    this.#host = host;
    this.#pipeline = pipeline;
    this.#live = live;
  }

  /** True when all inputs are idle and everything that they read has been processed. */
  get idle(): boolean {
    return this.#pipeline.finished;
  }

  /** Clock of its inputs. */
  get clock(): PipelineClock {
    return clockOfInputs(this.#config.inputs);
  }

  /** Collects the figures of all its parts. */
  report(): Promise<PipelineReport> {
    return this.#pipeline.report();
  }

  /** Filters and outputs that have held batches for longer than `max_pack_idle`. */
  leaks(): Leak[] {
    return this.#pipeline.leaks();
  }

  /** Tells whether messages get through; false after up to about two seconds. */
  flows(): Promise<boolean> {
    return this.#pipeline.flows();
  }

  /** Routes a message of the service itself. Resolves when it is processed. */
  inject(batch: MessageBatch): Promise<void> {
    return this.#pipeline.router.inject(batch, 0);
  }

  /** Starts the pipeline. @throws the error of a part that cannot start */
  start(): Promise<void> {
    return this.#pipeline.start();
  }

  /** Makes outputs reopen their files, after these were moved away. */
  reopen(): Promise<void> {
    return this.#pipeline.router.reopen();
  }

  /** Prepares for the service's stop: waits for anything outside the process soon end. */
  closing(): void {
    this.#pipeline.router.closing();
  }

  /** Names of the parts that `stop` waits for. */
  get stopping(): string[] {
    return this.#pipeline.stopping;
  }

  /** See `Pipeline.moved`. */
  get moved(): string {
    return this.#pipeline.moved;
  }

  /** Stops the inputs, lets everything that they read be processed, and stops decoders, filters and outputs in that order. */
  async stop(): Promise<void> {
    this.closing();
    await this.#reloads.idle();
    await this.#pipeline.stop();
  }

  /**
   * Applies an edited configuration. Filters and outputs that were added, removed or changed are started, stopped and replaced between two
   * batches, so that each message is seen by the old set or by the new one; then inputs are. Preserved state of a script passes to its
   * replacement.
   * @throws {EngineError} when something new does not start; then no filter and no output has changed
   */
  reload(after: PipelineConfig): Promise<Reload> {
    return this.#reloads.run(() => this.#reload(after));
  }

  async #reload(after: PipelineConfig): Promise<Reload> {
    const before = this.#config;
    // Options of the service keep their values from the start.
    const factory = this.#factory({ ...after, service: before.service });
    const filters = changeList(filterChanges(before, after));
    const consumers: Change<ConsumerSection>[] = [...changeList(outputChanges(before, after)), ...filters];
    const clockChanges = clockOfInputs(after.inputs) !== clockOfInputs(before.inputs);
    const inputs = clockChanges ? [] : changeList(inputChanges(before, after));
    for (const { after: section } of filters) if (section !== null) await inSection(section, () => factory.tryFilter(section));
    for (const { after: section } of inputs) if (section !== null) await inSection(section, () => factory.tryInput(section));
    await this.#exchangeConsumers(consumers, factory, this.#factory(before));
    const { filters: newFilters, outputs, encoders } = after;
    this.#config = { ...before, filters: newFilters, outputs, encoders };
    for (const { before: old, after: section } of filters) if (section === null && old !== null) this.#tellRemoved(old.name);
    for (const change of inputs) await this.#exchangeInput(change, factory);
    if (!clockChanges) this.#config = { ...this.#config, inputs: after.inputs, decoders: after.decoders };
    const clock = clockChanges ? ['the clock of the inputs is changed'] : [];
    return { applied: [...consumers, ...inputs].map(told), pending: [...pendingChanges(before, after), ...clock] };
  }

  #factory(config: PipelineConfig): SectionFactory {
    return new SectionFactory(config, this.#host, (...told) => this.#pipeline.tellTerminated(...told));
  }

  async #exchangeConsumers(changes: readonly Change<ConsumerSection>[], factory: SectionFactory, old: SectionFactory): Promise<void> {
    if (changes.length === 0) return;
    const done: Change<ConsumerSection>[] = [];
    await this.#pipeline.router.exclusive(async () => {
      try {
        for (const change of changes) {
          done.push(change);
          await this.#exchange(change, factory);
        }
      } catch (error) {
        for (const { before, after } of done.reverse()) await this.#exchange({ before: after, after: before }, old);
        throw error;
      }
    }, EXCHANGE_PATIENCE_MS);
  }

  /** Replaces an input. The new one continues where the old one has stopped. */
  async #exchangeInput({ before, after }: Change<InputConfig>, factory: SectionFactory): Promise<void> {
    const running = before === null ? undefined : this.#live.inputs.get(before.name);
    if (before !== null && running !== undefined) {
      this.#live.inputs.delete(before.name);
      await this.#pipeline.removeInput(running);
    }
    if (after === null) return;
    const added = this.#pipeline.addInput(await inSection(after, () => factory.input(after)));
    this.#live.inputs.set(after.name, added);
    await added.start();
  }

  /** Injects a message that a filter was removed, without waiting for it to be processed. */
  #tellRemoved(plugin: string): void {
    const head = { hostname: this.#config.service.hostname ?? hostname(), pid: process.pid, timestamp: nowNs() };
    const message = pluginTerminated({ ...head, plugin, type: 'SandboxFilter', reason: 'the filter was taken out of the configuration' });
    void this.inject(message).catch(() => undefined);
  }

  /** Replaces a filter or output. The old one is stopped first, since the new one takes over its state. */
  async #exchange({ before, after }: Change<ConsumerSection>, factory: SectionFactory): Promise<void> {
    const running = before === null ? undefined : this.#live.consumers.get(before.name);
    if (before !== null && running !== undefined) {
      this.#live.consumers.delete(before.name);
      this.#pipeline.router.remove(running);
      await running.stop();
    }
    if (after !== null) this.#live.consumers.set(after.name, await addConsumer(after, factory, this.#pipeline));
  }
}

type ConsumerSection = FilterConfig | OutputConfig;

/** Parts that follow the configuration, by the names of their sections. */
interface LiveParts {
  readonly consumers: Map<string, Consumer>;
  readonly inputs: Map<string, RunningInput>;
}

interface Change<T> {
  readonly before: T | null;
  readonly after: T | null;
}

function changeList<T extends { readonly name: string }>({ added, removed, changed }: SectionChanges<T>): Change<T>[] {
  return [...removed.map((before) => ({ before, after: null })), ...changed, ...added.map((after) => ({ before: null, after }))];
}

function told({ before, after }: Change<{ readonly name: string }>): string {
  const action = before === null ? 'started' : after === null ? 'stopped' : 'replaced';
  return `[${(after ?? before)?.name ?? ''}] ${action}`;
}

/** Makes a filter or an output and adds it to the pipeline. */
async function addConsumer(section: ConsumerSection, factory: SectionFactory, pipeline: Pipeline): Promise<Consumer> {
  if (section.type === 'SandboxFilter') return pipeline.addFilter(await inSection(section, () => factory.filter(section)));
  if (section.type === 'SandboxOutput') return pipeline.addScriptOutput(await inSection(section, () => factory.scriptOutput(section)));
  const gone = (reason: string): void => pipeline.removeOutput(made, section.type, reason);
  const made: Consumer = await inSection(section, () => factory.output(section, gone));
  pipeline.addOutput(made);
  return made;
}

/** Runs work for a section, and adds its file, line and name to an error. */
async function inSection<T>(
  { name, origin }: { name: string; origin: { file: string; line: number } },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof EngineError ? error.code : 'plugin.failed';
    throw new EngineError(code, `${origin.file}:${origin.line}: [${name}] ${messageOf(error)}`, { cause: error });
  }
}

/** Returns the host with a starter that gives scripts the pipeline's clock; where inputs differ, filters change theirs themselves. */
function onClock(host: PipelineHost, pipelineClock: PipelineClock): PipelineHost {
  const { starter } = host;
  const clock = pipelineClock === 'message' ? 'message' : 'wall';
  const start: ScriptStarter['start'] = (spec) => starter.start({ ...spec, clock });
  return { ...host, starter: { hosts: starter.hosts, start, startInput: (spec) => starter.startInput(spec) } };
}
