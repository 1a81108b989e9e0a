import { randomBytes } from 'node:crypto';
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { EDGE_HEADER, encodeBatch, SEQUENCE_HEADER, WAITING_HEADER } from '../../nats/batch.ts';
import { NatsLink, reasonOf, TIMEOUT_MS, type NatsServers } from '../../nats/connection.ts';
import { Subjects } from '../../nats/subject.ts';
import { decodeMessage } from '../../message/protobuf.ts';
import { messageOf } from '../../errors.ts';
import { Serial } from '../../serial.ts';
import { Delivery, type DeliveryOptions } from '../delivery.ts';
import type { Piece, Pieces, Receipt, Writer } from '../writers.ts';
import { Outbox, type OutboxContent, type OutgoingBatch } from './outbox.ts';

export interface NatsWriterOptions extends DeliveryOptions {
  readonly servers: NatsServers;
  /** null: none, those who listen get the messages. */
  readonly stream: string | null;
  /** Template; see `Subjects`. */
  readonly subject: string;
  readonly edge: string;
  /** Name of the output. */
  readonly name: string;
  /** Folder for what is being published; null: it is not kept. */
  readonly folder: string | null;
}

/** Room for the headers of a batch, within the server's limit. */
const HEADERS_BYTES = 1024;

/** Publishes messages, which come as protobuf, in batches, one after the other. A write resolves when the stream has all of them. */
export class NatsWriter implements Writer {
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
  #sequence = 0;
  #batches = 0;
  #bytes = 0;
  #repeated = 0;
  #dropped = 0;

  private constructor(options: NatsWriterOptions, outbox: Outbox | null, left: OutboxContent) {
    this.#options = options;
    this.#link = new NatsLink(options.servers, `sluicebox ${options.name}`);
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

  write(pieces: Pieces, receipt?: Receipt): Promise<void> {
    return this.#turns.run(async () => {
      await this.#publishLeft();
      const batches = await this.#batchesOf(pieces);
      const mark = receipt?.mark(pieces.length) ?? null;
      if (mark !== null) await this.#keep({ mark, batches });
      for (const batch of batches) await this.#publish(batch, receipt);
      if (mark !== null) await this.#keep({ mark, batches: [] });
    });
  }

  /** Writes to the outbox, when its disk has room. */
  async #keep(content: OutboxContent): Promise<void> {
    await this.#delivery.until(() => this.#outbox?.write(content) ?? Promise.resolve());
  }

  closing(): void {
    this.#delivery.closing();
  }

  async close(): Promise<void> {
    await this.#turns.idle();
    this.#delivery.giveUp();
    await this.#link.close();
  }

  async #publishLeft(): Promise<void> {
    const { mark, batches } = this.#left;
    if (batches.length === 0) return;
    for (const batch of batches) await this.#publish(batch);
    this.#left = { mark, batches: [] };
    await this.#keep(this.#left);
  }

  /** Makes batches that the server takes, at least one for each subject. */
  async #batchesOf(pieces: Pieces): Promise<OutgoingBatch[]> {
    let most = 0;
    await this.#delivery.until(async () => {
      most = ((await this.#link.open()).info?.max_payload ?? 1 << 20) - HEADERS_BYTES;
    });
    const batches: OutgoingBatch[] = [];
    for (const [subject, messages] of this.#bySubject(pieces)) {
      for (const body of await this.#bodiesOf(messages, most)) {
        const sequence = ++this.#sequence;
        const { edge, name } = this.#options;
        batches.push({ subject, id: `${edge}/${name}/${this.#run}/${sequence}`, sequence, body });
      }
    }
    return batches;
  }

  #bySubject(pieces: Pieces): Map<string, Uint8Array[]> {
    const groups = new Map<string, Uint8Array[]>();
    for (const piece of pieces) {
      const bytes = bytesOf(piece);
      const subject = this.#subjectOf(bytes);
      if (subject === null) continue;
      const group = groups.get(subject);
      if (group === undefined) groups.set(subject, [bytes]);
      else group.push(bytes);
    }
    return groups;
  }

  /** null: it is no message, which only a script can bring about. */
  #subjectOf(bytes: Uint8Array): string | null {
    try {
      return this.#subjects.of(decodeMessage(bytes));
    } catch (error) {
      this.#drop(`what is no message in protobuf is lost: ${messageOf(error)}`);
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

  async #publish(batch: OutgoingBatch, receipt?: Receipt): Promise<void> {
    await this.#delivery.until(async () => {
      const connection = await this.#link.open();
      const { stream } = this.#options;
      const headers = await this.#headersOf(batch, receipt);
      const sent = stream === null ? tell(connection, batch, headers) : this.#store(connection, batch, headers, stream);
      await unlessAborted(sent, this.#delivery.signal);
    });
    this.#batches++;
    this.#bytes += batch.body.length;
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
      throw new Error(`stream ${stream} does not take ${batch.subject}: ${reasonOf(error)}`, { cause: error });
    }
  }

  async #headersOf({ sequence }: OutgoingBatch, receipt?: Receipt): Promise<MsgHdrs> {
    const { headers } = await import('@nats-io/transport-node');
    const made = headers();
    made.set(EDGE_HEADER, this.#options.edge);
    made.set(SEQUENCE_HEADER, String(sequence));
    const waiting = receipt?.waiting?.();
    if (waiting !== undefined) made.set(WAITING_HEADER, String(waiting));
    return made;
  }
}

/** Publishes to whoever listens. Resolves when the server has it. */
async function tell(connection: NatsConnection, { subject, body }: OutgoingBatch, headers: MsgHdrs): Promise<void> {
  connection.publish(subject, body, { headers });
  await connection.flush();
}

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
