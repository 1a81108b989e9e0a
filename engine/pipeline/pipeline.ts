import type { Input, InputBatch, InputNotice } from '../inputs/types.ts';
import type { Sandbox } from '../sandbox/types.ts';
import type { ClockKind } from './clock.ts';
import type { Consumer, Selector } from './consumer.ts';
import { DecodeStage, DEFAULT_IN_FLIGHT, type DecodedRecords } from './decode-stage.ts';
import { withoutFailures } from './decoded.ts';
import { FilterRunner, type FilterOptions } from './filter-runner.ts';
import { count, sandboxFields, type PipelineReport, type PluginReport } from './plugin-report.ts';
import { Router } from './router.ts';
import { Throttle } from '../throttle.ts';

export interface PipelineOptions {
  readonly clock: ClockKind;
  /** How often a message may go around by being injected; 4 by default. */
  readonly maxMessageLoops?: number;
  /** Batches that one filter or output may have waiting. */
  readonly capacity?: number;
  /** Batches of one input that may be under way between reading and acknowledgement. */
  readonly inFlight?: number;
}

export interface PipelineInput {
  /** What reports call it. */
  readonly name?: string;
  readonly input: Input;
  /** null: records are routed as they are. */
  readonly decoder: Sandbox | null;
  /** Records that the decoder refused are routed as well, with decode_failure and decode_error. */
  readonly sendDecodeFailures: boolean;
  readonly onNotice?: (notice: InputNotice) => void;
  /** Sees every batch before it is routed, refused records included; the batch waits for it. */
  readonly onRecords?: (records: DecodedRecords) => Promise<void> | void;
  readonly onDecoderTerminated?: (reason: string) => void;
  /** Nothing more to read for now, and all that was read has been through. */
  readonly onIdle?: () => void;
  /** Delivery broke down: nothing more comes from this input. */
  readonly onFault?: (error: unknown) => void;
}

export interface PipelineFilter extends Omit<FilterOptions, 'router' | 'clock' | 'maxMessageLoops' | 'matcher'> {
  readonly matcher: Selector;
}

/** The longest pause between two idle ticks while a file grows line by line. */
const IDLE_INTERVAL_MS = 200;

