import type { End } from '../api/ends.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { nowNs } from '../message/timestamp.ts';
import type { ClockKind } from '../message/types.ts';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../base/errors.ts';
import { BufferedConsumer, type Buffering } from './buffered-consumer.ts';
import type { Consumer } from './consumer.ts';
import { DEFAULT_IN_FLIGHT } from './decode-stage.ts';
import { FilterRunner, type FilterOptions } from './filter-runner.ts';
import type { Leak } from './leak-watch.ts';
import { pluginTerminated, sandboxTerminated, type TerminatedMessage } from './messages.ts';
import { count, type PipelineReport, type PluginReport } from './plugin-report.ts';
import { Router } from './router.ts';
import { RunningInput, type PipelineInput } from './running-input.ts';
import type { Selector } from './selection.ts';
import { Throttle } from '../base/time/throttle.ts';

/** The clock of a pipeline's tickers; `mixed`: its inputs have different ones, and each filter takes that of the messages that it is sent. */
export type PipelineClock = ClockKind | 'mixed';

export interface PipelineOptions {
  readonly clock: PipelineClock;
  /** Most injections in a chain of messages, each caused by the last; 4 by default. */
  readonly maxMessageLoops?: number;
  /** Batches that one filter or output may have waiting. */
  readonly capacity?: number;
  /** Batches of one input in processing at once, between reading and acknowledgement. */
  readonly inFlight?: number;
  /** Milliseconds after which a batch that a filter or output holds is reported as a leak; 2 minutes by default. */
  readonly maxPackIdle?: number;
  /** Hostname of the messages that it makes; that of this machine by default. */
  readonly hostname?: string | undefined;
}

export interface PipelineFilter extends Omit<FilterOptions, 'router' | 'clock' | 'maxMessageLoops' | 'matcher' | 'onGone'> {
  readonly matcher: Selector;
  /** Disk buffer of its messages; absent: none. */
  readonly buffering?: Buffering | undefined;
}

/** The longest pause between two idle ticks while a file grows line by line. */
const IDLE_INTERVAL_MS = 200;

