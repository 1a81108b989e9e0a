import type { End } from '../api/ends.ts';
import { messageOf } from '../base/errors.ts';
import type { InputBatch } from '../inputs/types.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import type { TextColumn } from '../message/batch/columns.ts';
import { endOf } from '../sandbox/contract/errors.ts';
import { nowNs } from '../message/timestamp.ts';
import { NO_RESULT, type Sandbox, type SandboxResult } from '../sandbox/contract/types.ts';
import { Serial } from '../base/time/serial.ts';
import { withoutRow } from './call-outcome.ts';
import { completedBatch, type RefusedReader } from './completed.ts';
import { mergeDecoded, type DecodedBatch } from './decoded.ts';
import { hintsOf, withInheritedTimes, withTimes, type TimeHints } from './inherited-times.ts';
import { RepeatedHour } from './repeated-hour.ts';
import { withShiftedTimes } from './shifted-times.ts';
import { Slots } from './slots.ts';
import { recordsAsWritten } from './written.ts';

/** A decoded batch on its way, with what the input said about it. */
export interface DecodedRecords extends DecodedBatch {
  readonly input: InputBatch;
}

/** A decoded batch with what tells which of its messages have no time. */
interface TimedBatch {
  readonly decoded: DecodedBatch;
  readonly hints: Omit<TimeHints, 'before'>;
}

interface DecodeSink {
  /**
   * Takes the next batch, in order. Resolves when there is room for more; `delivered` resolves when the batch has been through
   * everything downstream, and only then the input hears of it. `taken` resolves when a further one may be under way; absent: with `delivered`.
   */
  accept(records: DecodedRecords): Promise<{ readonly taken?: Promise<void>; readonly delivered: Promise<void> }>;
}

export interface DecodeStageOptions {
  /** null: records pass as they are. */
  readonly decoder: Sandbox | null;
  /** Chooses the decoder of a batch. Absent: it is `decoder`. */
  readonly decoderOf?: ((input: InputBatch) => Sandbox | null) | undefined;
  readonly sink: DecodeSink;
  /** Batches that may be under way between the input and the acknowledgement. */
  readonly inFlight?: number | undefined;
  /** Reads what the decoder of a batch refuses; null or absent: that is not read again. */
  readonly refusedBy?: ((input: InputBatch) => RefusedReader | null) | undefined;
  /** Records without a time take that of their neighbours (refused ones) or of their file (raw ones): for logs whose time is not now. */
  readonly inheritTimes?: boolean;
  /** Nanoseconds that are added to the time of each message, as they are then; absent: none. */
  readonly timeOffset?: (() => bigint) | undefined;
  /** A decoder ended: the records that follow and are for it pass as they are, marked with this reason. */
  readonly onTerminated?: ((end: End, decoder: Sandbox) => void) | undefined;
}

export const DEFAULT_IN_FLIGHT = 8;
/** Sources whose order is followed, at most. */
const MOST_SOURCES = 10_000;

/**
 * Sends the batches of one input through its decoder and hands them on in order. Several batches are under way at once; an
 * input hears that its batch was delivered only after everything downstream has taken it, in order.
 */
export class DecodeStage {
  readonly #options: DecodeStageOptions;
  readonly #slots: Slots;
  readonly #turns = new Serial();
  #taken: Promise<void> = Promise.resolve();
  #acknowledgements: Promise<void> = Promise.resolve();
  #acknowledged = 0;
  /** Decoders that have ended, each with the reason that the records for it get. */
  readonly #ended = new Map<Sandbox, string>();
  #fault: Error | null = null;
  /** Time of the last decoded message. */
  #lastTime: bigint | null = null;
  /** By the sources of the records. */
  readonly #hours = new Map<string, RepeatedHour | null>();

  constructor(options: DecodeStageOptions) {
    this.#options = options;
    this.#slots = new Slots(options.inFlight ?? DEFAULT_IN_FLIGHT);
  }

  /** Batches that are under way. */
  get queued(): number {
    return this.#slots.taken;
  }

  /** Records that were acknowledged to the input. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /**
   * Takes a batch. Resolves when the next may come.
   * @throws what the sink threw for an earlier batch: nothing can be delivered any more
   */
  async deliver(input: InputBatch): Promise<void> {
    await this.#slots.take();
    if (this.#fault !== null) {
      this.#slots.free();
      throw this.#fault;
    }
    const decoded = this.#decode(input);
    void this.#turns.run(() => this.#handOn(input, decoded));
  }

  /** Resolves when all that came so far has been taken by everything downstream. */
  passed(): Promise<void> {
    return this.#settled(() => this.#taken);
  }

  /** Resolves when all that came so far has been acknowledged to the input. */
  drained(): Promise<void> {
    return this.#settled(() => this.#acknowledgements);
  }

  async #settled(state: () => Promise<void>): Promise<void> {
    let last: Promise<void> | null = null;
    while (last !== state()) {
      await this.#turns.idle();
      last = state();
      await last;
    }
    if (this.#fault !== null) throw this.#fault;
  }

