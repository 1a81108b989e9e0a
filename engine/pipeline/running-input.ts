import type { End } from '../api/ends.ts';
import type { ClockKind } from '../message/types.ts';
import type { Input, InputBatch, InputNotice } from '../inputs/types.ts';
import type { Sandbox, SandboxReport } from '../sandbox/contract/types.ts';
import type { RefusedReader } from './completed.ts';
import { withoutRefused } from './decoded.ts';
import { DecodeStage, type DecodedRecords } from './decode-stage.ts';
import { bytes, count, inputFields, ownFields, problemField, sandboxFields, type PluginReport, type ReportField } from './plugin-report.ts';
import type { Router } from './router.ts';

export interface PipelineInput {
  /** Name of the input in reports. */
  readonly name?: string;
  readonly input: Input;
  /** Returns the report of the script that makes the messages. Absent: no script makes them. */
  readonly scriptReport?: () => Promise<SandboxReport>;
  /** null: records are routed as they are. */
  readonly decoder: Sandbox | null;
  /** Reads the records that `decoder` refuses; absent: they are not read again. */
  readonly refused?: RefusedReader | undefined;
  /** Decoders that are chosen batch by batch, in place of `decoder`. */
  readonly decoders?: DecoderSet | undefined;
  /** Records that the decoder refused are routed as well, with decode_failure and decode_error, as those after its end are in any case. */
  readonly sendDecodeFailures: boolean;
  /** The clock of its messages; absent: that of the pipeline. */
  readonly clock?: ClockKind;
  /** Nanoseconds that are added to the time of each message, as they are then; absent: none. */
  readonly timeOffset?: (() => bigint) | undefined;
  readonly onNotice?: (notice: InputNotice) => void;
  /** Sees every batch before it is routed, refused records included; the batch waits for it. */
  readonly onRecords?: (records: DecodedRecords) => Promise<void> | void;
  readonly onDecoderTerminated?: (end: End, decoder: Sandbox) => void;
  /** Told when it stops: so many records passed as they are, because the decoder had ended. */
  readonly onUndecoded?: (records: number) => void;
  /** Nothing more to read for now, and all that was read has been through. */
  readonly onIdle?: () => void;
  /** Delivery broke down: nothing more comes from this input. */
  readonly onFault?: (error: unknown) => void;
}

/** The decoders of an input that has several. */
export interface DecoderSet {
  /** Returns the decoder of a batch; null: its records pass as they are. */
  of(input: InputBatch): Sandbox | null;
  /** Returns what reads the records that the decoder of a batch refuses; null: they are not read again. */
  refusedBy(input: InputBatch): RefusedReader | null;
  /** The decoders that run now. */
  all(): readonly Sandbox[];
  stop(): Promise<void>;
}

/** Options that an input takes over from its pipeline. */
interface RunningInputOptions {
  readonly clock: ClockKind | 'mixed';
  /** Batches that may be under way between reading and acknowledgement. */
  readonly inFlight?: number | undefined;
}

/** An input with its decode stage. */
export class RunningInput {
  readonly stage: DecodeStage;
  readonly #options: PipelineInput;
  readonly #hurry: () => void;
  readonly #onIdle: () => void;
  /** Batches taken so far: an idle mark holds only if none came after it. */
  #taken = 0;
  #records = 0;
  #undecoded = 0;
  #idleAt = -1;
  /** Delivery broke down: nothing more comes. */
  #isBroken = false;
  #isWatching = false;

  constructor(options: PipelineInput, router: Router, { clock, inFlight }: RunningInputOptions, onIdle: () => void) {
    this.#options = options;
    this.#hurry = () => router.hurry();
    this.#onIdle = onIdle;
    const { decoders, refused } = options;
    const ownClock = options.clock ?? (clock === 'message' ? 'message' : 'wall');
    this.stage = new DecodeStage({
      decoder: options.decoder,
      decoderOf: decoders && ((batch) => decoders.of(batch)),
      refusedBy: (batch) => (decoders === undefined ? (refused ?? null) : decoders.refusedBy(batch)),
      inheritTimes: ownClock === 'message',
      inFlight,
      timeOffset: options.timeOffset,
      onTerminated: options.onDecoderTerminated,
      sink: {
        accept: async (records) => {
          this.#undecoded += records.undecoded;
          await options.onRecords?.(records);
          const { signer, isPatient } = records.input;
          return router.accept(options.sendDecodeFailures ? records.batch : withoutRefused(records), signer, ownClock, isPatient);
        },
      },
    });
  }