/** Inputs with their decoders, the router, filters and outputs, on one clock. */
export class Pipeline {
  readonly router: Router;
  readonly #options: PipelineOptions;
  readonly #inputs: RunningInput[] = [];
  readonly #idle: Throttle;
  readonly #leaving = new Set<Promise<void>>();
  readonly #stoppingInputs = new Set<RunningInput>();
  #reorder = 0;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.router = new Router({ capacity: options.capacity });
    this.#idle = new Throttle(() => void this.#settle(), IDLE_INTERVAL_MS);
  }

  /** Batches between the stages. */
  get queued(): number {
    return this.#inputs.reduce((sum, { stage }) => sum + stage.queued, 0);
  }

  /** True when all inputs are idle and everything that they read has been processed. */
  get idle(): boolean {
    return this.#inputs.every((input) => input.idle);
  }

  /** True when idle and everything that filters and outputs hold has been processed, with the idle ticks. */
  get finished(): boolean {
    return this.idle && this.router.finished && !this.#idle.waiting && this.#reorder === 0;
  }

  /** Adds an input; one that is added while the others run has to be started. */
  addInput(options: PipelineInput): RunningInput {
    const input = new RunningInput(options, this.router, this.#options, () => this.#inputIdle());
    this.#inputs.push(input);
    return input;
  }

  /** Removes an input after everything that it has read has been processed. */
  async removeInput(input: RunningInput): Promise<void> {
    await input.stop();
    const at = this.#inputs.indexOf(input);
    if (at >= 0) this.#inputs.splice(at, 1);
  }

  addFilter(filter: PipelineFilter): Consumer {
    const runner = this.#runner(filter);
    this.router.addFilter(runner);
    return runner;
  }

  /** Adds an output that is a script. */
  addScriptOutput(output: PipelineFilter): Consumer {
    const runner = this.#runner(output);
    this.router.addOutput(runner);
    return runner;
  }

  #runner({ buffering, ...options }: PipelineFilter): Consumer {
    const { clock, maxMessageLoops = 4 } = this.#options;
    const { router } = this;
    let buffered: BufferedConsumer | null = null;
    const onGone = (): void => {
      const gone = buffered ?? runner;
      router.remove(gone);
      buffered?.abandon();
      this.#leave(gone);
    };
    const isNearlyFull = buffering && (() => buffering.queue.fullness >= NEARLY_FULL);
    const slow = options.slow && { ...options.slow, isNearlyFull };
    const keepsRest = options.keepsRest === true || buffering !== undefined;
    const runner: FilterRunner = new FilterRunner({
      ...options,
      slow,
      keepsRest,
      clock,
      maxMessageLoops,
      router,
      onGone,
    });
    if (buffering === undefined) return runner;
    buffered = new BufferedConsumer({ ...buffering, inner: runner, matcher: options.matcher, signer: options.signer });
    return buffered;
  }

  /** Stops a consumer that has ended, which may still have to save its state. `stop` waits for it. */
  #leave(gone: Consumer): void {
    const left: Promise<void> = gone
      .stop()
      .catch(() => undefined)
      .finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }

  addOutput(output: Consumer): void {
    this.router.addOutput(output);
  }

  /** Removes an output that has ended by itself, and injects a message about it. @param type of its section */
  removeOutput(output: Consumer, type: string, reason: string): void {
    this.router.remove(output);
    if (output instanceof BufferedConsumer) output.abandon();
    this.#leave(output);
    this.#tell(pluginTerminated({ ...this.#messageHead(output.name, reason), type }));
  }

  /**
   * Injects the message about the end of a sandbox that is no filter and no output: those tell of theirs.
   * @param plugin its section
   * @param instance its own name
   */
  tellTerminated(plugin: string, { reason }: End, instance = plugin): void {
    this.#tell(sandboxTerminated({ ...this.#messageHead(plugin, reason), instance }));
  }

  #messageHead(plugin: string, reason: string): TerminatedMessage {
    return { plugin, reason, hostname: this.#options.hostname ?? hostname(), pid: process.pid, timestamp: nowNs() };
  }

  /** Does not wait for the message to be processed: whoever tells of an end may have to process it. */
  #tell(message: MessageBatch): void {
    void this.router.inject(message, 0).catch(() => undefined);
  }

  /** Filters and outputs that have held batches for too long. */
  leaks(): Leak[] {
    const leaks = this.#consumers().map((consumer) => ({ name: consumer.name, batches: this.#leaked(consumer) }));
    return leaks.filter(({ batches }) => batches > 0);
  }

  #leaked(consumer: Consumer): number {
    return this.router.heldLonger(consumer, this.#options.maxPackIdle ?? MAX_PACK_IDLE_MS);
  }

  #consumers(): readonly Consumer[] {
    return [...this.router.filters, ...this.router.outputs];
  }

  /** Tells whether messages get through: an input has room for a further batch, and then the router has, each within about a second. */
  async flows(): Promise<boolean> {
    const packs = this.#options.inFlight ?? DEFAULT_IN_FLIGHT;
    const hasPack = (): boolean => this.#inputs.length === 0 || this.#inputs.some(({ stage }) => stage.queued < packs);
    return (await comesTrue(hasPack)) && (await comesTrue(() => this.router.hasRoom));
  }

  /** Collects the figures of all its parts. */
  async report(): Promise<PipelineReport> {
    const { capacity, filters, outputs, injecting, pending, routed } = this.router;
    const packs = this.#options.inFlight ?? DEFAULT_IN_FLIGHT;
    const chan = (full: number, length: number) => ({ InChanCapacity: count(full), InChanLength: count(length) });
    const reports = (consumers: readonly Consumer[]) => Promise.all(consumers.map((consumer) => this.#reportOf(consumer)));
    const slots = packs * this.#inputs.length;
    return {
      globals: [
        { name: 'inputRecycleChan', fields: chan(slots, slots - this.queued) },
        { name: 'injectRecycleChan', fields: chan(packs, Math.max(0, packs - injecting)) },
        { name: 'Router', fields: { ...chan(capacity, pending), ProcessMessageCount: count(routed) } },
      ],
      inputs: present(await Promise.all(this.#inputs.map((input) => reportOrError(input.name, () => input.report())))),
      splitters: [],
      decoders: (await Promise.all(this.#inputs.map(decoderReportsOf))).flat(),
      filters: present(await reports(filters)),
      outputs: present(await reports(outputs)),
      encoders: present(
        await Promise.all(outputs.map((output) => reportOrError(output.name, async () => output.encoderReport?.() ?? null))),
      ),
    };
  }

  async #reportOf(consumer: Consumer): Promise<PluginReport | null> {
    const report = await reportOrError(consumer.name, async () => consumer.report?.(this.router.capacity) ?? null);
    if (report?.fields.LeakCount === undefined) return report;
    return { ...report, fields: { ...report.fields, LeakCount: count(this.#leaked(consumer)) } };
  }

  /** Starts filters and outputs, then the inputs. @throws the error of one that cannot start */
  async start(): Promise<void> {
    await this.router.start();
    for (const input of this.#inputs) await input.start();
  }

  /** Stops the inputs, lets everything that they read be processed, and stops decoders, filters and outputs in that order. */
  async stop(): Promise<void> {
    this.router.closing();
    await Promise.all(this.#inputs.map((input) => this.#stopInput(input)));
    this.#idle.stop();
    await this.router.stop();
    await Promise.all(this.#leaving);
  }

  /** Names of the parts that `stop` waits for: of inputs first, then of filters, then of outputs. */
  get stopping(): string[] {
    const inputs = [...this.#stoppingInputs];
    return (inputs.length > 0 ? inputs : this.router.stopping).map(({ name }) => name);
  }

  async #stopInput(input: RunningInput): Promise<void> {
    this.#stoppingInputs.add(input);
    await input.stop().finally(() => this.#stoppingInputs.delete(input));
  }

  /** Figures that change as long as a stop gets on: of two that are alike, nothing has moved between them. */
  get moved(): string {
    const { pending, routed, injecting } = this.router;
    return [this.queued, pending, routed, injecting, this.#leaving.size, ...this.stopping].join(' ');
  }

  #inputIdle(): void {
    if (this.idle) this.#idle.request();
  }

  /** Sends idle ticks until no filter injects anything more. */
  async #settle(): Promise<void> {
    this.#reorder++;
    while (await this.router.idle());
    this.#reorder--;
  }
}

/** Part of a buffer that may be full before inputs count as waiting for its filter. */
const NEARLY_FULL = 0.9;

const MAX_PACK_IDLE_MS = 120_000;

/** Number of checks and the time between them: about a second in all, and longer when the process is starved. */
const FLOW_LOOKS = 50;
const FLOW_POLL_MS = 20;

async function comesTrue(condition: () => boolean): Promise<boolean> {
  for (let look = 0; look < FLOW_LOOKS; look++) {
    if (condition()) return true;
    await delay(FLOW_POLL_MS);
  }
  return condition();
}

/** Returns a plugin's figures, or the error when it cannot report. */
async function reportOrError(name: string, report: () => Promise<PluginReport | null>): Promise<PluginReport | null> {
  return report().catch((error: unknown) => ({ name, fields: { Error: { value: messageOf(error), representation: '' } } }));
}

async function decoderReportsOf(input: RunningInput): Promise<PluginReport[]> {
  let reports: PluginReport[] = [];
  const failed = await reportOrError(input.name, async () => {
    reports = await input.decoderReports();
    return null;
  });
  return failed === null ? reports : [failed];
}

const present = (reports: readonly (PluginReport | null)[]): PluginReport[] => reports.filter((report) => report !== null);
