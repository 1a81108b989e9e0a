import type { FilterConfig, InputConfig, PipelineConfig } from '../config/index.ts';
import { EngineError, messageOf } from '../errors.ts';
import type { MessageBatch } from '../message/batch.ts';
import type { ClockKind } from './clock.ts';
import type { FilterRunner } from './filter-runner.ts';
import { Pipeline } from './pipeline.ts';
import type { PipelineReport } from './plugin-report.ts';
import { filterChanges, pendingChanges } from './section-changes.ts';
import { SectionFactory, type PipelineHost } from './section-factory.ts';

export type { PipelineHost } from './section-factory.ts';

/** What came of an edited configuration. */
export interface Reload {
  /** What was done, one line each. */
  readonly applied: readonly string[];
  /** What takes effect at the next start, one line each. */
  readonly pending: readonly string[];
}

/**
 * Builds the pipeline of a checked configuration, with its decoders and filters started.
 * @throws {EngineError} when a plugin cannot start; what was started is stopped again
 */
export async function pipelineFromConfig(config: PipelineConfig, host: PipelineHost): Promise<ConfiguredPipeline> {
  const factory = new SectionFactory(config, host);
  const { max_message_loops: maxMessageLoops, plugin_chansize: capacity, poolsize: inFlight } = config.service;
  const pipeline = new Pipeline({ clock: clockOf(config.inputs), maxMessageLoops, capacity, inFlight });
  const filters = new Map<string, FilterRunner>();
  try {
    for (const output of config.outputs) pipeline.addOutput(await inSection(output, () => factory.output(output)));
    for (const filter of config.filters) {
      const made = await inSection(filter, () => factory.filter(filter));
      filters.set(filter.name, pipeline.addFilter(made));
    }
    for (const input of config.inputs) pipeline.addInput(await inSection(input, () => factory.input(input)));
  } catch (error) {
    await factory.abandon();
    throw error;
  }
  return new ConfiguredPipeline(config, host, pipeline, filters);
}

/** A pipeline that follows its configuration as far as it can while it runs. */
export class ConfiguredPipeline {
  readonly #host: PipelineHost;
  readonly #pipeline: Pipeline;
  readonly #filters: Map<string, FilterRunner>;
  /** What it was started with. Its filters are those of the last configuration that was applied. */
  #config: PipelineConfig;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(config: PipelineConfig, host: PipelineHost, pipeline: Pipeline, filters: Map<string, FilterRunner>) {
    this.#config = config;
    this.#host = host;
    this.#pipeline = pipeline;
    this.#filters = filters;
  }

  /** Whether all inputs have nothing to read for now and everything that they read has been through. */
  get idle(): boolean {
    return this.#pipeline.idle;
  }

  /** What moves its tickers. */
  get clock(): ClockKind {
    return clockOf(this.#config.inputs);
  }

  /** What everything in it says about itself. */
  report(): Promise<PipelineReport> {
    return this.#pipeline.report();
  }

  /** Routes a message of the service itself. Resolves when it has been through. */
  inject(batch: MessageBatch): Promise<void> {
    return this.#pipeline.router.inject(batch, 0);
  }

  /** @throws what an input throws that cannot start */
  start(): Promise<void> {
    return this.#pipeline.start();
  }

  /** Lets outputs open their files anew, for after these were moved away. */
  reopen(): Promise<void> {
    return this.#pipeline.router.reopen();
  }

  /** Stops the inputs, lets everything that they read go through, and stops decoders, filters and outputs in that order. */
  async stop(): Promise<void> {
    await this.#turn.catch(() => undefined);
    await this.#pipeline.stop();
  }

  /**
   * Takes over another configuration: filters that are new, gone or changed are started, stopped and replaced between two batches, so that
   * each message is seen by the filters of before or by those of after. State that a filter keeps goes over to the one that replaces it.
   * @throws {EngineError} when a new filter does not start; then nothing has changed
   */
  reload(after: PipelineConfig): Promise<Reload> {
    const turn = this.#turn.then(() => this.#reload(after));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #reload(after: PipelineConfig): Promise<Reload> {
    const { added, removed, changed } = filterChanges(this.#config, after);
    const pending = pendingChanges(this.#config, after);
    // Options of the service keep the values of the start.
    const next = { ...after, service: this.#config.service };
    const factory = new SectionFactory(next, this.#host);
    const changes = [
      ...removed.map((before) => ({ before, after: null })),
      ...changed,
      ...added.map((section) => ({ before: null, after: section })),
    ];
    for (const { after: section } of changes) if (section !== null) await inSection(section, () => factory.tryFilter(section));
    const done: Change[] = [];
    if (changes.length > 0) {
      await this.#pipeline.router.exclusive(async () => {
        try {
          for (const change of changes) {
            done.push(change);
            await this.#exchange(change, factory);
          }
        } catch (error) {
          for (const { before, after: section } of done.reverse()) await this.#exchange({ before: section, after: before }, factory);
          throw error;
        }
      });
    }
    this.#config = { ...this.#config, filters: after.filters };
    const applied = changes.map(({ before, after: section }) => {
      const what = before === null ? 'started' : section === null ? 'stopped' : 'replaced';
      return `[${(section ?? before)?.name ?? ''}] ${what}`;
    });
    return { applied, pending };
  }

  /** The one is stopped before the other is started: it takes over the state that the first one keeps. */
  async #exchange({ before, after }: Change, factory: SectionFactory): Promise<void> {
    const running = before === null ? undefined : this.#filters.get(before.name);
    if (before !== null && running !== undefined) {
      this.#filters.delete(before.name);
      this.#pipeline.router.remove(running);
      await running.stop();
    }
    if (after === null) return;
    const made = await inSection(after, () => factory.filter(after));
    this.#filters.set(after.name, this.#pipeline.addFilter(made));
  }
}

interface Change {
  readonly before: FilterConfig | null;
  readonly after: FilterConfig | null;
}

/** Says of an error in which section of which file it is. */
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

/** The message clock needs inputs that all follow it: a live source has no other time than now. */
function clockOf(inputs: readonly InputConfig[]): ClockKind {
  return inputs.length > 0 && inputs.every((input) => 'clock' in input && input.clock === 'message') ? 'message' : 'wall';
}