  get name(): string {
    return this.#options.name ?? '';
  }

  get idle(): boolean {
    return this.#isBroken || this.#idleAt === this.#taken;
  }

  async start(): Promise<void> {
    await this.#options.input.start({
      deliver: (batch) => this.deliver(batch),
      notice: (notice) => this.notice(notice),
      idle: () => this.#whenPassed(),
      hurry: () => this.#hurry(),
    });
  }

  async report(): Promise<PluginReport> {
    const { name = '', scriptReport, input } = this.#options;
    const decode =
      this.#options.decoder === null && this.#options.decoders === undefined
        ? {}
        : { SynchronousDecode: { value: 'true', representation: '' } };
    const more = { ...this.#progressFields(), ...ownFields(input.figures?.()) };
    if (scriptReport !== undefined) return { name, fields: { ...more, ...inputFields(await scriptReport(), input.stats().bytes) } };
    return { name, fields: { ProcessMessageCount: count(this.#records), ...decode, ...more } };
  }

  #progressFields(): Record<string, ReportField> {
    const { bytes: read, totalBytes, dropped } = this.#options.input.stats();
    return {
      ProcessMessageBytes: bytes(read),
      UnreadBytes: bytes(Math.max(0, totalBytes - read)),
      AcknowledgedMessageCount: count(this.stage.acknowledged),
      OpenBatchCount: count(this.stage.queued),
      DropMessageCount: count(dropped),
      ...problemField(this.#isBroken ? 'what it reads is not taken' : this.#options.input.problem),
    };
  }

  async decoderReports(): Promise<PluginReport[]> {
    const { decoder, decoders } = this.#options;
    const all = [...(decoder === null ? [] : [decoder]), ...(decoders?.all() ?? [])];
    return Promise.all(all.map(async (one) => ({ name: this.#decoderName(one), fields: sandboxFields(await one.report()) })));
  }

  /** Inputs may have decoders of the same name. */
  #decoderName({ spec }: Sandbox): string {
    return this.name === '' || spec.name.endsWith(`(${this.name})`) ? spec.name : `${spec.name} (${this.name})`;
  }

  async stop(): Promise<void> {
    await this.#options.input.stop();
    await this.stage.drained().catch(() => undefined);
    await this.#options.input.settle?.();
    await this.#options.decoder?.stop();
    await this.#options.refused?.stop();
    await this.#options.decoders?.stop();
    if (this.#undecoded > 0) this.#options.onUndecoded?.(this.#undecoded);
  }

  async deliver(batch: InputBatch): Promise<void> {
    this.#taken++;
    this.#records += batch.batch.length;
    try {
      await this.stage.deliver(batch);
    } catch (error) {
      this.#broken(error);
      throw error;
    }
  }

  notice(notice: InputNotice): void {
    this.#options.onNotice?.({ subject: this.name, ...notice });
  }

  #whenPassed(): void {
    const taken = this.#taken;
    this.stage.passed().then(
      () => {
        if (taken !== this.#taken) return;
        this.#idleAt = taken;
        this.#options.onIdle?.();
        this.#onIdle();
      },
      (error: unknown) => this.#broken(error),
    );
    this.#watchWrites();
  }

  /** An output may fail to write what it has gathered, and nothing comes that would hear of it. */
  #watchWrites(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    void this.stage
      .drained()
      .catch((error: unknown) => this.#broken(error))
      .finally(() => (this.#isWatching = false));
  }

  #broken(error: unknown): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#options.onFault?.(error);
    this.#onIdle();
  }
}
