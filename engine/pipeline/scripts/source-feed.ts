import type { Input, InputBatch, InputNotice, InputSink } from '../../inputs/types.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { encodedBytes } from '../../message/protobuf/message-size.ts';
import { messagesOf } from '../../message/batch/row-index.ts';
import type { ReadAnswer, ReadRequest, ScriptSource, SourceForm } from '../../sandbox/contract/types.ts';
import { Serial } from '../../base/time/serial.ts';
import { CommitLog } from './commit-log.ts';
import { SourceQueue, type Given } from './source-queue.ts';

export interface SourceFeedOptions {
  readonly input: Input;
  readonly form: SourceForm;
  /** The script's state is kept over restarts: reading is acknowledged when the state is saved. */
  readonly keepsState: boolean;
  /** The source remembers its position, so that anything unread at a stop is read at the next start. */
  readonly remembers: boolean;
  /** The source has ended when it is idle for the first time. */
  readonly endsWhenIdle: boolean;
  /** Clock in milliseconds; `performance.now` by default. */
  readonly now?: () => number;
}

/** Receives the script's messages, and calls `through` when they are processed. */
export type Deliver = (batch: MessageBatch, through: () => void) => Promise<void>;

/** Most unread items; above that the source waits. */
const MAX_ITEMS = 4;
/** Limits, in bytes and milliseconds, up to which the script's messages are held back until it is done with the reading behind them. */
const HELD_BYTES = 4 << 20;
const HELD_MS = 5000;
/** Shortest time between two saves of the state while there is more to read. */
const PERSIST_MS = 1000;
/** Time at a stop for the script to finish its reading, and all that the source cannot bring again. */
const CLOSING_MS = 1000;
/** Time at a stop for the script's messages to be processed. */
const GRACE_MS = 5000;

/**
 * Connects an input to the script that reads from it. The script's reading, the messages made from it and its state are committed together:
 * when its host dies, all three go back to the last commit, and nothing is lost or comes twice.
 */
export class SourceFeed implements ScriptSource {
  readonly #options: SourceFeedOptions;
  readonly #queue: SourceQueue;
  readonly #log: CommitLog;
  readonly #now: () => number;
  #deliver: Deliver = () => Promise.resolve();
  #onIdle: () => void = () => undefined;
  #given: Given | null = null;
  /** Acknowledgements of the uncommitted reading that the script is done with. */
  #done: (() => void)[] = [];
  /** Messages that the script made from uncommitted reading. */
  #held: MessageBatch[] = [];
  #heldBytes = 0;
  #heldSince = 0;
  #persistedAt: number;
  /** Number of restarts of the script; reads that began before the last one are answered with `stop`. */
  #turn = 0;
  #wake = Promise.withResolvers<void>();
  #ended = false;
  #sourceIdle = false;
  #waiting = false;
  readonly #reads = new Serial();
  #closing = false;
  #sourceStopped = false;
  #overdue = false;

  constructor(options: SourceFeedOptions) {
    this.#options = options;
    this.#queue = new SourceQueue(options.form);
    this.#log = new CommitLog(options.keepsState);
    this.#now = options.now ?? (() => performance.now());
    this.#persistedAt = this.#now();
  }

  /** Number of records that the source has lost. */
  get dropped(): number {
    return this.#options.input.stats().dropped;
  }

  /** Figures of the source for reports. */
  figures(): Readonly<Record<string, number>> {
    return this.#options.input.figures?.() ?? {};
  }

  get problem(): string | null {
    return this.#options.input.problem ?? null;
  }