  async #handOn(input: InputBatch, decoded: Promise<TimedBatch>): Promise<void> {
    // Its messages are not held until they are delivered.
    const {
      acknowledge,
      batch: { length },
    } = input;
    try {
      const { delivered, taken = delivered } = await this.#options.sink.accept({
        ...withShiftedTimes(this.#timed(await decoded, input), this.#options.timeOffset?.() ?? 0n),
        input,
      });
      this.#acknowledgements = Promise.all([this.#acknowledgements, delivered])
        .then(() => {
          if (this.#fault !== null) return;
          this.#acknowledged += length;
          acknowledge();
        })
        .catch((error: unknown) => this.#fail(error));
      // Not before its fault is known.
      const settled = taken === delivered ? this.#acknowledgements : taken.catch(() => this.#acknowledgements);
      this.#taken = Promise.all([this.#taken, settled]).then(() => this.#slots.free());
    } catch (error) {
      this.#fail(error);
      this.#slots.free();
    }
  }

  #timed({ decoded: read, hints }: TimedBatch, input: InputBatch): DecodedBatch {
    const { inheritTimes } = this.#options;
    const hour = this.#isRaw ? null : this.#hourOf(input);
    const decoded = hour === null ? read : withTimes(read, hour.settled(read.batch.timestamps));
    if (inheritTimes !== true || this.#isRaw) return decoded;
    const timed = withInheritedTimes(decoded, { ...hints, before: this.#lastTime });
    this.#lastTime = timed.last;
    return timed.decoded;
  }

  /** Tells the hours apart that the clock of the decoder's zone shows twice; null: it shows none. */
  #hourOf(input: InputBatch): RepeatedHour | null {
    const source = input.source ?? '';
    let hour = this.#hours.get(source);
    if (hour === undefined) {
      hour = RepeatedHour.of(this.#decoderOf(input)?.spec.config['tz']);
      if (this.#hours.size >= MOST_SOURCES) this.#hours.clear();
      this.#hours.set(source, hour);
    }
    return hour;
  }

  #decoderOf(input: InputBatch): Sandbox | null {
    const { decoderOf, decoder } = this.#options;
    return decoderOf === undefined ? decoder : decoderOf(input);
  }

  /** Keeps the first error. It stops every later acknowledgement: the input must not move past what was not delivered. */
  #fail(error: unknown): void {
    this.#fault ??= error instanceof Error ? error : new Error(messageOf(error), { cause: error });
  }

  /** Whether all records pass as they are. */
  get #isRaw(): boolean {
    return this.#options.decoder === null && this.#options.decoderOf === undefined;
  }

  async #decode(input: InputBatch): Promise<TimedBatch> {
    const records = recordsAsWritten(input);
    if (this.#isRaw && this.#options.inheritTimes === true) {
      // Nothing reads a time from them: what is known is when they were written.
      return { decoded: asTheyAre(records, input.raw), hints: hintsOf(null, nowNs()) };
    }
    const from = nowNs();
    const decoded = await this.#decodeRecords(input, records);
    return { decoded, hints: hintsOf(records === input.batch ? null : records.timestamps, from) };
  }

  async #decodeRecords(input: InputBatch, records: MessageBatch): Promise<DecodedBatch> {
    const decoder = this.#decoderOf(input);
    const { batch } = input;
    if (decoder === null) return asTheyAre(batch, input.raw);
    const ended = this.#ended.get(decoder);
    if (ended !== undefined) return undecodedFrom(0, batch, NO_RESULT, ended);
    let result: SandboxResult;
    try {
      result = await decoder.process(records, null);
    } catch (error) {
      return undecodedFrom(0, batch, NO_RESULT, this.#end(decoder, endOf(error)));
    }
    const { terminated } = result;
    if (terminated === null) return this.#completed(input, records, result);
    const reason = this.#end(decoder, withoutRow(terminated));
    // When it is not known how far it came, nothing that it made counts: each record passes once.
    return terminated.row < 0 ? undecodedFrom(0, batch, NO_RESULT, reason) : undecodedFrom(terminated.row, batch, result, reason);
  }

  async #completed(input: InputBatch, records: MessageBatch, result: SandboxResult): Promise<DecodedBatch> {
    const reader = result.failures.length === 0 ? null : (this.#options.refusedBy?.(input) ?? null);
    return reader === null ? mergeDecoded(input.batch, result) : completedBatch(input.batch, await reader.complete(records, result));
  }

  /** Returns the reason that the records get which are not decoded any more. */
  #end(decoder: Sandbox, end: End): string {
    const known = this.#ended.get(decoder);
    if (known !== undefined) return known;
    const reason = `the decoder has ended: ${end.reason}`;
    this.#ended.set(decoder, reason);
    this.#options.onTerminated?.(end, decoder);
    return reason;
  }
}

const asTheyAre = (batch: MessageBatch, raw: TextColumn | null = null): DecodedBatch => ({
  batch,
  decoded: batch,
  raw,
  failures: [],
  origins: null,
  undecoded: 0,
});

/** The outcome of a batch during which the decoder ended: the records from row `from` on pass as they are. */
function undecodedFrom(from: number, batch: MessageBatch, result: SandboxResult, reason: string): DecodedBatch {
  const rest = Array.from({ length: batch.length - from }, (_, i) => ({ row: from + i, reason }));
  const refused = result.failures.filter(({ row }) => row < from);
  return mergeDecoded(batch, { ...result, failures: [...refused, ...rest], undecoded: rest.length });
}
