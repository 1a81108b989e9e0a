import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress, zstdDecompressSync } from 'node:zlib';
import type { MessageBatch } from '../message/batch/batch.ts';
import { EncodedReader } from '../message/protobuf/encoded-reader.ts';
import { FrameSplitter } from '../message/protobuf/framing.ts';
import { MessageKey } from '../message/protobuf/message-writer.ts';
import { JoinedMessages } from './joined-messages.ts';

/**
 * Batches as they travel: the bytes `SLB`, the version 2, and four numbers of 32 bits, the lowest byte first: messages, those with a Uuid apart, bytes of all
 * their times, and bytes of times and rest. The Uuids follow, and then, compressed by zstd, the times and the rest of the messages in protobuf. Before each
 * of these is a varint with twice its length, and 1 more when its Uuid and its time are apart; a time is a varint, too. Compression does nothing for random
 * numbers, and less for what is mixed with them. Version 1 has framed messages, compressed. Headers of the NATS message name the edge, count its batches,
 * and say how many bytes wait there behind the batch.
 */

export const EDGE_HEADER = 'Sluicebox-Edge';
export const SEQUENCE_HEADER = 'Sluicebox-Sequence';
export const WAITING_HEADER = 'Sluicebox-Waiting';

const MAGIC = Buffer.from('SLB');
const VERSION = 2;
const HEAD_BYTES = MAGIC.length + 1;
const NUMBERS_BYTES = 16;
const UUID_BYTES = 16;
/** Bytes of a Uuid with its key and length, with which a message begins, and of the key of its time behind it. */
const [UUID_FIELD_BYTES, TIME_KEY_BYTES] = [UUID_BYTES + 2, 1];
/** Bytes of a varint at most. */
const MAX_VARINT = 10;
/** Bytes of all messages of a batch, unpacked. */
const MAX_BYTES = 64 << 20;
/** Larger batches are unpacked beside the thread, in turns of so many bytes. */
const CHUNK_BYTES = 256 << 10;
/** Levels of compression. Small batches are those of edges that have time, and gain more. */
const LEVEL = { small: 9, large: 6 };
/** Messages of a batch that is large. */
const LARGE = 2_000;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Bytes that are no batch. */
export class BatchError extends Error {
  override readonly name = 'BatchError';
  /** The batch is whole, but of a version that is not known here. */
  readonly isNewer: boolean;

  constructor(text: string, { isNewer = false, ...options }: ErrorOptions & { readonly isNewer?: boolean } = {}) {
    super(text, options);
    this.isNewer = isNewer;
  }
}

/** @param messages encoded ones */
export async function encodeBatch(messages: readonly Uint8Array[]): Promise<Buffer> {
  const uuids: Uint8Array[] = [];
  const times = new JoinedMessages();
  const rest = new JoinedMessages();
  for (const message of messages) {
    const from = endOfTime(message);
    const isApart = from > 0;
    if (isApart) uuids.push(message.subarray(2, UUID_FIELD_BYTES));
    if (isApart) times.add(message, UUID_FIELD_BYTES + TIME_KEY_BYTES, from);
    rest.addVarint((message.length - from) * 2 + (isApart ? 1 : 0));
    rest.add(message, from, message.length);
  }
  const head = Buffer.alloc(HEAD_BYTES + NUMBERS_BYTES);
  MAGIC.copy(head);
  head[MAGIC.length] = VERSION;
  const numbers = [messages.length, uuids.length, times.length, times.length + rest.length];
  for (const [i, number] of numbers.entries()) head.writeUInt32LE(number, HEAD_BYTES + 4 * i);
  const params = { [constants.ZSTD_c_compressionLevel]: messages.length < LARGE ? LEVEL.small : LEVEL.large };
  return Buffer.concat([head, ...uuids, await compress(Buffer.concat([times.bytes, rest.bytes]), { params })]);
}

/** The place behind the Uuid and the time with which a message begins; 0: it begins otherwise. */
function endOfTime(message: Uint8Array): number {
  const isUsual = message[0] === MessageKey.uuid && message[1] === UUID_BYTES && message[UUID_FIELD_BYTES] === MessageKey.timestamp;
  if (!isUsual) return 0;
  const from = UUID_FIELD_BYTES + TIME_KEY_BYTES;
  for (let at = from; at < Math.min(message.length, from + MAX_VARINT); at++) if ((message[at] as number) < 128) return at + 1;
  return 0;
}

/** The messages of some batches. */
export interface ReadBatches {
  readonly batch: MessageBatch;
  /** The reason for which a batch was not read, for each that was looked at, from the first one on; null: it was. */
  readonly refused: readonly (BatchError | null)[];
}

/** Reads batches, several together: each by itself costs as much as some hundred messages. One call at a time. */
export class BatchReader {
  readonly #reader = new EncodedReader();
  readonly #joined = new JoinedMessages();

