import { promisify } from 'node:util';
import { errorCode } from '../../base/errors.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { BatchBuilder } from '../../message/batch/builder.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_RECORDS } from '../splitter.ts';
import { messageOfEvent, type FluentEvent } from './event-message.ts';
import { MAX_PARTS, MsgpackError, MsgpackReader, type MsgpackValue } from './msgpack.ts';

/**
 * The forward protocol of Fluentd (https://github.com/fluent/fluentd/wiki/Forward-Protocol-Specification-v1): a message has a tag, and one event, a list
 * of events, or events one behind the other, plain or compressed by gzip
 * or zstd.
 */

/** Options of the reading of a message. */
interface Reading {
  /** Of its messages. */
  readonly hostname: string;
  /** Of its events, unpacked. */
  readonly maxBytes: number;
  /** Takes the batches one by one, so that memory holds one of them at a time. */
  readonly deliver: (batch: MessageBatch) => Promise<void>;
}

/** End of one message of the protocol. */
interface Forwarded {
  /** Identifier to send back when the events are accepted; null: the sender wants no acknowledgement. */
  readonly chunk: MsgpackValue;
  /** Events that were not taken, and why not; empty: none. */
  readonly rejected: number;
  readonly reason: string;
}

/** The option by which Fluent Bit says what it sends; its metrics and traces are no events. */
const LOGS = 0;
/** Bytes that are unpacked in one turn of a thread. */
const CHUNK_BYTES = 256 << 10;
/** Each message of a batch has the tag. */
const MAX_TAG = 4096;
/** Fields of a batch, each of which may have a name, and so a column, of its own. */
const MAX_BATCH_FIELDS = 1 << 17;

/**
 * Reads a message. An event that is none is left out, and told.
 * @param bytes one value
 * @returns null: it is a sign of life
 * @throws {MsgpackError} for what is no message of the protocol
 */
export async function readForwarded(bytes: Buffer, { hostname, maxBytes, deliver }: Reading): Promise<Forwarded | null> {
  if (bytes[0] === 0xc0) return null;
  const reader = new MsgpackReader(bytes);
  const length = reader.array();
  const tag = length < 2 || length > 4 ? null : reader.value();
  if (typeof tag !== 'string' && !Buffer.isBuffer(tag)) throw new MsgpackError('it has no tag');
  if (tag.length > MAX_TAG) throw new MsgpackError(`it has a tag of more than ${MAX_TAG} bytes`);
  const events = new Events({ tag: String(tag), hostname, deliver });
  if (reader.isArray) return readForward(reader, length, events);
  // Older senders have no type for bytes, and send them as a text.
  const packed = reader.bytes();
  if (packed === null) return readMessage(reader, length, reader.value(), events);
  const options = optionsIn(reader, length > 2);
  if ((options.get('fluent_signal') ?? LOGS) !== LOGS) events.reject('metrics and traces are not taken');
  else await addPacked(events, await unpacked(packed, options.get('compressed') ?? 'text', maxBytes));
  return events.end(options);
}

/** [tag, time, record, options]. */
function readMessage(reader: MsgpackReader, length: number, time: MsgpackValue, events: Events): Promise<Forwarded> {
  if (length < 3) throw new MsgpackError('it has no record');
  events.readRecord(reader, time);
  return events.end(optionsIn(reader, length > 3));
}

/** [tag, [[time, record], …], options]. */
async function readForward(reader: MsgpackReader, length: number, events: Events): Promise<Forwarded> {
  const count = reader.array();
  for (let i = 0; i < count; i++) {
    events.read(reader);
    if (events.isFull) await events.flush();
  }
  return events.end(optionsIn(reader, length > 2));
}

async function addPacked(events: Events, bytes: Buffer): Promise<void> {
  // Of events that are cut off, none is taken: they are sent again.
  for (const whole = new MsgpackReader(bytes); !whole.isAtEnd;) whole.skip();
  const reader = new MsgpackReader(bytes);
  while (!reader.isAtEnd) {
    events.read(reader);
    if (events.isFull) await events.flush();
  }
}

function optionsIn(reader: MsgpackReader, hasOptions: boolean): ReadonlyMap<string, MsgpackValue> {
  const options = hasOptions ? reader.value() : null;
  return options instanceof Map ? options : new Map();
}

async function unpacked(bytes: Buffer, compression: MsgpackValue, maxBytes: number): Promise<Buffer> {
  if (compression === 'text') return bytes;
  if (compression !== 'gzip' && compression !== 'zstd')
    throw new MsgpackError(
      `its events are compressed by ${typeof compression === 'string' ? compression : 'something'}, and only gzip and zstd are known`,
    );
  const { gunzip, zstdDecompress } = await import('node:zlib');
  const options = { maxOutputLength: maxBytes, chunkSize: CHUNK_BYTES };
  try {
    return await (compression === 'gzip' ? promisify(gunzip)(bytes, options) : promisify(zstdDecompress)(bytes, options));
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE')
      throw new MsgpackError(`its events take more than ${maxBytes} bytes`, { cause: error });
    throw new MsgpackError(`its ${compression} is damaged`, { cause: error });
  }
}

interface EventsOptions extends Pick<Reading, 'hostname' | 'deliver'> {
  readonly tag: string;
}

/** Gathers the events of one message in batches. */
class Events {
  readonly #options: EventsOptions;
  readonly #builder = new BatchBuilder();
  #rejected = 0;
  #reason = '';
  #fields = 0;

  constructor(options: EventsOptions) {
    this.#options = options;
  }

  /** Whether what was gathered should be delivered. */
  get isFull(): boolean {
    const { length, weight } = this.#builder;
    return length >= MAX_BATCH_RECORDS || weight >= MAX_BATCH_BYTES || this.#fields >= MAX_BATCH_FIELDS;
  }

  async flush(): Promise<void> {
    this.#fields = 0;
    if (this.#builder.length > 0) await this.#options.deliver(this.#builder.build());
  }

  /** Reads [time, record]. */
  read(reader: MsgpackReader): void {
    if (reader.array() !== 2) throw new MsgpackError('it has an event that is not a pair of a time and a record');
    this.readRecord(reader, reader.value());
  }

  /** Reads the record of an event. One of too many parts is passed over. */
  readRecord(reader: MsgpackReader, time: MsgpackValue): void {
    if (!reader.isTooLarge) return this.#add({ time, record: reader.value() });
    reader.skip();
    this.reject(`an event has more than ${MAX_PARTS} values`);
  }

  async end(options: ReadonlyMap<string, MsgpackValue>): Promise<Forwarded> {
    const chunk = options.get('chunk') ?? null;
    if (chunk !== null && typeof chunk !== 'string' && !Buffer.isBuffer(chunk))
      throw new MsgpackError('it asks for the acknowledgement of a chunk that is no text');
    await this.flush();
    return { chunk, rejected: this.#rejected, reason: this.#reason };
  }

  /** Counts an event, or what comes in place of events, that is not taken. */
  reject(reason: string): void {
    this.#rejected++;
    this.#reason ||= reason;
  }

  #add(event: FluentEvent): void {
    const { tag, hostname } = this.#options;
    try {
      const message = messageOfEvent(event, tag, hostname);
      this.#fields += message.fields.length;
      this.#builder.append(message);
    } catch (error) {
      if (!(error instanceof MsgpackError)) throw error;
      this.reject(error.message);
    }
  }
}
