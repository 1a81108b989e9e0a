import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { EDGE_HEADER, encodeBatch, messagesOfBatch, SEQUENCE_HEADER, WAITING_HEADER } from '../../nats/batch.ts';
import { deniedText, isUnanswered, NatsLink, reasonOf, TIMEOUT_MS, type NatsServers } from '../../nats/connection.ts';
import { Subjects } from '../../nats/subject.ts';
import { textAt, type MessageBatch } from '../../message/batch/batch.ts';
import { decodeMessage } from '../../message/protobuf/protobuf.ts';
import { messageOf } from '../../base/errors.ts';
import { after, type LongTimer } from '../../base/time/long-timer.ts';
import { Serial } from '../../base/time/serial.ts';
import { Delivery, type DeliveryOptions } from '../delivery.ts';
import type { Piece, Pieces, Receipt, Writer } from '../writers.ts';
import { Gathered } from './gathered.ts';
import { Outbox, withNewId, type OutboxContent, type OutgoingBatch } from './outbox.ts';

export interface NatsWriterOptions extends DeliveryOptions {
  readonly servers: NatsServers;
  /** null: none, those who listen get the messages. */
  readonly stream: string | null;
  /** Template; see `Subjects`. */
  readonly subject: string;
  readonly edge: string;
  /** Name of the output. */
  readonly name: string;
  /** Milliseconds for which messages wait for others. */
  readonly flushInterval: number;
  /** Messages that are gathered before they are published. */
  readonly batchMessages: number;
  /** Folder for what is being published; null: it is not kept. */
  readonly folder: string | null;
}

/** Room for the headers of a batch beside the names in them, within the server's limit. */
const HEADERS_BYTES = 512;
/** Bytes that are gathered at most. */
const MAX_BYTES = 8 << 20;
/** Subjects whose batches are published at the same time. */
const AT_ONCE = 64;
/** Error code of JetStream: the stream takes no message of this size. */
const TOO_LARGE = 10_054;

/** The server or the stream takes no message of this size. */
class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/**
 * Gathers messages and publishes them in batches: those of one subject one after the other, those of different ones at the same time. A write resolves when
 * the stream has all of its messages.
 */
export class NatsWriter implements Writer {
  readonly overlaps = true;
  readonly resumedAt: string | null;
  readonly #options: NatsWriterOptions;
  readonly #link: NatsLink;
  readonly #delivery: Delivery;
  readonly #subjects: Subjects;
  readonly #turns = new Serial();
  readonly #outbox: Outbox | null;
  /** Tells the batches of this run from those of others. */
  readonly #run = randomBytes(6).toString('hex');
  /** Batches of an earlier run that the stream may not have. */
  #left: OutboxContent;
  /** Subjects that the server has refused since the last attempt. */
  readonly #denied = new Set<string>();
  #gathered: Gathered | null = null;
  #timer: LongTimer | null = null;
  #isClosing = false;
  #sequence = 0;
  #batches = 0;
  #bytes = 0;
  #repeated = 0;
  #dropped = 0;

