import { promisify } from 'node:util';
import { errorCode } from '../../errors.ts';
import type { MessageBatch } from '../../message/batch.ts';
import { BatchBuilder } from '../../message/builder.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_RECORDS } from '../splitter.ts';
import { messageOfEvent, type FluentEvent } from './event-message.ts';
import { MsgpackError, MsgpackReader, type MsgpackValue } from './msgpack.ts';

/**
 * The forward protocol of Fluentd (https://github.com/fluent/fluentd/wiki/Forward-Protocol-Specification-v1): a message has a tag, and one event, a list
 * of events, or events one behind the other, plain or compressed by gzip
 * or zstd.
 */

/** The content of one message of the protocol. */
export interface Forwarded {
  readonly batches: readonly MessageBatch[];
  /** Identifier to send back when the events are accepted; null: the sender wants no acknowledgement. */
  readonly chunk: MsgpackValue;
  /** Events that were not taken, and why not; empty: none. */
  readonly rejected: number;
  readonly reason: string;
}

/** Bytes that are unpacked in one turn of a thread. */
const CHUNK_BYTES = 256 << 10;

/**
 * Reads a message. An event that is none is left out, and told.
 * @param bytes one value
 * @param hostname of its messages
 * @param maxBytes of its events, unpacked
 * @returns null: it is a sign of life
 * @throws {MsgpackError} for what is no message of the protocol
 */
export async function readForwarded(bytes: Buffer, hostname: string, maxBytes: number): Promise<Forwarded | null> {
  if (bytes[0] === 0xc0) return null;
  const reader = new MsgpackReader(bytes);
  const length = reader.array();
  const tag = length < 2 || length > 4 ? null : reader.value();
  if (typeof tag !== 'string' && !Buffer.isBuffer(tag)) throw new MsgpackError('it has no tag');
  const events = new Events(String(tag), hostname);
  if (reader.isArray) return readForward(reader, length, events);
  const second = reader.value();
  if (!Buffer.isBuffer(second)) return readMessage(reader, length, second, events);
  const options = optionsIn(reader, length > 2);
  addPacked(events, await unpacked(second, options.get('compressed') ?? 'text', maxBytes));
  return events.end(options);
}

/** [tag, time, record, options]. */
function readMessage(reader: MsgpackReader, length: number, time: MsgpackValue, events: Events): Forwarded {
  if (length < 3) throw new MsgpackError('it has no record');
  events.add({ time, record: reader.value() });
  return events.end(optionsIn(reader, length > 3));
}

/** [tag, [[time, record], …], options]. */
function readForward(reader: MsgpackReader, length: number, events: Events): Forwarded {
  const count = reader.array();
  for (let i = 0; i < count; i++) events.read(reader);
  return events.end(optionsIn(reader, length > 2));
}

function addPacked(events: Events, bytes: Buffer): void {
  const reader = new MsgpackReader(bytes);
  while (!reader.isAtEnd) events.read(reader);
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

/** Gathers the events of one message in batches. */
class Events {
  readonly #tag: string;
  readonly #hostname: string;
  readonly #batches: MessageBatch[] = [];
  readonly #builder = new BatchBuilder();
  #rejected = 0;
  #reason = '';

  constructor(tag: string, hostname: string) {
    this.#tag = tag;
    this.#hostname = hostname;
  }

  /** Reads [time, record]. */
  read(reader: MsgpackReader): void {
    if (reader.array() !== 2) throw new MsgpackError('it has an event that is not a pair of a time and a record');
    this.add({ time: reader.value(), record: reader.value() });
  }

  add(event: FluentEvent): void {
    try {
      this.#builder.append(messageOfEvent(event, this.#tag, this.#hostname));
    } catch (error) {
      if (!(error instanceof MsgpackError)) throw error;
      this.#rejected++;
      this.#reason ||= error.message;
      return;
    }
    if (this.#builder.length >= MAX_BATCH_RECORDS || this.#builder.weight >= MAX_BATCH_BYTES) this.#batches.push(this.#builder.build());
  }

  end(options: ReadonlyMap<string, MsgpackValue>): Forwarded {
    if (this.#builder.length > 0) this.#batches.push(this.#builder.build());
    return { batches: this.#batches, chunk: options.get('chunk') ?? null, rejected: this.#rejected, reason: this.#reason };
  }
}
