import type { Readable } from 'node:stream';
import { IDLE_MS, received, RefusedRequestError, tooLarge } from './request-body.ts';
import type { PackedBody } from './otlp-receiver.ts';

/** The form of unary calls of gRPC over HTTP/2. */

/** Bytes in front of a message: whether it is compressed, and its length. */
const HEAD_BYTES = 5;

/** Status codes of gRPC, by the statuses of HTTP for the same. */
const CODES: Readonly<Record<number, number>> = { 400: 3, 401: 16, 403: 7, 404: 12, 408: 4, 413: 8, 415: 12 };
const UNAVAILABLE = 14;

/** The code of an answer that refuses a call. Senders repeat calls that are answered with UNAVAILABLE or DEADLINE_EXCEEDED (408). */
export const codeOf = (status: number): number => CODES[status] ?? UNAVAILABLE;

/** A text as a header may have it: percent-encoded, but for printable ASCII. */
export const statusText = (text: string): string => text.toWellFormed().replace(/[^\x20-\x24\x26-\x7e]/gu, encodeURIComponent);

/** A message as it is sent. */
export function framed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/**
 * Reads the only message of a call.
 * @param encoding the header grpc-encoding
 * @throws {RefusedRequestError} with status 413 as soon as it is longer than `most` bytes, 400 for bytes that are no message
 */
export async function readMessage(stream: Readable, encoding: string, most: number, onBytes: (count: number) => void): Promise<PackedBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  let end = Infinity;
  for await (const chunk of received(stream, IDLE_MS)) {
    onBytes(chunk.length);
    size += chunk.length;
    chunks.push(chunk);
    if (end === Infinity && size >= HEAD_BYTES) end = HEAD_BYTES + Buffer.concat(chunks).readUInt32BE(1);
    if (end !== Infinity && end - HEAD_BYTES > most) throw tooLarge(most);
    if (size > end) throw new RefusedRequestError(400, 'The call has more than one message.');
  }
  if (size !== end) throw new RefusedRequestError(400, `The call ended within its message, after ${size} bytes.`);
  const whole = Buffer.concat(chunks);
  const bytes = whole.subarray(HEAD_BYTES);
  if (whole[0] === 0) return { bytes, packing: '' };
  if (whole[0] !== 1 || encoding === '' || encoding === 'identity')
    throw new RefusedRequestError(400, 'The message is said to be compressed, and not how.');
  return { bytes, packing: encoding };
}

const UNITS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };
const MOST_MS = 2 ** 31 - 1;

/** Milliseconds that a call may take, by the header grpc-timeout; null: any time. */
export function timeoutOf(header: string | undefined): number | null {
  const [, amount = '', unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(header ?? '') ?? [];
  return amount === '' ? null : Math.min(MOST_MS, Number(amount) * (UNITS[unit] as number));
}

/** @throws {RefusedRequestError} with status 408 when work takes longer; it goes on then */
export async function withinTime<T>(work: Promise<T>, ms: number | null): Promise<T> {
  if (ms === null) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new RefusedRequestError(408, `The call was not done within the ${ms} ms of its deadline.`)), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
