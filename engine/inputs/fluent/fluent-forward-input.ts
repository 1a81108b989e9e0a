import type { Socket } from 'node:net';
import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { encryption, HAS_CERTIFICATE } from '../../section/tls.ts';
import { address, bytes, text } from '../../section/values.ts';
import { tlsListener } from '../../base/net/tls.ts';
import { listenerFacts, plainHost, portOf, type ListenAddress } from '../net/address.ts';
import { HANDSHAKE_MS } from '../net/connections.ts';
import { StreamListener, type StreamListenerOptions } from '../net/stream-listener.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { Serial } from '../../base/time/serial.ts';
import { errorText } from '../notices.ts';
import { inputType } from '../shared/input-type.ts';
import { ending } from '../shared/parameters.ts';
import type { Input, InputSink, InputStats } from '../types.ts';
import { readForwarded } from './forward.ts';
import { Handshake, type ForwardLogin } from './handshake.ts';
import { encodeMsgpack, MsgpackError } from './msgpack.ts';
import { ValueStream } from './value-stream.ts';

const DEFAULT_MAX_MESSAGE = 16 << 20;

/** The type `FluentForwardInput` of sections. */
export const fluentForwardInput = inputType({
  type: 'FluentForwardInput',
  summary:
    'Receives events by the forward protocol of Fluentd, which Fluent Bit, Fluentd and the log driver `fluentd` of Docker speak. An event becomes ' +
    'a message of Type `fluent`. Its tag is the Logger, its text (`log`, `message`, `msg` or `MESSAGE`) the Payload, and all other values are ' +
    'fields, those in nested maps with dots in their names. A sender that asks for an acknowledgement gets it when all filters and outputs ' +
    'have its events. A sender waits while they do not keep up.',
  example: '[fluent]\ntype = "FluentForwardInput"\n\n[shown]\ntype = "LogOutput"\nencoder = "text"\nmessage_matcher = "Type == \'fluent\'"',
  parameters: () => ({
    address: address.default('127.0.0.1:24224').describe('Where to listen.'),
    shared_key: text.min(1).optional().describe('Key that senders must know. Absent: anybody may send.'),
    users: z
      .record(text.min(1), text)
      .prefault({})
      .meta({ shown: 'table of texts' })
      .describe('Passwords by user names. With any, senders must give one of them beside the key.'),
    max_message_size: bytes
      .min(1)
      .max(256 << 20)
      .default(DEFAULT_MAX_MESSAGE)
      .describe(
        'Longest message of the protocol, which may have many events. The limit holds for the compressed and for the uncompressed events.',
      ),
    ...encryption,
    ...ending,
  }),
  rules: [
    HAS_CERTIFICATE,
    {
      holds: ({ shared_key: key, users }) => key !== undefined || Object.keys(users).length === 0,
      error: 'needs shared_key: the protocol asks for users only beside a key',
      path: ['users'],
    },
  ],
  repeats: true,
  facts: ({ address: at }) => ({ ...listenerFacts('tcp', at), label: `fluent:${portOf(at)}` }),
  make: (config, { hostname }) =>
    new FluentForwardInput({
      name: config.name,
      address: config.address,
      hostname,
      login: config.shared_key === undefined ? null : { sharedKey: config.shared_key, users: new Map(Object.entries(config.users)) },
      maxMessage: config.max_message_size,
      tls: config.use_tls ? tlsListener(config.tls) : undefined,
    }),
});

export interface FluentForwardInputOptions extends StreamListenerOptions {
  /** Of this machine, as senders are told. */
  readonly hostname: string;
  /** null: anybody may send. */
  readonly login: ForwardLogin | null;
  /** Bytes of a message of the protocol, and of its events. */
  readonly maxMessage?: number;
}

/** Messages of the greatest length that all connections together may have begun. */
const MOST_HELD = 8;
const MUTE = `it did not show the shared key within ${HANDSHAKE_MS / 1000} seconds`;
/** Milliseconds for which a stopping input reads at most what the system has received. */
const READ_OUT_MS = 1000;
/** Milliseconds without data after which that reading ends. */
const QUIET_MS = 25;

/** Takes events by the forward protocol. Each connection is read when what came over it before is through. */
export class FluentForwardInput implements Input {
  readonly name: string;
  readonly #options: FluentForwardInputOptions;
  readonly #listener: StreamListener;
  /** Messages are read one by one, so that memory holds the events of one of them at a time, beside those in the pipeline. */
  readonly #reads = new Serial();
  readonly #streams = new Set<ValueStream>();
  /** Messages that the pipeline does not have yet, or that are to be acknowledged. */
  #underWay = 0;
  #bytes = 0;
  #records = 0;
  #rejected = 0;

  /** @throws {InputError} `port.bad-address` */
  constructor(options: FluentForwardInputOptions) {
    this.name = options.name;
    this.#options = options;
    this.#listener = new StreamListener(options);
  }

  /** Resolves when it listens, or after a notice when it cannot; then it can be started again. */
  start(sink: InputSink): Promise<void> {
    return this.#listener.start(sink, (socket) => void this.#serve(socket, sink));
  }

  /** Takes what the system has received, as most senders ask for no acknowledgement, and breaks all connections off. */
  stop(): Promise<void> {
    return this.#listener.stop(() => this.#readOut());
  }

