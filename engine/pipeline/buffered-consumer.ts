import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '../base/errors.ts';
import { holdTexts } from '../message/batch/held-texts.ts';
import { encodeProtobuf } from '../message/protobuf/protobuf-encode.ts';
import { NotDeliveredError } from '../outputs/delivery.ts';
import type { Receipt } from '../outputs/writers.ts';
import { markOf, type DiskQueue, type QueueChunk } from '../queue/disk-queue.ts';
import { encodeRecord, MAX_MESSAGE_BYTES, type QueueRecord } from '../queue/record.ts';
import { Serial } from '../base/time/serial.ts';
import { unwritable } from '../base/files/unwritable.ts';
import { Throttle } from '../base/time/throttle.ts';
import type { Consumer } from './consumer.ts';
import { runsOf, Stored, type Run } from './buffered-runs.ts';
import { bytes, count, nanoseconds, problemField, type PluginReport, type ReportField } from './plugin-report.ts';
import { selectionFor, Subscription, type Selection, type Selector } from './selection.ts';
import { Slots } from './slots.ts';

/** Options of the disk buffer of a filter or output. */
export interface Buffering {
  readonly queue: DiskQueue;
  readonly fullAction: 'shutdown' | 'drop' | 'block';
  /** Iterator of the waits for room before the inputs start, in milliseconds; null ends the waiting. */
  readonly startWaits: () => { next(): number | null };
  /** Called with a problem to report to the user. */
  readonly onProblem: (text: string) => void;
  /** Called when the buffer is full and the service has to stop. */
  readonly onFull: (text: string) => void;
}

export interface BufferedOptions extends Buffering {
  readonly inner: Consumer;
  readonly matcher: Selector;
  readonly signer?: string | undefined;
}

/** Chunks that the consumer may have at once. */
const IN_FLIGHT = 4;
/** Largest fill level of a buffer, 0 to 1, at which the inputs start. */
const START_FULLNESS = 0.9;
/** Milliseconds in which a buffer that is smaller than a batch must become less full, or the service stops. */
const DRAIN_MS = 1000;
/** Time that messages wait for room when the service stops. */
const CLOSING_MS = 2000;
const TELL_MS = 10_000;
/** Time after which a failed write is tried again. */
const RETRY_MS = 1000;

/** Messages that are to be stored, with their records. */
interface ToStore {
  readonly stored: Stored;
  readonly messages: readonly Uint8Array[];
  readonly records: readonly Uint8Array[];
}

/**
 * Puts a queue on disk before a filter or output. A message counts as taken when it is on disk; the consumer gets the messages from there,
 * in order. Those that it has not finished are delivered again at the next start.
 */
export class BufferedConsumer implements Consumer {
  readonly name: string;
  readonly subscription: Subscription;
  readonly #options: BufferedOptions;
  readonly #slots = new Slots(IN_FLIGHT);
  readonly #told: Throttle;
  #pending = 0;
  /** Messages that were dropped, in all, and since that was told. */
  #lost = 0;
  #dropped = 0;
  #full = '';
  /** The disk of the buffer failed when it was last written to. */
  #failing = false;
  /** True when waits for room have ended. */
  #closing = false;
  /** The consumer has ended by itself, … */
  #abandoned = false;
  /** … or does not take what it is given: it is given nothing more. */
  #refused = false;
  /** There are records that were not delivered before those that might be acknowledged. */
  #gap = false;
  /** Chunks that are not acknowledged, the oldest first. */
  readonly #unacknowledged: QueueChunk[] = [];
  readonly #stores = new Serial();
  #pump: Promise<void> = Promise.resolve();
  /** Chunks that the consumer has and has not processed. */
  #processing = 0;
  #processed: Promise<void> = Promise.resolve();
  #delivered: Promise<void> = Promise.resolve();

  constructor(options: BufferedOptions) {
    this.name = options.inner.name;
    this.subscription = new Subscription(options);
    this.#options = options;
    this.#told = new Throttle(() => this.#tell(), TELL_MS);
  }

  get pending(): number {
    return this.#pending;
  }

