import { setTimeout as delay } from 'node:timers/promises';
import type { Msg, MsgHdrs, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { BatchAnswer } from './received-batch.ts';

/** A message of a stream. */
export interface PulledMessage extends Pick<Msg, 'subject' | 'data'> {
  readonly headers: MsgHdrs | undefined;
  /** Its number in the stream. */
  readonly seq: number;
  readonly answer: BatchAnswer;
}

/** Status codes of the server. */
const BAD_REQUEST = 400;
const NONE = 404;
const EXPIRED = 408;
const CONFLICT = 409;
const NO_RESPONDERS = 503;
/** Bytes of the messages that answer one question, with their subjects and headers. */
const MOST_BYTES = 4 << 20;
/** Milliseconds for which an answer may be late. */
const LATE_MS = 3_000;
/** Milliseconds for which a stop waits for what the server has sent before. */
const FAREWELL_MS = 500;
/** Milliseconds of a pause after a refusal that says nothing of the consumer, such as that there are many questions. */
const PAUSE_MS = 100;
const NS_PER_MS = 1e6;
/** Parts of the subject for acknowledgements: with nine, the number in the stream is the sixth, with more the eighth. */
const SHORT_PARTS = 9;

/** A question that the server has not answered to its end. */
interface Question {
  readonly inbox: string;
  readonly most: number;
  /** Ends it with what came. */
  end(): void;
  fail(error: Error): void;
}

/**
 * Asks a consumer of a stream for messages, many with one question, which the server answers with all that it has. The client's own questions end after so
 * many messages or after a time only.
 */
export class Pull {
  readonly #connection: NatsConnection;
  readonly #subject: string;
  readonly #inbox: string;
  readonly #subscription: Subscription;
  /** Messages that came, and were not given on. */
  #came: PulledMessage[] = [];
  #questions = 0;
  #open: Question | null = null;
  /** The reason for which no question is answered any more. */
  #ended: Error | null = null;
  #isStopped = false;

  constructor(connection: NatsConnection, stream: string, consumer: string) {
    this.#connection = connection;
    this.#subject = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`;
    this.#inbox = `_INBOX.${crypto.randomUUID().replaceAll('-', '')}`;
    this.#subscription = connection.subscribe(`${this.#inbox}.*`, {
      callback: (error, message) => (error === null ? this.#take(message) : this.#end(error)),
    });
    void this.#subscription.closed.then(() => this.#end(new Error('the connection has ended')));
  }

  /**
   * Asks for what is there, and waits for something when nothing is. One call at a time.
   * @returns null: the server did not answer in time
   * @throws {Error} when there is no such consumer any more, or no connection
   */
  async next(most: number, waitMs: number): Promise<PulledMessage[] | null> {
    // Batches that came too late for an earlier question.
    if (this.#isStopped || this.#came.length > 0) return this.#taken();
    if (this.#ended !== null) throw this.#ended;
    const inbox = `${this.#inbox}.${++this.#questions}`;
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), waitMs + LATE_MS);
    this.#open = { inbox, most, end: () => resolve(true), fail: reject };
    const question = { batch: most, max_bytes: MOST_BYTES, no_wait: true, expires: waitMs * NS_PER_MS };
    try {
      this.#connection.publish(this.#subject, JSON.stringify(question), { reply: inbox });
      const isAnswered = await promise;
      return isAnswered || this.#came.length > 0 ? this.#taken() : null;
    } finally {
      clearTimeout(timer);
      this.#open = null;
    }
  }

  /** Takes back the open question, which ends with what came. Returns what nobody asks for any more. */
  async stop(): Promise<PulledMessage[]> {
    this.#isStopped = true;
    const drained = this.#subscription.drain().catch(() => undefined);
    await Promise.race([drained, delay(FAREWELL_MS, null, { ref: false })]);
    if (this.#open === null) return this.#taken();
    this.#open.end();
    return [];
  }

  #taken(): PulledMessage[] {
    const came = this.#came;
    this.#came = [];
    return came;
  }

  #end(error: Error): void {
    this.#ended ??= error;
    if (!this.#isStopped) this.#open?.fail(error);
  }

  #take(message: Msg): void {
    const question = this.#open;
    if (!message.subject.startsWith(this.#inbox)) {
      this.#came.push(pulledMessage(message, this.#connection));
      if (question !== null && this.#came.length >= question.most) question.end();
    } else if (message.subject === question?.inbox) this.#status(message, question);
  }

  #status({ headers }: Msg, question: Question): void {
    const { code = 0, description = '' } = headers ?? {};
    const isFull = code === CONFLICT && /exceeds maxbytes/i.test(description);
    if (isFull || code === NONE || (code === EXPIRED && !/requests pending/i.test(description))) question.end();
    else if (code === NO_RESPONDERS || code === BAD_REQUEST || (code === CONFLICT && /consumer (?:deleted|is push)/i.test(description)))
      this.#end(new Error(code === NO_RESPONDERS ? 'the consumer is gone, or JetStream is away' : description.toLowerCase()));
    else if (code === CONFLICT || code === EXPIRED) setTimeout(() => question.end(), PAUSE_MS);
  }
}

/** The subject of an answer tells the place of its message. */
function pulledMessage({ subject, headers, data, reply = '' }: Msg, connection: NatsConnection): PulledMessage {
  const parts = reply.split('.');
  const tell = (answer: string): void => {
    try {
      connection.publish(reply, answer);
    } catch {
      // Without a connection there is nobody to tell: the message comes again.
    }
  };
  return {
    subject,
    headers,
    data,
    seq: Number(parts[parts.length === SHORT_PARTS ? 5 : 7]),
    answer: {
      acknowledge: () => tell('+ACK'),
      working: () => tell('+WPI'),
      later: (ms) => tell(ms === 0 ? '-NAK' : `-NAK {"delay":${ms * NS_PER_MS}}`),
      discard: () => tell('+TERM'),
    },
  };
}
