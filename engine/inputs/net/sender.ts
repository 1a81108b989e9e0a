import type { TextPool } from '../../message/text-pool.ts';
import { errorText } from '../notices.ts';
import type { InputSink } from '../types.ts';
import type { SignedMessage } from '../framed.ts';
import { Gatherer, type GatheredBatch } from './gatherer.ts';
import { MessageGatherer } from './message-gatherer.ts';
import type { Records } from './records.ts';

/** Records wait at most so long for others. */
const GATHER_MS = 4;
/** Full batches that wait for the sink before `isFull`. */
const MAX_WAITING = 16;

export interface SenderOptions {
  /** The input's name: Logger of the records, and Type unless `type` says otherwise. */
  readonly name: string;
  readonly type?: string | undefined;
  /** Records get their senders as Hostname; true by default. */
  readonly setHostname?: boolean | undefined;
  /** Memory for texts; those of a batch are released with its acknowledgement. Absent: they are made. */
  readonly texts?: TextPool | undefined;
  /** Called when there is room again. */
  readonly onDrain?: () => void;
}

/** Makes batches of the records that come from sockets, and delivers them one after the other. */
export class BatchSender {
  readonly #name: string;
  readonly #sink: InputSink;
  readonly #gatherer: Gatherer;
  readonly #messages = new MessageGatherer();
  readonly #onDrain: () => void;
  readonly #waiting: GatheredBatch[] = [];
  #timer: NodeJS.Timeout | null = null;
  #delivering: Promise<void> | null = null;
  #release: (() => void) | null = null;
  #closed = false;
  #toldInvalid = false;
  #wasFull = false;
  #lost = 0;
  #movedAt = 0;

  constructor(sink: InputSink, options: SenderOptions) {
    this.#name = options.name;
    this.#sink = sink;
    this.#gatherer = new Gatherer(options.type ?? options.name, options.name, {
      withHosts: options.setHostname ?? true,
      form: options.texts,
    });
    this.#onDrain = options.onDrain ?? (() => undefined);
  }

  /** The sink does not keep up: nothing is to be added now. */
  get isFull(): boolean {
    return this.#waiting.length >= MAX_WAITING;
  }

  /** Records that were added and not taken by the sink, which failed, or was too slow at the end. */
  get lost(): number {
    return this.#lost;
  }

  /** Adds records from a host. @param port of its connection; 0: it has none */
  add(bytes: Buffer, records: Records, host: string, port = 0): void {
    if (this.#closed) {
      this.#lost += records.count;
      return;
    }
    for (let from = 0; from < records.count;) {
      from = this.#gatherer.add(bytes, records, from, host, port);
      this.#flushWhenDue(this.#gatherer.isFull);
    }
  }

  /** Adds a message as it is. */
  addMessage(message: SignedMessage): void {
    if (this.#closed) {
      this.#lost++;
      return;
    }
    if (!this.#messages.takes(message.signer)) this.#flush();
    this.#messages.add(message);
    this.#flushWhenDue(this.#messages.isFull);
  }

  /** Delivers the added records, waiting at most `ms` for the sink to take each batch. */
  async close(ms: number): Promise<void> {
    this.#flush();
    this.#closed = true;
    if (this.#delivering === null) return;
    const timer = setInterval(() => {
      if (performance.now() - this.#movedAt >= ms) this.#release?.();
    }, ms / 10);
    this.#movedAt = performance.now();
    await this.#delivering;
    clearInterval(timer);
  }

  #flushWhenDue(isFull: boolean): void {
    if (isFull) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  #flush(): void {
    this.#gather();
    this.#wasFull ||= this.isFull;
    if (this.#waiting.length > 0) this.#delivering ??= this.#deliver();
  }

  #gather(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#gatherer.count > 0) this.#waiting.push(this.#gatherer.take());
    if (this.#messages.count > 0) this.#waiting.push(this.#messages.take());
  }

  async #deliver(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      try {
        // A batch that the sink did not take in time is still with the sink, which may take it later.
        if (!(await this.#give(next))) this.#drop();
      } catch (error) {
        this.#fail(next, error);
      }
      this.#movedAt = performance.now();
      if (this.#wasFull && this.#waiting.length < MAX_WAITING / 2) {
        this.#wasFull = false;
        this.#onDrain();
      }
    }
    this.#release = null;
    this.#delivering = null;
    if (!this.#closed) this.#sink.idle();
  }

  /** Resolves to whether the sink took the batch before the wait for it ended. */
  async #give({ batch, signer = '', invalid, release = () => undefined }: GatheredBatch): Promise<boolean> {
    if (invalid) this.#tellInvalid();
    return new Promise<boolean>((resolve, reject) => {
      this.#release = () => resolve(false);
      this.#sink.deliver({ batch, firstLine: 0, signer, acknowledge: release }).then(() => resolve(true), reject);
    });
  }

  #fail({ batch }: GatheredBatch, error: unknown): void {
    this.#closed = true;
    this.#lost += batch.length;
    this.#gather();
    this.#drop();
    const text = `Input ${this.#name} stops: its records are not taken (${errorText(error)}).`;
    this.#sink.notice({ level: 'error', code: 'input.failed', text });
  }

  #drop(): void {
    for (const { batch } of this.#waiting) this.#lost += batch.length;
    this.#waiting.length = 0;
  }

  #tellInvalid(): void {
    if (this.#toldInvalid) return;
    this.#toldInvalid = true;
    const text = `Input ${this.#name} gets records that are not UTF-8: they are read as windows-1252. Set the senders to UTF-8 if characters look wrong.`;
    this.#sink.notice({ level: 'warning', code: 'record.encoding', text });
  }
}