/** Inputs with their decoders, the router, filters and outputs, on one clock. */
export class Pipeline {
  readonly router: Router;
  readonly #options: PipelineOptions;
  readonly #inputs: RunningInput[] = [];
  readonly #idle: Throttle;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.router = new Router(options.capacity === undefined ? {} : { capacity: options.capacity });
    this.#idle = new Throttle(() => this.router.idle(), IDLE_INTERVAL_MS);
  }

  /** Batches between the stages. */
  get queued(): number {
    return this.#inputs.reduce((sum, { stage }) => sum + stage.queued, 0);
  }

  /** Whether all inputs have nothing to read for now and everything that they read has been through. */
  get idle(): boolean {
    return this.#inputs.every((input) => input.idle);
  }

  addInput(options: PipelineInput): void {
    this.#inputs.push(new RunningInput(options, this.router, this.#options, () => this.#inputIdle()));
  }

  addFilter(filter: PipelineFilter): FilterRunner {
    const { clock, maxMessageLoops = 4 } = this.#options;
    const runner = new FilterRunner({ ...filter, clock, maxMessageLoops, router: this.router });
    this.router.addFilter(runner);
    return runner;
  }

  addOutput(output: Consumer): void {
    this.router.addOutput(output);
  }

  /** What everything in it says about itself. */
  async report(): Promise<PipelineReport> {
    const { capacity, filters, outputs, injecting, pending, routed } = this.router;
    const packs = this.#options.inFlight ?? DEFAULT_IN_FLIGHT;
    const chan = (full: number, length: number) => ({ InChanCapacity: count(full), InChanLength: count(length) });
    const reports = (consumers: readonly Consumer[]) => Promise.all(consumers.map(async (consumer) => consumer.report?.(capacity) ?? null));
    const slots = packs * this.#inputs.length;
    return {
      globals: [
        { name: 'inputRecycleChan', fields: chan(slots, slots - this.queued) },
        { name: 'injectRecycleChan', fields: chan(packs, Math.max(0, packs - injecting)) },
        { name: 'Router', fields: { ...chan(capacity, pending), ProcessMessageCount: count(routed) } },
      ],
      inputs: this.#inputs.map((input) => input.report()),
      splitters: [],
      decoders: present(await Promise.all(this.#inputs.map((input) => input.decoderReport()))),
      filters: present(await reports(filters)),
      outputs: present(await reports(outputs)),
      encoders: present(await Promise.all(outputs.map(async (output) => output.encoderReport?.() ?? null))),
    };
  }

  /** @throws what an input throws that cannot start */
  async start(): Promise<void> {
    for (const input of this.#inputs) await input.start();
  }

  /** Stops the inputs, lets everything that they read go through, and stops decoders, filters and outputs in that order. */
  async stop(): Promise<void> {
    await Promise.all(this.#inputs.map((input) => input.stop()));
    this.#idle.stop();
    await this.router.stop();
  }

  #inputIdle(): void {
    if (this.idle) this.#idle.request();
  }
}

const present = (reports: readonly (PluginReport | null)[]): PluginReport[] => reports.filter((report) => report !== null);

/** An input with its decode stage. */
class RunningInput {
  readonly stage: DecodeStage;
  readonly #options: PipelineInput;
  readonly #onIdle: () => void;
  /** Batches taken so far: an idle mark holds only if none came after it. */
  #taken = 0;
  #records = 0;
  #idleAt = -1;

  constructor(options: PipelineInput, router: Router, { clock, inFlight }: PipelineOptions, onIdle: () => void) {
    this.#options = options;
    this.#onIdle = onIdle;
    this.stage = new DecodeStage({
      decoder: options.decoder,
      inheritTimes: clock === 'message',
      ...(inFlight === undefined ? {} : { inFlight }),
      ...(options.onDecoderTerminated ? { onTerminated: options.onDecoderTerminated } : {}),
      sink: {
        accept: async (records) => {
          await options.onRecords?.(records);
          return router.accept(options.sendDecodeFailures ? records.batch : withoutFailures(records), records.input.signer);
        },
      },
    });
  }

  get idle(): boolean {
    return this.#idleAt === this.#taken;
  }

  async start(): Promise<void> {
    await this.#options.input.start({
      deliver: (batch) => this.deliver(batch),
      notice: (notice) => this.notice(notice),
      idle: () => this.#whenDrained(),
    });
  }

  report(): PluginReport {
    const decode = this.#options.decoder === null ? {} : { SynchronousDecode: { value: 'true', representation: '' } };
    return { name: this.#options.name ?? '', fields: { ProcessMessageCount: count(this.#records), ...decode } };
  }

  async decoderReport(): Promise<PluginReport | null> {
    const { decoder } = this.#options;
    return decoder === null ? null : { name: decoder.spec.name, fields: sandboxFields(await decoder.report()) };
  }

  async stop(): Promise<void> {
    await this.#options.input.stop();
    await this.stage.drained().catch(() => undefined);
    await this.#options.decoder?.stop();
  }

  async deliver(batch: InputBatch): Promise<void> {
    this.#taken++;
    this.#records += batch.batch.length;
    try {
      await this.stage.deliver(batch);
    } catch (error) {
      this.#options.onFault?.(error);
      throw error;
    }
  }

  notice(notice: InputNotice): void {
    this.#options.onNotice?.(notice);
  }

  #whenDrained(): void {
    const taken = this.#taken;
    this.stage.drained().then(
      () => {
        if (taken !== this.#taken) return;
        this.#idleAt = taken;
        this.#options.onIdle?.();
        this.#onIdle();
      },
      (error: unknown) => this.#options.onFault?.(error),
    );
  }
}