  async #readOut(): Promise<void> {
    const late = performance.now() + READ_OUT_MS;
    for (let before = -1; this.#streams.size > 0 && (this.#bytes !== before || this.#underWay > 0);) {
      if (performance.now() > late) return this.#tellUnread();
      before = this.#bytes;
      await delay(QUIET_MS);
      // Data that arrived while this process had no turn is read between timers and this callback.
      await immediate();
    }
  }

  #tellUnread(): void {
    const text = `Input ${this.name} has cut ${this.#streams.size} connections off at its stop: what was not taken of them is lost, unless their senders ask for acknowledgements.`;
    this.#listener.tell('records.lost', text);
  }

  stats(): InputStats {
    return { bytes: this.#bytes, records: this.#records, dropped: this.#rejected, totalBytes: this.#bytes };
  }

  /** The address that it listens on; null when it does not listen. */
  address(): ListenAddress | null {
    return this.#listener.address;
  }

  async #serve(socket: Socket, sink: InputSink): Promise<void> {
    const from = plainHost(socket.remoteAddress ?? '');
    const { login, hostname } = this.#options;
    const stream = new ValueStream(this.#maxMessage);
    let handshake = login === null ? null : new Handshake(login, hostname);
    // Who does not show that it knows the key is not to keep others out.
    const timer = handshake === null ? undefined : setTimeout(() => socket.destroy(new Error(MUTE)), HANDSHAKE_MS);
    this.#streams.add(stream);
    socket.setNoDelay(true);
    try {
      if (handshake !== null) socket.write(handshake.hello);
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        for (const value of this.#valuesIn(stream, chunk)) {
          if (handshake === null) {
            await this.#take(socket, value, from, sink);
            continue;
          }
          const { answer, refusal } = handshake.answer(value);
          socket.write(answer);
          if (refusal !== '') return this.#refuse(from, refusal);
          handshake = null;
          clearTimeout(timer);
        }
        sink.idle();
      }
      if (stream.waiting > 0)
        this.#listener.tell('connection.broken', `The connection from ${from} to input ${this.name} ended amid a message.`);
    } catch (error) {
      this.#tellEnd(error, from);
    } finally {
      clearTimeout(timer);
      this.#streams.delete(stream);
      socket.destroySoon();
    }
  }

  /** @throws {MsgpackError} behind the values that can be read; also when all connections together hold too many bytes */
  *#valuesIn(stream: ValueStream, chunk: Buffer): Generator<Buffer, void, undefined> {
    this.#bytes += chunk.length;
    const values: Buffer[] = [];
    let fault: Error | null = null;
    try {
      for (const value of stream.push(chunk)) values.push(value);
      this.#checkHeld();
    } catch (error) {
      fault = error as Error;
    }
    yield* values;
    if (fault !== null) throw fault;
  }

  #checkHeld(): void {
    let held = 0;
    for (const each of this.#streams) held += each.waiting;
    if (held > this.#maxMessage * MOST_HELD) throw new MsgpackError('too many long messages come at the same time');
  }

  get #maxMessage(): number {
    return this.#options.maxMessage ?? DEFAULT_MAX_MESSAGE;
  }

  /** Resolves when the pipeline has taken the events; of a sender that asks, when all filters and outputs have them. */
  async #take(socket: Socket, bytes: Buffer, from: string, sink: InputSink): Promise<void> {
    this.#underWay++;
    try {
      await this.#takeMessage(socket, bytes, from, sink);
    } finally {
      this.#underWay--;
    }
  }

  async #takeMessage(socket: Socket, bytes: Buffer, from: string, sink: InputSink): Promise<void> {
    const taken = await this.#reads.run(async () => {
      const through: Promise<void>[] = [];
      const deliver = (batch: MessageBatch): Promise<void> => this.#deliver(batch, through, from, sink);
      const forwarded = await readForwarded(bytes, { hostname: from, maxBytes: this.#maxMessage, deliver });
      return forwarded === null ? null : { ...forwarded, through };
    });
    if (taken === null) return;
    const { chunk, rejected, reason, through } = taken;
    this.#rejected += rejected;
    if (rejected > 0) this.#listener.tell('record.rejected', `Input ${this.name} did not take ${rejected} events from ${from}: ${reason}.`);
    if (chunk === null) return;
    await Promise.all(through);
    socket.write(encodeMsgpack(new Map([['ack', chunk]])));
  }

  /** Resolves when the pipeline has taken a batch; what is added to `through` does when filters and outputs have it. */
  async #deliver(batch: MessageBatch, through: Promise<void>[], from: string, sink: InputSink): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    through.push(promise);
    this.#records += batch.length;
    await sink.deliver({ batch, firstLine: 0, source: `events from ${from}`, acknowledge: resolve });
  }

  #refuse(from: string, why: string): void {
    this.#listener.tell('connection.refused', `Input ${this.name} takes nothing from ${from}: ${why}.`);
  }

  #tellEnd(error: unknown, from: string): void {
    if (!this.#listener.isOpen) return;
    if (error instanceof MsgpackError) {
      const text = `The connection from ${from} to input ${this.name} is cut off, because what came cannot be read: ${error.message}. What came before was taken.`;
      this.#listener.tell('stream.framing', text);
    } else {
      this.#listener.tell('connection.broken', `The connection from ${from} to input ${this.name} broke (${errorText(error)}).`, 'info');
    }
  }
}
