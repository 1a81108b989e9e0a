import type { Input, InputBatch, InputNotice, InputSink } from '../../inputs/types.ts';
import type { MessageBatch } from '../../message/batch.ts';
import { encodedBytes } from '../../message/message-size.ts';
import { messagesOf } from '../../message/row-index.ts';
import type { ReadAnswer, ReadRequest, ScriptSource, SourceForm } from '../../sandbox/types.ts';
import { Serial } from '../../serial.ts';
import { CommitLog } from './commit-log.ts';
import { SourceQueue, type Given } from './source-queue.ts';

export interface SourceFeedOptions {
  readonly input: Input;
  readonly form: SourceForm;
  /** The script's state outlasts the service: what was read counts when it is written. */
  readonly keepsState: boolean;
  /** The source remembers how far it was read: what is not read when the service stops is read at its next start. */
  readonly remembers: boolean;
  /** It has nothing more at the end of what there is now. */
  readonly endsWhenIdle: boolean;
  /** Milliseconds of a clock; that of this process by default. */
  readonly now?: () => number;
}

/** Where what the script makes goes. `through` is to be called when it has been through. */
export type Deliver = (batch: MessageBatch, through: () => void) => Promise<void>;

/** What waits to be read at most: then the source waits. */
const MAX_ITEMS = 4;
/** What the script makes of what it reads is held until it is done with that, but not more than so many bytes and not longer than this. */
const HELD_BYTES = 4 << 20;
const HELD_MS = 5000;
/** The state of a script is written so often at most while there is more to read. */
const PERSIST_MS = 1000;
/** A service that stops waits so long until the script is done with what it has read, and with what the source cannot bring again. */
const CLOSING_MS = 1000;
/** … and so long until what the script has made has been through. */
const SETTLING_MS = 5000;

/**
 * Between an input and the script that reads from it. What the script has read, the messages that it made of it and its state belong together: when
 * its host dies, all of that is as at its last reading, and nothing is lost or comes twice.
 */
export class SourceFeed implements ScriptSource {
  readonly #options: SourceFeedOptions;
  readonly #queue: SourceQueue;
  readonly #log: CommitLog;
  readonly #now: () => number;
  #deliver: Deliver = () => Promise.resolve();
  #onIdle: () => void = () => undefined;
  #given: Given | null = null;
  /** What the source is to be told of what the script is done with, … */
  #done: (() => void)[] = [];
  /** … and what the script has made of it, since its state was known last. */
  #held: MessageBatch[] = [];
  #heldBytes = 0;
  #heldSince = 0;
  #persistedAt: number;
  /** Changes when the script begins anew: whoever still waits for what comes has waited in vain. */
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

  /** @param onIdle the script waits, and nothing comes for now */
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

  /** The source has come to its end by itself. */
  end(): void {
    this.#ended = true;
    this.#notify();
  }

  /** Nothing more is to be read. Resolves when the script may be stopped: what the source cannot bring again was read, or it took too long. */
  async close(): Promise<void> {
    this.#closing = true;
    setTimeout(() => this.#hurry(), CLOSING_MS).unref();
    this.#notify();
    if (this.#options.remembers) return;
    await this.#options.input.stop();
    this.#sourceStopped = true;
    this.#notify();
  }

  /** After the script has been stopped. */
  async stop(): Promise<void> {
    this.#log.cover()();
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, SETTLING_MS).unref());
    await Promise.race([this.#log.settled(), timeout]);
    if (this.#options.remembers) await this.#options.input.stop();
  }

  mayInterrupt(): boolean {
    return this.#overdue;
  }

  /** Takes what the script has made. While that is of something that it is at work on, it is held. */
  async take(batch: MessageBatch): Promise<void> {
    if (this.#given === null && this.#done.length === 0) return this.#deliver(batch, this.#log.deliver());
    this.#held.push(batch);
    this.#heldBytes += encodedBytes(batch);
    if (this.#heldBytes >= HELD_BYTES || this.#now() - this.#heldSince >= HELD_MS) await this.#release();
  }

  /** process_message has returned: what was read is done with. @param save writes the script's state */
  async finish(save: () => Promise<void>): Promise<void> {
    this.#use(0);
    await this.#commit();
    if (this.#options.keepsState) await this.#persist(save);
  }

  /** The script has ended for good: what it made counts, and what it was at work on comes again at the next start, where that can be. */
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
      // The host may have died while that was waited for.
      if (turn !== this.#turn) continue;
      const given = this.#queue.take(form);
      if (given !== null) return this.#give(given);
      // What was there only brought the beginning of a character: what is open is settled first.
      if ((!saved && this.#done.length > 0) || (this.#sourceStopped && this.#closing)) continue;
      if (!this.#ended) await this.#wait();
      else if (!this.#queue.endAll()) return { kind: 'end' };
    }
  }

  /** What the script made is not to wait any more, and goes on when its state is known. */
  get #wantsState(): boolean {
    if (this.#isStateDue) return true;
    if (this.#done.length === 0) return false;
    return this.#queue.isEmpty || this.#heldBytes >= HELD_BYTES / 2 || this.#now() - this.#heldSince >= HELD_MS / 10;
  }

  /** Something that was read counts only when the state is written, and the last time is long enough ago. */
  get #isStateDue(): boolean {
    return this.#log.isUncovered && this.#now() - this.#persistedAt >= PERSIST_MS;
  }

  #give(given: Given): ReadAnswer {
    if (this.#done.length === 0) this.#heldSince = this.#now();
    this.#given = given;
    this.#notify();
    return given.answer;
  }

  /** The script is done with what it was given, but for the rest. */
  #use(rest: number): void {
    const given = this.#given;
    this.#given = null;
    if (given !== null) this.#done.push(given.use(given.bytesOf(rest)));
  }

  /** What the script has read and made so far is final. */
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

  /** Lets the state be written that the script has now. One that cannot be written does not keep the source from going on. */
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

/** Answers of web servers without those that are failures, which are told; null: there are no others. */
function withoutFailures(batch: InputBatch, notice: (notice: InputNotice) => void): InputBatch | null {
  const [first] = messagesOf(batch.batch, null);
  if (first?.type !== 'svc.httpinput.error') return batch;
  notice({ level: 'warning', code: 'http.failed', text: `${first.logger ?? ''}: ${first.payload ?? ''}` });
  return null;
}
