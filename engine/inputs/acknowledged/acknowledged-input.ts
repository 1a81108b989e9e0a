import type { Socket } from 'node:net';
import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import { errorText } from '../notices.ts';
import { plainHost, type ListenAddress } from '../net/address.ts';
import { StreamListener, type StreamListenerOptions } from '../net/stream-listener.ts';
import type { Input, InputSink, InputStats } from '../types.ts';
import { SessionError, type Peer, type Session, type Step } from './session.ts';

export interface AcknowledgedInputOptions extends StreamListenerOptions {
  /** Bytes of a message of the protocol at most. */
  readonly maxMessage: number;
  /** Milliseconds for which a connection may stand still amid a message (60 s). */
  readonly stillMs?: number;
  /** Milliseconds between two signs to a sender that waits (3 s). */
  readonly patienceMs?: number;
}

const STILL_MS = 60_000;
const PATIENCE_MS = 3_000;
/** Messages of the greatest length that all connections together may have begun, … */
const MOST_HELD = 8;
/** … or of so many bytes, if that is less. */
const LEAST_HELD = 4 << 20;
/** Bytes of answers that a sender may leave unread. */
const MOST_UNREAD = 1 << 20;
/** Milliseconds for which a stopping input waits for what is under way. */
const CLOSE_MS = 2_000;
const LOOK_MS = 10;

/** One open connection. */
interface Open {
  readonly socket: Socket;
  readonly session: Session;
  /** Resolves when all answers so far are sent. */
  answered: Promise<void>;
  /** Batches that are not acknowledged. */
  underWay: number;
}

/** Takes records over connections, and answers when all filters and outputs have them. A connection is read on when the pipeline takes more. */
export class AcknowledgedInput implements Input {
  readonly name: string;
  readonly #options: AcknowledgedInputOptions;
  readonly #makeSession: (peer: Peer) => Session;
  readonly #listener: StreamListener;
  readonly #open = new Set<Open>();
  readonly #told = new Set<string>();
  #bytes = 0;
  #records = 0;
  #rejected = 0;

  /** @throws {InputError} `port.bad-address` */
  constructor(options: AcknowledgedInputOptions, makeSession: (peer: Peer) => Session) {
    this.name = options.name;
    this.#options = options;
    this.#makeSession = makeSession;
    this.#listener = new StreamListener(options);
  }

  /** Resolves when it listens, or after a notice when it cannot; then it can be started again. */
  start(sink: InputSink): Promise<void> {
    return this.#listener.start(sink, (socket) => void this.#serve(socket, sink));
  }

  /** Reads no more, and answers what is safe in time; senders send the rest again. */
  stop(): Promise<void> {
    return this.#listener.stop(async () => {
      const late = performance.now() + CLOSE_MS;
      const isBusy = (): boolean => [...this.#open].some(({ underWay }) => underWay > 0);
      while (isBusy() && performance.now() < late) await delay(LOOK_MS);
      await immediate();
      for (const open of this.#open) this.#part(open);
    });
  }