  private constructor(options: NatsWriterOptions, outbox: Outbox | null, left: OutboxContent) {
    this.#options = options;
    this.#link = new NatsLink(options.servers, `sluicebox ${options.name}`, ({ operation, subject }) => {
      if (operation === 'publish') this.#denied.add(subject);
    });
    this.#delivery = new Delivery(options);
    this.#subjects = new Subjects(options.subject);
    this.#outbox = outbox;
    this.#left = left;
    this.resumedAt = left.mark;
    // Whether anything follows them or not.
    if (left.batches.length > 0) void this.#turns.run(() => this.#publishLeft()).catch(() => undefined);
  }

  /** Reads what an earlier run left. Connects when there is something to publish. */
  static async open(options: NatsWriterOptions): Promise<NatsWriter> {
    const { folder, stream } = options;
    if (folder === null || stream === null) return new NatsWriter(options, null, { mark: null, batches: [] });
    const { outbox, left } = await Outbox.open(folder);
    return new NatsWriter(options, outbox, left);
  }

  get figures(): Readonly<Record<string, number>> {
    return {
      SentBatchCount: this.#batches,
      SentBatchBytes: this.#bytes,
      RepeatedBatchCount: this.#repeated,
      DropMessageCount: this.#dropped,
    };
  }

  get problem(): string | null {
    return this.#delivery.problem;
  }

  /** Messages that a script has made, which waits for them. */
  write(pieces: Pieces, receipt?: Receipt): Promise<void> {
    const messages = Array.from(pieces, bytesOf);
    const written = this.#gather(messages, (i) => this.#subjectOf(messages[i] as Uint8Array), receipt);
    this.#flush();
    return written;
  }

  writeEncoded(batch: MessageBatch, rows: Uint32Array | null, messages: readonly Uint8Array[], receipt?: Receipt): Promise<void> {
    const { hostname, logger, type } = batch;
    const subjectOf = (i: number): string => {
      const row = rows === null ? i : (rows[i] as number);
      return this.#subjects.of({ hostname: textAt(hostname, row), logger: textAt(logger, row), type: textAt(type, row) });
    };
    return this.#gather(messages, subjectOf, receipt);
  }

  /** While messages are published, no more are gathered. */
  room(): Promise<void> {
    return this.#turns.idle();
  }

  hurry(): void {
    this.#flush();
  }

  /** @param subjectOf the subject of a message by its number; null: it is left out */
  #gather(messages: readonly Uint8Array[], subjectOf: (i: number) => string | null, receipt?: Receipt): Promise<void> {
    const { flushInterval, batchMessages } = this.#options;
    const gathered = (this.#gathered ??= new Gathered());
    gathered.add(messages, subjectOf, receipt);
    const isFull = gathered.messages >= batchMessages || gathered.bytes >= MAX_BYTES;
    if (isFull || flushInterval === 0 || this.#isClosing) this.#flush();
    else this.#timer ??= after(flushInterval, () => this.#flush());
    return gathered.done.promise;
  }

  #flush(): void {
    this.#timer?.cancel();
    this.#timer = null;
    const gathered = this.#gathered;
    this.#gathered = null;
    if (gathered !== null) void this.#turns.run(() => this.#publishAll(gathered).then(gathered.done.resolve, gathered.done.reject));
  }

  async #publishAll(gathered: Gathered): Promise<void> {
    await this.#publishLeft();
    const batches = await this.#batchesOf(gathered.groups);
    const { mark } = gathered;
    if (mark !== null) await this.#keep({ mark, batches });
    await this.#publish(batches, gathered);
    if (mark !== null) await this.#keep({ mark, batches: [] });
  }

  /** Writes to the outbox, when its disk has room. */
  async #keep(content: OutboxContent): Promise<void> {
    await this.#delivery.until(() => this.#outbox?.write(content) ?? Promise.resolve());
  }

  closing(): void {
    this.#isClosing = true;
    this.#flush();
    this.#delivery.closing();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#flush();
    await this.#turns.idle();
    this.#delivery.giveUp();
    await this.#link.close();
  }

  async #publishLeft(): Promise<void> {
    const { mark, batches } = this.#left;
    if (batches.length === 0) return;
    await this.#publish(batches);
    this.#left = { mark, batches: [] };
    await this.#keep(this.#left);
  }

  /** Makes batches that the server takes, at least one for each subject. */
  async #batchesOf(groups: ReadonlyMap<string, readonly Uint8Array[]>): Promise<OutgoingBatch[]> {
    let most = 0;
    await this.#delivery.until(async () => {
      most = this.#mostBytes(await this.#link.open());
    });
    const batches: OutgoingBatch[] = [];
    const { batchMessages } = this.#options;
    for (const [subject, messages] of groups) {
      for (let from = 0; from < messages.length; from += batchMessages) {
        for (const body of await this.#bodiesOf(messages.slice(from, from + batchMessages), most)) {
          const sequence = ++this.#sequence;
          batches.push({ subject, id: `${this.#origin}/${this.#run}/${sequence}`, sequence, body });
        }
      }
    }
    return batches;
  }

  /** The edge and the output, as a header can have them. */
  get #origin(): string {
    const { edge, name } = this.#options;
    return `${encodeURIComponent(edge)}/${encodeURIComponent(name)}`;
  }

  /** Bytes of a batch that the server takes. */
  #mostBytes({ info }: NatsConnection): number {
    const { edge, stream } = this.#options;
    return (info?.max_payload ?? 1 << 20) - HEADERS_BYTES - this.#origin.length - Buffer.byteLength(edge + (stream ?? ''));
  }

  /** null: it is no message, which only a script can bring about. */
  #subjectOf(bytes: Uint8Array): string | null {
    try {
      return this.#subjects.of(decodeMessage(bytes));
    } catch (error) {
      this.#drop(`a message that is not valid protobuf is lost: ${messageOf(error)}`);
      return null;
    }
  }

  async #bodiesOf(messages: readonly Uint8Array[], most: number): Promise<Buffer[]> {
    const body = await encodeBatch(messages);
    if (body.length <= most) return [body];
    if (messages.length === 1) {
      this.#drop(`a message is lost: it takes ${body.length} bytes, and the server takes ${most}`);
      return [];
    }
    const middle = messages.length >> 1;
    return [...(await this.#bodiesOf(messages.slice(0, middle), most)), ...(await this.#bodiesOf(messages.slice(middle), most))];
  }

  #drop(text: string): void {
    this.#dropped++;
    this.#options.onProblem(text);
  }

  /** Publishes batches, those of each subject in order. What is published is not published again when others fail. */
  async #publish(batches: readonly OutgoingBatch[], gathered?: Gathered): Promise<void> {
    const queues = [...Map.groupBy(batches, ({ subject }) => subject).values()];
    await this.#delivery.until(async () => {
      const connection = await this.#link.open();
      for (let from = 0; from < queues.length; from += AT_ONCE) {
        const some = queues.slice(from, from + AT_ONCE).map((queue) => this.#publishQueue(connection, queue, gathered));
        const failed = (await Promise.allSettled(some)).find((result) => result.status === 'rejected');
        if (failed !== undefined) throw failed.reason;
      }
    });
  }

  /**
   * Publishes batches one after the other, and takes each out of the queue when it is published. One without an answer gets another id: a server that was
   * separated from the others may know the id of what it never stored, and would take the batch for a repeated one.
   */
  async #publishQueue(connection: NatsConnection, queue: OutgoingBatch[], gathered: Gathered | undefined): Promise<void> {
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      try {
        await this.#send(connection, next, gathered);
        queue.shift();
        this.#batches++;
        this.#bytes += next.body.length;
      } catch (error) {
        if (error instanceof TooLargeError) queue.splice(0, 1, ...(await this.#halvesOf(next, error)));
        else {
          if (isUnanswered(error)) queue[0] = withNewId(next);
          throw error;
        }
      }
    }
  }

  async #send(connection: NatsConnection, batch: OutgoingBatch, gathered: Gathered | undefined): Promise<void> {
    if (batch.body.length > this.#mostBytes(connection)) throw new TooLargeError('the server takes no message of this size');
    const { stream } = this.#options;
    const headers = await this.#headersOf(batch, gathered?.waiting);
    const sent = stream === null ? this.#tell(connection, batch, headers) : this.#store(connection, batch, headers, stream);
    await unlessAborted(sent, this.#delivery.signal);
  }

  /** Of a batch made for a server or a stream that took larger ones. The ids are the same each time. None: it is one message. */
  async #halvesOf({ subject, id, sequence, body }: OutgoingBatch, { message: reason }: TooLargeError): Promise<OutgoingBatch[]> {
    const messages = await messagesOfBatch(body);
    if (messages.length < 2) {
      this.#drop(`a message is lost: it takes ${body.length} bytes, and ${reason}`);
      return [];
    }
    const middle = messages.length >> 1;
    const halves = [messages.slice(0, middle), messages.slice(middle)];
    return Promise.all(halves.map(async (half, i) => ({ subject, id: `${id}.${i}`, sequence, body: await encodeBatch(half) })));
  }

  /** Publishes to whoever listens. Resolves when the server has it. @throws {Error} when the server refuses it */
  async #tell(connection: NatsConnection, { subject, body }: OutgoingBatch, headers: MsgHdrs): Promise<void> {
    this.#denied.delete(subject);
    connection.publish(subject, body, { headers });
    await connection.flush();
    // A refusal comes before the answer to the flush, but is told behind it.
    await turn();
    if (this.#denied.has(subject)) throw new Error(deniedText({ operation: 'publish', subject }));
  }

  /** Publishes to a stream. @throws {Error} when the stream does not say that it has it */
  async #store(connection: NatsConnection, batch: OutgoingBatch, headers: MsgHdrs, stream: string): Promise<void> {
    const { jetstream } = await import('@nats-io/jetstream');
    try {
      const { duplicate } = await jetstream(connection).publish(batch.subject, batch.body, {
        msgID: batch.id,
        timeout: TIMEOUT_MS,
        expect: { streamName: stream },
        headers,
      });
      if (duplicate) this.#repeated++;
    } catch (error) {
      if (isTooLarge(error)) throw new TooLargeError(`stream ${stream} takes no message of this size`, { cause: error });
      this.#link.leaveFor(error);
      throw new Error(`stream ${stream} does not take ${batch.subject}: ${reasonOf(error)}`, { cause: error });
    }
  }

  async #headersOf({ sequence }: OutgoingBatch, waiting: number | undefined): Promise<MsgHdrs> {
    const { headers } = await import('@nats-io/transport-node');
    const made = headers();
    made.set(EDGE_HEADER, this.#options.edge);
    made.set(SEQUENCE_HEADER, String(sequence));
    if (waiting !== undefined) made.set(WAITING_HEADER, String(waiting));
    return made;
  }
}

const isTooLarge = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === TOO_LARGE;

const bytesOf = (piece: Piece): Uint8Array => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);

/** Rejects when attempts are given up, whatever the client still waits for. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(new Error('the service stops'));
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    work.catch(() => undefined);
  }
}