  /** Starts the source. @param onIdle called when the script waits and the source is idle */
  async start(sink: Pick<InputSink, 'notice'>, deliver: Deliver, onIdle: () => void): Promise<void> {
    this.#deliver = deliver;
    this.#onIdle = onIdle;
    await this.#options.input.start({
      deliver: (batch) => this.#take(batch, sink),
      notice: (notice) => sink.notice(notice),
      ended: (stream) => this.#add(() => this.#queue.ended(stream)),
      idle: () => this.#idle(),
    });
  }

  /** Called when the source has ended by itself. */
  end(): void {
    this.#ended = true;
    this.#notify();
  }

  /** Ends the reading. The script's reads are answered with `stop`, after it has read all that the source cannot bring again or time is up. */
  async close(): Promise<void> {
    this.#closing = true;
    setTimeout(() => this.#hurry(), CLOSING_MS).unref();
    this.#notify();
    if (this.#options.remembers) return;
    await this.#options.input.stop();
    this.#sourceStopped = true;
    this.#notify();
  }

  /** Waits, after the script was stopped, until its messages are processed; then stops the source. */
  async stop(): Promise<void> {
    this.#log.cover()();
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, GRACE_MS).unref());
    await Promise.race([this.#log.settled(), timeout]);
    if (this.#options.remembers) await this.#options.input.stop();
  }

  mayInterrupt(): boolean {
    return this.#overdue;
  }

  /** Takes messages of the script, and holds them while the reading behind them is uncommitted. */
  async take(batch: MessageBatch): Promise<void> {
    if (this.#given === null && this.#done.length === 0) return this.#deliver(batch, this.#log.deliver());
    this.#held.push(batch);
    this.#heldBytes += encodedBytes(batch);
    if (this.#heldBytes >= HELD_BYTES || this.#now() - this.#heldSince >= HELD_MS) await this.#release();
  }

  /** Commits all reading after `process_message` has returned. @param save saves the script's state */
  async finish(save: () => Promise<void>): Promise<void> {
    this.#use(0);
    await this.#commit();
    if (this.#options.keepsState) await this.#persist(save);
  }

  /** Delivers the held messages of a script that has ended for good. Its unfinished reading comes again at the next start, if the source can. */
  async abandon(): Promise<void> {
    await this.#release();
  }

  rewind(): void {
    this.#turn++;
    this.#queue.rewind();
    this.#given = null;
    this.#done = [];
    this.#dropHeld();
    this.#notify();
  }

  read(request: ReadRequest): Promise<ReadAnswer> {
    const turn = this.#turn;
    return this.#reads.run(() => this.#read(request, turn));
  }

  async #read(request: ReadRequest, turn: number): Promise<ReadAnswer> {
    const { form, rest, saved } = request;
    if (turn === this.#turn) this.#use(rest);
    for (;;) {
      if (turn !== this.#turn) return { kind: 'stop' };
      const isLast = this.#closing && (this.#options.remembers || this.#overdue || (this.#sourceStopped && this.#queue.isEmpty));
      if (saved || isLast) await this.#commit();
      if (isLast) return { kind: 'stop' };
      if (!saved && this.#wantsState) return { kind: 'save' };
      if (this.#isStateDue) await this.#persist(() => request.persist());
      // The host may have died meanwhile.
      if (turn !== this.#turn) continue;
      const given = this.#queue.take(form);
      if (given !== null) return this.#give(given);
      // Only the beginning of a character was left; open reading is committed first.
      if ((!saved && this.#done.length > 0) || (this.#sourceStopped && this.#closing)) continue;
      if (!this.#ended) await this.#wait();
      else if (!this.#queue.endAll()) return { kind: 'end' };
    }
  }

  /** True when the held messages should be committed, for which the script's state is needed. */
  get #wantsState(): boolean {
    if (this.#isStateDue) return true;
    if (this.#done.length === 0) return false;
    return this.#queue.isEmpty || this.#heldBytes >= HELD_BYTES / 2 || this.#now() - this.#heldSince >= HELD_MS / 10;
  }

  /** True when a commit waits for a save of the state, and the last save is long enough ago. */
  get #isStateDue(): boolean {
    return this.#log.isUncovered && this.#now() - this.#persistedAt >= PERSIST_MS;
  }

  #give(given: Given): ReadAnswer {
    if (this.#done.length === 0) this.#heldSince = this.#now();
    this.#given = given;
    this.#notify();
    return given.answer;
  }

  /** Marks the last given text as used, except for `rest` characters. */
  #use(rest: number): void {
    const given = this.#given;
    this.#given = null;
    if (given !== null) this.#done.push(given.use(given.bytesOf(rest)));
  }

  /** Makes the reading and the messages so far final. */
  async #commit(): Promise<void> {
    const done = this.#done;
    if (done.length === 0 && this.#held.length === 0) return;
    this.#done = [];
    this.#queue.commit();
    await this.#release();
    this.#log.commit(() => done.forEach((tell) => tell()));
  }

  async #release(): Promise<void> {
    const held = this.#held;
    this.#dropHeld();
    for (const batch of held) await this.#deliver(batch, this.#log.deliver());
  }

  #dropHeld(): void {
    this.#held = [];
    this.#heldBytes = 0;
  }

  /** Saves the script's present state. A failed save does not hold up the source. */
  async #persist(persist: () => Promise<void>): Promise<void> {
    const covered = this.#log.cover();
    await persist().catch(() => undefined);
    this.#persistedAt = this.#now();
    covered();
  }

  #hurry(): void {
    this.#overdue = true;
    this.#notify();
  }

  async #take(batch: InputBatch, sink: Pick<InputSink, 'notice'>): Promise<void> {
    const fitting = withoutFailures(batch, (notice) => sink.notice(notice));
    if (fitting === null) return batch.acknowledge();
    this.#sourceIdle = false;
    this.#add(() => this.#queue.add(fitting));
    while (this.#queue.length > MAX_ITEMS && !this.#overdue) await this.#wake.promise;
  }

  #add(add: () => void): void {
    add();
    this.#notify();
  }

  #idle(): void {
    if (this.#options.endsWhenIdle) this.end();
    this.#sourceIdle = true;
    if (this.#waiting && this.#queue.isEmpty) this.#onIdle();
  }

  async #wait(): Promise<void> {
    if (this.#sourceIdle) this.#onIdle();
    this.#waiting = true;
    const wait = this.#persistedAt + PERSIST_MS - this.#now();
    const timer = this.#log.isUncovered ? setTimeout(() => this.#notify(), Math.max(1, wait)) : undefined;
    await this.#wake.promise;
    clearTimeout(timer);
    this.#waiting = false;
  }

  #notify(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}

/** Returns a batch, or null for a failed HTTP request, which is reported as a notice. */
function withoutFailures(batch: InputBatch, notice: (notice: InputNotice) => void): InputBatch | null {
  const [first] = messagesOf(batch.batch, null);
  if (first?.type !== 'svc.httpinput.error') return batch;
  notice({ level: 'warning', code: 'http.failed', text: `${first.logger ?? ''}: ${first.payload ?? ''}` });
  return null;
}