  /** Reads batches from the first one on, until there are so many messages. */
  async read(bodies: readonly Uint8Array[], mostMessages: number): Promise<ReadBatches> {
    const joined = this.#joined;
    const refused: (BatchError | null)[] = [];
    /** Number of the messages up to the end of each batch. */
    const through: number[] = [];
    joined.clear();
    for (const body of bodies) {
      if (joined.count > 0 && (joined.count >= mostMessages || joined.length >= MAX_BYTES)) break;
      const { count } = joined;
      const error = await unpackInto(joined, body).then(() => null, batchError);
      if (error !== null) joined.cut(count);
      refused.push(error);
      through.push(joined.count);
    }
    return this.#build(refused, through);
  }

  /** Leaves out batches with what is no message. */
  #build(refused: (BatchError | null)[], through: readonly number[]): ReadBatches {
    for (;;) {
      const at = this.#addAll(refused, through);
      const batch = this.#reader.build();
      if (at === null) return { batch, refused };
      refused[at] = damaged();
    }
  }

  /** Adds the messages of the batches that are not refused. Returns the number of one that has others; null: none has. */
  #addAll(refused: readonly (BatchError | null)[], through: readonly number[]): number | null {
    const joined = this.#joined;
    this.#reader.begin(joined.bytes, 0);
    let i = 0;
    for (const [at, end] of through.entries()) {
      try {
        for (; i < end; i++) if (refused[at] === null) this.#reader.add(joined.startOf(i), joined.endOf(i));
      } catch {
        return at;
      }
    }
    return null;
  }
}

/** The messages of a batch, encoded. @throws {BatchError} for bytes that are no batch, or one of a newer version */
export async function messagesOfBatch(body: Uint8Array): Promise<Uint8Array[]> {
  const joined = new JoinedMessages();
  await unpackInto(joined, body).catch((error: unknown) => {
    throw batchError(error);
  });
  return Array.from({ length: joined.count }, (_, i) => joined.bytes.subarray(joined.startOf(i), joined.endOf(i)));
}

async function unpackInto(joined: JoinedMessages, bytes: Uint8Array): Promise<void> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!body.subarray(0, MAGIC.length).equals(MAGIC) || body.length < HEAD_BYTES) throw new BatchError('it is not a batch of messages');
  const version = body[MAGIC.length] as number;
  if (version > VERSION) throw new BatchError(`its format is of version ${version}, and this program knows ${VERSION}`, { isNewer: true });
  const rest = body.subarray(HEAD_BYTES);
  if (version === VERSION) await takeApart(joined, rest);
  else takeFramed(joined, await decompress(rest, { maxOutputLength: MAX_BYTES, chunkSize: CHUNK_BYTES }));
}

async function takeApart(joined: JoinedMessages, body: Buffer): Promise<void> {
  if (body.length < NUMBERS_BYTES) throw damaged();
  const [messages, uuids, times, size] = [0, 4, 8, 12].map((at) => body.readUInt32LE(at)) as [number, number, number, number];
  const from = NUMBERS_BYTES + uuids * UUID_BYTES;
  if (size > MAX_BYTES || times > size || from > body.length) throw damaged();
  const rest = await unpacked(body.subarray(from), size);
  let [uuid, time, at] = [NUMBERS_BYTES, 0, times];
  for (let i = 0; i < messages; i++) {
    const { value, end } = varintAt(rest, at);
    at = end + Math.floor(value / 2);
    if (at > rest.length) throw damaged();
    if (value % 2 === 1) {
      const timeEnd = endOfVarint(rest, time, times);
      if (uuid >= from) throw damaged();
      joined.addHead(body, uuid, rest, time, timeEnd);
      [uuid, time] = [uuid + UUID_BYTES, timeEnd];
    }
    joined.add(rest, end, at);
    joined.end();
  }
  if (at !== rest.length || uuid !== from || time !== times) throw damaged();
}

function endOfVarint(bytes: Buffer, from: number, to: number): number {
  for (let at = from; at < Math.min(to, from + MAX_VARINT); at++) if ((bytes[at] as number) < 128) return at + 1;
  throw damaged();
}

/** Small ones at once: handing them to another thread takes longer. */
async function unpacked(packed: Buffer, size: number): Promise<Buffer> {
  const limits = { maxOutputLength: size + 1, chunkSize: Math.min(CHUNK_BYTES, size + 64) };
  const bytes = size < CHUNK_BYTES ? zstdDecompressSync(packed, limits) : await decompress(packed, limits);
  if (bytes.length !== size) throw damaged();
  return bytes;
}

/** Reads a varint below 2^35. */
function varintAt(bytes: Buffer, from: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let at = from;
  for (let scale = 1; at < bytes.length && scale < 2 ** 35; scale *= 128) {
    const byte = bytes[at++] as number;
    value += (byte & 127) * scale;
    if (byte < 128) return { value, end: at };
  }
  throw damaged();
}

function takeFramed(joined: JoinedMessages, framed: Buffer): void {
  const refuse = (): never => {
    throw damaged();
  };
  const splitter = new FrameSplitter({ maxMessageSize: MAX_BYTES, onProblem: refuse, onSkip: refuse });
  for (const { bytes, start, end } of [...splitter.push(framed), ...splitter.end()]) {
    joined.add(bytes, start, end);
    joined.end();
  }
}

const batchError = (error: unknown): BatchError => (error instanceof BatchError ? error : damaged(error));

const damaged = (cause?: unknown): BatchError => new BatchError('it is damaged', { cause });
