import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { MessageBatch } from '../message/batch/batch.ts';
import { EncodedReader } from '../message/protobuf/encoded-reader.ts';
import { frame, FrameSplitter, type FrameRecord } from '../message/protobuf/framing.ts';

/**
 * Batches as they travel: the bytes `SLB`, a version, and framed messages in protobuf, compressed by zstd. Headers of the NATS message name the edge, count its
 * batches, and say how many bytes wait there behind the batch.
 */

export const EDGE_HEADER = 'Sluicebox-Edge';
export const SEQUENCE_HEADER = 'Sluicebox-Sequence';
export const WAITING_HEADER = 'Sluicebox-Waiting';

const MAGIC = Buffer.from('SLB');
const VERSION = 1;
const HEAD_BYTES = MAGIC.length + 1;
/** Largest message, and bytes of all messages of a batch, unpacked. */
const MAX_MESSAGE_BYTES = 64 << 20;
/** Bytes that are unpacked in one turn of a thread. */
const CHUNK_BYTES = 256 << 10;

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
  const framed = messages.map((message) => frame(message, null, { maxMessageSize: MAX_MESSAGE_BYTES }));
  return Buffer.concat([MAGIC, Buffer.from([VERSION]), await compress(Buffer.concat(framed))]);
}

/** @throws {BatchError} for bytes that are no batch, or one of a newer version */
export async function decodeBatch(bytes: Uint8Array): Promise<MessageBatch> {
  const reader = new EncodedReader();
  let within: Uint8Array | null = null;
  await eachFrame(bytes, ({ bytes: framed, start, end }) => {
    if (within === null) reader.begin(framed, start);
    within ??= framed;
    if (framed !== within) throw damaged();
    reader.add(start, end);
  });
  return reader.build();
}

/** The messages of a batch, encoded. @throws {BatchError} for bytes that are no batch, or one of a newer version */
export async function messagesOfBatch(bytes: Uint8Array): Promise<Uint8Array[]> {
  const messages: Uint8Array[] = [];
  await eachFrame(bytes, ({ message }) => messages.push(message));
  return messages;
}

async function eachFrame(bytes: Uint8Array, take: (record: FrameRecord) => void): Promise<void> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!body.subarray(0, MAGIC.length).equals(MAGIC) || body.length < HEAD_BYTES) throw new BatchError('it is not a batch of messages');
  const version = body[MAGIC.length] as number;
  if (version > VERSION) throw new BatchError(`its format is of version ${version}, and this program knows ${VERSION}`, { isNewer: true });
  try {
    takeFramed(await decompress(body.subarray(HEAD_BYTES), { maxOutputLength: MAX_MESSAGE_BYTES, chunkSize: CHUNK_BYTES }), take);
  } catch (error) {
    if (error instanceof BatchError) throw error;
    throw damaged(error);
  }
}

function takeFramed(framed: Buffer, take: (record: FrameRecord) => void): void {
  const refuse = (): never => {
    throw damaged();
  };
  const splitter = new FrameSplitter({ maxMessageSize: MAX_MESSAGE_BYTES, onProblem: refuse, onSkip: refuse });
  for (const record of [...splitter.push(framed), ...splitter.end()]) take(record);
}

const damaged = (cause?: unknown): BatchError => new BatchError('it is damaged', { cause });