  stats(): InputStats {
    return { bytes: this.#bytes, records: this.#records, dropped: this.#rejected, totalBytes: this.#bytes };
  }

  /** The address that it listens on; null when it does not listen. */
  address(): ListenAddress | null {
    return this.#listener.address;
  }

  async #serve(socket: Socket, sink: InputSink): Promise<void> {
    const host = plainHost(socket.remoteAddress ?? '');
    const session = this.#makeSession({ host, port: socket.remotePort ?? 0 });
    const open: Open = { socket, session, answered: Promise.resolve(), underWay: 0 };
    const { stillMs = STILL_MS, patienceMs = PATIENCE_MS } = this.#options;
    const { patience } = session;
    const waiting = patience && setInterval(() => open.underWay > 0 && socket.write(patience), patienceMs);
    socket.setTimeout(stillMs, () => {
      if (session.waiting > 0 && open.underWay === 0)
        socket.destroy(new SessionError(`it stood still amid a message for ${stillMs / 1000} seconds`));
    });
    socket.setNoDelay(true);
    this.#open.add(open);
    try {
      await this.#readAll(open, host, sink);
      await open.answered;
    } catch (error) {
      this.#tellEnd(error, host);
      // Records before a fault are answered, as far as the sender still listens.
      if (error instanceof SessionError) await open.answered;
    } finally {
      clearInterval(waiting);
      if (!this.#listener.isOpen) this.#part(open);
      this.#open.delete(open);
      socket.destroySoon();
    }
  }

  /** Tells a sender, once, that this side ends the connection. */
  #part(open: Open): void {
    const { socket, session } = open;
    if (this.#open.delete(open) && socket.writable && session.farewell !== undefined) socket.write(session.farewell);
  }

  async #readAll(open: Open, host: string, sink: InputSink): Promise<void> {
    const { socket, session } = open;
    for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (!this.#listener.isOpen) return;
      this.#bytes += chunk.length;
      for await (const step of session.push(chunk)) {
        await this.#take(step, open, host, sink);
        if (step.isLast === true) return;
      }
      this.#checkHeld(socket);
      sink.idle();
    }
    if (session.waiting > 0)
      this.#listener.tell('connection.broken', `The connection from ${host} to input ${this.name} ended amid a message.`);
  }

  /** Resolves when the pipeline has taken the records of a step. Its answer is sent when they are safe, behind the answers before. */
  async #take(step: Step, open: Open, host: string, sink: InputSink): Promise<void> {
    this.#tellFaults(step, host);
    const { socket } = open;
    const { batch, answer } = step;
    const through = Promise.withResolvers<void>();
    open.answered = Promise.all([open.answered, through.promise]).then(
      () => void (socket.writable && answer.length > 0 && socket.write(answer)),
    );
    if (batch === null || batch.length === 0) return through.resolve();
    this.#records += batch.length;
    open.underWay++;
    const acknowledge = (): void => {
      open.underWay--;
      through.resolve();
    };
    await sink.deliver({ batch, firstLine: 0, source: `records from ${host}`, acknowledge });
  }

  /** @throws {SessionError} when all connections together hold too many bytes, or a sender reads no answers */
  #checkHeld(socket: Socket): void {
    let held = 0;
    for (const { session } of this.#open) held += session.waiting;
    if (held > Math.max(LEAST_HELD, this.#options.maxMessage) * MOST_HELD)
      throw new SessionError('too many long messages come at the same time');
    if (socket.writableLength > MOST_UNREAD) throw new SessionError('it does not read its answers');
  }

  #tellFaults({ invalid = false, rejected, truncated = 0 }: Step, host: string): void {
    if (rejected !== undefined) {
      this.#rejected += rejected.count;
      this.#listener.tell('record.rejected', `Input ${this.name} did not take ${rejected.count} events from ${host}: ${rejected.reason}.`);
    }
    if (truncated > 0)
      this.#tellOnce(
        'record.truncated',
        `${host} sends records longer than ${this.#options.maxMessage} bytes to input ${this.name}: they are cut.`,
      );
    if (invalid)
      this.#tellOnce(
        'record.encoding',
        `Input ${this.name} gets records that are not UTF-8: they are read as windows-1252. Set the senders to UTF-8 if characters look wrong.`,
      );
  }

  #tellOnce(code: 'record.truncated' | 'record.encoding', text: string): void {
    if (!this.#told.has(code)) this.#listener.tell(code, text);
    this.#told.add(code);
  }

  #tellEnd(error: unknown, host: string): void {
    if (!this.#listener.isOpen) return;
    const connection = `The connection from ${host} to input ${this.name}`;
    if (error instanceof SessionError)
      this.#listener.tell(
        'stream.framing',
        `${connection} is cut off, because what came cannot be read: ${error.message}. What came before was taken.`,
      );
    else this.#listener.tell('connection.broken', `${connection} broke (${errorText(error)}).`, 'info');
  }
}