  get backlog(): number {
    const { queue, inner } = this.#options;
    if (this.#abandoned || this.#refused) return 0;
    return (queue.hasUnread || this.#processing > 0 ? queue.size + 1 : 0) + (inner.backlog ?? 0);
  }

  /** Begins to deliver the stored messages, and waits while the queue is nearly full. */
  async start(): Promise<void> {
    const { queue, inner, fullAction, startWaits } = this.#options;
    await inner.start?.();
    this.#pump = this.#deliverAll();
    const waits = startWaits();
    while (queue.fullness > START_FULLNESS) {
      const wait = waits.next();
      inner.hurry?.();
      if (wait !== null) await delay(wait);
      else if (fullAction === 'shutdown') throw new EngineError('buffer.full', `its buffer is nearly full, and what it holds is not taken`);
      else return;
    }
  }

  async submit(selection: Selection): Promise<void> {
    if (this.#abandoned) return;
    this.#pending++;
    const toStore = this.#recordsOf(selection);
    try {
      await this.#stores.run(() => this.#store(toStore));
      await this.#sync();
    } finally {
      this.#pending--;
    }
  }

  /** Tells the consumer that its source is idle, once the stored messages have been processed. */
  async idle(): Promise<boolean> {
    const { inner, queue } = this.#options;
    if (inner.idle === undefined) return false;
    while (this.backlog > 0 && !this.#closing) await queue.changed();
    return inner.idle();
  }

  async report(capacity: number): Promise<PluginReport> {
    const { fields = {} } = (await this.#options.inner.report?.(capacity)) ?? {};
    return { name: this.name, fields: { ...fields, ...this.#queueFields(fields) } };
  }

  /** @param inner the figures of the consumer itself */
  #queueFields({ DropMessageCount: dropped, Problem: problem }: Readonly<Record<string, ReportField>>): Record<string, ReportField> {
    const { size, limit, fullness, waitedMs } = this.#options.queue;
    const full = fullness > START_FULLNESS && `its buffer is nearly full: ${size} bytes wait`;
    const problems = [problem?.value, this.#failing ? 'its buffer cannot be written' : full].filter(Boolean);
    return {
      MatchAvgDuration: nanoseconds(this.subscription.averageNs),
      QueueSize: bytes(size),
      ...(limit > 0 ? { QueueLimit: bytes(limit) } : {}),
      QueueAge: nanoseconds(waitedMs * 1e6),
      DropMessageCount: count(Number(dropped?.value ?? 0) + this.#lost),
      ...problemField(problems.join('; ') || null),
    };
  }

  async encoderReport(): Promise<PluginReport | null> {
    return (await this.#options.inner.encoderReport?.()) ?? null;
  }

  async reopen(): Promise<void> {
    await this.#options.inner.reopen?.();
  }

  /** Prepares for the service's stop: messages that wait for room give up soon, and are read again at the next start. */
  closing(): void {
    setTimeout(() => this.#giveUpWaiting(), CLOSING_MS).unref();
  }

  /** Stops delivery after the consumer has ended by itself; the rest stays for the next start. */
  abandon(): void {
    this.#abandoned = true;
    this.#options.queue.endReading();
    this.#giveUpWaiting();
  }

  async stop(): Promise<void> {
    const { queue, inner } = this.#options;
    this.#giveUpWaiting();
    await this.#stores.idle();
    this.#told.stop();
    if (this.#dropped > 0) this.#tell();
    queue.endReading();
    inner.closing?.();
    await this.#pump;
    await this.#processed;
    // A script may hold messages until it is stopped.
    await inner.stop();
    await this.#delivered;
    await queue.close();
  }

  #giveUpWaiting(): void {
    this.#closing = true;
    this.#options.queue.wake();
  }

  /** Encodes each message as a record; those that are too large are dropped and reported. */
  #recordsOf({ rows, encoded, ...routed }: Selection): ToStore {
    const { queue, inner } = this.#options;
    // The rows are delivered after they were acknowledged. Their texts are never given back: nobody knows when the last of them is delivered, or read from the disk.
    if (inner.takesRows === true) holdTexts(routed.batch);
    const kept: number[] = [];
    const messages: Uint8Array[] = [];
    const records: Uint8Array[] = [];
    for (const [i, message] of (encoded ?? [...encodeProtobuf(routed.batch, rows, null)]).entries()) {
      const record = encodeRecord(message, routed);
      if (message.length > MAX_MESSAGE_BYTES || queue.isTooLarge([record])) continue;
      kept.push(rows === null ? i : (rows[i] as number));
      messages.push(message);
      records.push(record);
    }
    const refused = (rows?.length ?? routed.batch.length) - kept.length;
    this.#lost += refused;
    if (refused > 0) this.#options.onProblem(`${refused} messages are too large for its buffer and are lost`);
    return { stored: new Stored(routed, Uint32Array.from(kept)), messages, records };
  }

  async #store({ stored: of, messages, records }: ToStore): Promise<void> {
    const { queue, inner } = this.#options;
    const { loop, injected, clock } = of.routed;
    let from = 0;
    for (;;) {
      const left = records.slice(from);
      const room = queue.room(left);
      const first = from;
      const known = {
        messages: messages.slice(first),
        path: { loop, injected, clock },
        of,
        from: first,
      };
      const append = (): Promise<void> =>
        queue.append(left.slice(0, room), (count) => (from += count), inner.takesRows === true ? known : undefined);
      const problem =
        room === 0
          ? null
          : await append().then(
              () => null,
              (error: unknown) => this.#unwritable(error),
            );
      if (from === records.length) return this.#written();
      if (!(await this.#mayTryAgain(records, from, problem))) return;
    }
  }

  /** Brings what is stored to the disk. Messages that are not there safely are delivered all the same, unless there is no time for that any more. */
  async #sync(): Promise<void> {
    const { queue, fullAction, onFull } = this.#options;
    for (;;) {
      const text = await queue.sync().then(
        () => null,
        (error: unknown) => this.#unwritable(error),
      );
      if (text === null) return this.#written();
      if (fullAction === 'shutdown') {
        onFull(text);
        throw new EngineError('buffer.full', text);
      }
      this.#failed(text);
      if (fullAction === 'drop' || this.#abandoned) return;
      if (this.#closing) throw new NotDeliveredError(`${text}, and the service stops`, false);
      await delay(RETRY_MS);
    }
  }

  /**
   * Decides about messages that could not be stored. true: they have waited and are to be tried again; false: they are dropped.
   * @param records of one batch, of which the first ones are stored
   * @param problem error of the file system; null: the buffer is full
   * @throws {EngineError} when the service stops because of them, or before they could be stored
   */
  async #mayTryAgain(records: readonly Uint8Array[], stored: number, problem: string | null): Promise<boolean> {
    const { queue, inner, fullAction, onFull } = this.#options;
    const text = problem ?? `its buffer is full: ${queue.size} bytes wait`;
    if (fullAction === 'drop' || this.#abandoned) {
      this.#drop(records.length - stored, text);
      return false;
    }
    if (fullAction === 'shutdown') {
      if (problem === null && queue.isTooLarge(records) && (await this.#drains())) return true;
      onFull(text);
      throw new EngineError('buffer.full', text);
    }
    if (problem === null) inner.hurry?.();
    else this.#failed(text);
    if (!this.#closing) await (problem === null ? queue.changed() : delay(RETRY_MS));
    if (this.#closing && !this.#abandoned) throw new NotDeliveredError(`${text}, and the service stops`, false);
    return true;
  }

  /** Whether the consumer takes something from the full buffer within a while. The service would stop at each start for a batch that is larger than its buffer. */
  async #drains(): Promise<boolean> {
    const { queue, inner } = this.#options;
    const { size } = queue;
    const until = performance.now() + DRAIN_MS;
    for (let left = DRAIN_MS; left > 0 && queue.size >= size && !this.#closing; left = until - performance.now()) {
      inner.hurry?.();
      await Promise.race([queue.changed(), delay(left, null, { ref: false })]);
    }
    return queue.size < size && !this.#closing;
  }

  #drop(messages: number, why: string): void {
    this.#dropped += messages;
    this.#lost += messages;
    this.#full = why;
    this.#told.request();
  }

  #unwritable(error: unknown): string {
    return `its buffer in ${unwritable(this.#options.queue.path, error)}`;
  }

  /** The disk fails: that is said once, and again when it works. */
  #failed(why: string): void {
    if (!this.#failing) this.#options.onProblem(`${why}; it is tried again`);
    this.#failing = true;
  }

  #written(): void {
    if (this.#failing) this.#options.onProblem('its buffer can be written again');
    this.#failing = false;
  }

  /** Reports what was lost, from time to time while that goes on. */
  #tell(): void {
    this.#options.onProblem(`${this.#full}; ${this.#dropped} messages are lost`);
    this.#dropped = 0;
  }

  async #deliverAll(): Promise<void> {
    const { queue } = this.#options;
    for (;;) {
      await this.#slots.take();
      const read = this.#refused ? null : await queue.read();
      if (read === null) return;
      const runs = runsOf(read, this.#options.signer ?? '', this.#options.onProblem);
      // Its rows are let go here: it may be acknowledged much later.
      const { records, bytes: size, begin, cursor } = read;
      const chunk = { records, bytes: size, begin, cursor };
      this.#processing++;
      this.#unacknowledged.push(chunk);
      const given = this.#give(chunk, runs);
      this.#processed = Promise.all([this.#processed, given]).then(() => {
        this.#processing--;
        this.#slots.free();
        queue.wake();
      });
      this.#delivered = Promise.all([this.#delivered, given.then(({ done }) => done)]).then(([, done]) => this.#acknowledge(chunk, done));
    }
  }

  /** Nothing is acknowledged behind a record that was not delivered. @param done number of the chunk's records, from the first on, that were */
  #acknowledge(chunk: QueueChunk, done: number): void {
    if (this.#gap) return;
    this.#gap = done < chunk.records.length;
    this.#unacknowledged.shift();
    void this.#options.queue.acknowledge(chunk, done);
  }

  /** The receipt for the messages of a run of a chunk. @param rows those that were selected */
  #receiptFor(chunk: QueueChunk, { indexes }: Run, rows: Uint32Array | null): Receipt {
    const messages = rows?.length ?? indexes.length;
    const recordsThrough = (count: number): number => {
      if (count >= messages) return (indexes.at(-1) ?? 0) + 1;
      return indexes[rows === null ? count : (rows[count] as number)] as number;
    };
    return {
      mark: (count) => markOf(chunk, recordsThrough(count)),
      taken: async (count) => {
        if (this.#gap || this.#unacknowledged[0] !== chunk) return;
        await this.#options.queue.acknowledge(chunk, Math.min(recordsThrough(count), chunk.records.length - 1));
      },
      waiting: () => this.#bytesBehind(chunk),
    };
  }

  #bytesBehind(chunk: QueueChunk): number {
    const through = this.#unacknowledged.slice(0, this.#unacknowledged.indexOf(chunk) + 1);
    return Math.max(
      0,
      through.reduce((left, { bytes }) => left - bytes, this.#options.queue.size),
    );
  }

  /**
   * Gives a chunk to the consumer, without messages that it no longer selects: its matcher may have changed since they were stored.
   * Resolves when it is processed; `done` is how many of its records, from the first on, are done with, once that is known.
   */
  async #give(chunk: QueueChunk, runs: readonly Run[]): Promise<{ readonly done: Promise<number> }> {
    const { records } = chunk;
    const given = await Promise.all(runs.map((run) => this.#giveRun(run, chunk)));
    return { done: Promise.all(given.map(({ done }) => done)).then((done) => Math.min(records.length, ...done)) };
  }

  /** Resolves as `give` does. */
  async #giveRun(run: Run, chunk: QueueChunk): Promise<{ readonly done: Promise<number> }> {
    const { inner } = this.#options;
    const { routed, indexes } = run;
    const all = chunk.records.length;
    const selection = run.rows === undefined ? selectionFor(inner, routed) : { ...routed, rows: run.rows };
    if (selection === null) return { done: Promise.resolve(all) };
    /** Numbers among the messages of the run; null: all. */
    const rows = run.rows === undefined ? selection.rows : null;
    const messageAt = (i: number): Uint8Array =>
      (chunk.records[indexes[rows === null ? i : (rows[i] as number)] as number] as QueueRecord).message;
    const encoded = Array.from({ length: rows?.length ?? indexes.length }, (_, i) => messageAt(i));
    /** The number of the first record that is not done with. The consumer has reported the reason. */
    const refused = (error: unknown): number => {
      this.#refused = true;
      const through = error instanceof NotDeliveredError ? error.done : 0;
      const row = rows === null ? through : rows[through];
      return indexes[row ?? indexes.length] ?? all;
    };
    try {
      const { safe } =
        inner.take === undefined
          ? { safe: inner.submit({ ...selection, encoded }, this.#receiptFor(chunk, run, rows)) }
          : await inner.take({ ...selection, encoded }, this.#receiptFor(chunk, run, rows));
      const done = safe.then(() => all, refused);
      if (inner.take === undefined) await done;
      return { done };
    } catch (error) {
      return { done: Promise.resolve(refused(error)) };
    }
  }
}
