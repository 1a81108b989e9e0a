import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { errorCode } from '../../base/errors.ts';
import { decompressed } from '../decompress.ts';
import { TooLargeError } from '../packed/errors.ts';
import { errorText } from '../notices.ts';

/** A request that is not taken, with the status of its answer. */
export class RefusedRequestError extends Error {
  override readonly name = 'RefusedRequestError';
  readonly status: number;

  constructor(status: number, text: string, options?: ErrorOptions) {
    super(text, options);
    this.status = status;
  }
}

/** Milliseconds for which a body that is taken as a whole may stand still. */
export const IDLE_MS = 20_000;

/**
 * The body of a request as it comes. What is still to come stays to be read when it is left.
 * @param idleMs milliseconds without a byte after which it ends; Infinity: it may take any time
 * @throws {RefusedRequestError} with status 408 when nothing came for so long
 */
export async function* received(request: Readable, idleMs: number): AsyncGenerator<Buffer, void, undefined> {
  const chunks = (request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let isStill = false;
  try {
    for (;;) {
      isStill = true;
      const next = await inTime(chunks.next(), idleMs);
      isStill = false;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // One that stands still would wait for its next bytes first.
    const left = chunks.return?.();
    if (!isStill) await left;
  }
}

async function inTime<T>(next: Promise<T>, idleMs: number): Promise<T> {
  if (idleMs === Infinity) return next;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const still = (): void =>
    reject(new RefusedRequestError(408, `The body stood still for ${idleMs / 1000} seconds, and nothing of it was taken.`));
  const timer = setTimeout(still, idleMs);
  next.then(resolve, reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads the body of a request. What is still to come of a refused one is not read.
 * @throws {RefusedRequestError} with status 413 as soon as it is longer than `most` bytes
 */
export async function readBody(request: IncomingMessage, most: number, onBytes: (count: number) => void): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of received(request, IDLE_MS)) {
    onBytes(chunk.length);
    size += chunk.length;
    if (size > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Bytes that are unpacked in one turn of a thread. */
const CHUNK_BYTES = 256 << 10;

/**
 * Unpacks a body.
 * @param encoding the header Content-Encoding
 * @throws {RefusedRequestError} with status 413 when it is longer than `most` bytes, 400 when it is damaged, 415 for an encoding other than gzip
 */
export async function unpacked(body: Buffer, encoding: string, most: number): Promise<Buffer> {
  if (!isPacked(encoding)) return body;
  const { gunzip } = await import('node:zlib');
  try {
    return await promisify(gunzip)(body, { maxOutputLength: most, chunkSize: CHUNK_BYTES });
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(most, error);
    throw notGzip(error);
  }
}

/**
 * Unpacks a body as it comes.
 * @param encoding the header Content-Encoding
 * @throws {RefusedRequestError} with status 400 when it is damaged, 415 for an encoding other than gzip
 */
export async function* unpackedBody(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer, void, undefined> {
  if (!isPacked(encoding)) {
    yield* chunks;
    return;
  }
  try {
    yield* decompressed(chunks, 'gzip');
  } catch (error) {
    if (error instanceof TooLargeError)
      throw new RefusedRequestError(413, `The body is a bomb: unpacked, it is ${error.message}.`, { cause: error });
    throw errorCode(error).startsWith('Z_') ? notGzip(error) : error;
  }
}

/** @throws {RefusedRequestError} for an encoding that is not known */
function isPacked(encoding: string): boolean {
  if (encoding === '' || encoding === 'identity') return false;
  if (encoding === 'gzip') return true;
  throw new RefusedRequestError(415, `Bodies in ${encoding} are not taken, but gzip and plain ones are.`);
}

const notGzip = (cause: unknown): RefusedRequestError =>
  new RefusedRequestError(400, `The body is not gzip: ${errorText(cause)}.`, { cause });

/** The refusal of a body that is longer than `most` bytes. */
export const tooLarge = (most: number, cause?: unknown): RefusedRequestError =>
  new RefusedRequestError(413, `The body is longer than ${most} bytes, and nothing of it was taken. Send smaller ones.`, { cause });
