import { read } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { decompressed } from './decompress.ts';
import { utf16Chunks, withLineFeeds } from './mixed-text.ts';
import { noTextProblem } from './notices.ts';
import { isTooShort, probe, PROBE_BYTES, type LineEnd } from './probe.ts';

/** Bytes of a source, piece by piece. A chunk is only valid until the next one is asked for. */
export type Chunks = AsyncGenerator<Buffer, void, undefined>;

const READ_BYTES = 1 << 20;
/** The beginning comes in less, as someone may wait to see it. */
const FIRST_BYTES = 512 << 10;

/** A file from a position, its beginning by default, to its end. While one chunk is worked on, the next is read. */
export const fileChunks = (handle: FileHandle, from = 0): Chunks =>
  readAhead(async (buffer, position) => (await handle.read(buffer, 0, buffer.length, from + position)).bytesRead);

/** A file or device that is open under a number, from where it stands to its end. */
export const fdChunks = (fd: number): Chunks =>
  readAhead(
    (buffer) =>
      new Promise((resolve, reject) => {
        read(fd, buffer, 0, buffer.length, null, (error, bytesRead) => (error === null ? resolve(bytesRead) : reject(error)));
      }),
  );

/** @param readAt reads at a position; the number of bytes, 0 at the end */
async function* readAhead(readAt: (buffer: Buffer, position: number) => Promise<number>): Chunks {
  const buffers = [Buffer.allocUnsafeSlow(READ_BYTES), Buffer.allocUnsafeSlow(READ_BYTES)] as const;
  let position = 0;
  let current: 0 | 1 = 0;
  let reading = readAt(buffers[current].subarray(0, FIRST_BYTES), position);
  for (;;) {
    const bytesRead = await reading;
    if (bytesRead === 0) return;
    position += bytesRead;
    const chunk = buffers[current].subarray(0, bytesRead);
    current = current === 0 ? 1 : 0;
    reading = readAt(buffers[current], position);
    // It is awaited in its turn.
    reading.catch(() => undefined);
    try {
      yield chunk;
    } finally {
      // When the consumer leaves here, the handle must not be closed under the read.
      await reading.catch(() => undefined);
    }
  }
}

/** A pipe or another stream, as its data comes. */
export async function* streamChunks(stream: Readable): Chunks {
  for await (const chunk of stream as AsyncIterable<Buffer | string>) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

/**
 * The text in a source as UTF-8 without byte order mark: unpacks what is compressed, converts UTF-16, and makes line feeds of other bytes that end lines. Throws an InputError (`file.binary`,
 * `file.archive`) for what is no text, unless bytes are taken as they are; `name` names the source in messages.
 */
export async function* textChunks(source: Chunks, name: string, { binary = false } = {}): Chunks {
  const head = await takeHead(source);
  const found = probe(head);
  const whole = prepend(head, source);
  if (found.kind === 'binary' || found.kind === 'archive') {
    if (binary) return yield* whole;
    // A generator that was never started has no end to run: close its source.
    await source.return();
    throw noTextProblem(name, found);
  }
  if (found.kind === 'compressed') return yield* textChunks(decompressed(whole, found.format), name, { binary });
  const text = skip(whole, found.bom);
  if (found.encoding !== 'utf-8') yield* utf16Chunks(text, found.encoding);
  else yield* found.lineEnd === undefined || binary ? text : lineFeedChunks(text, found.lineEnd);
}

async function* lineFeedChunks(source: Chunks, lineEnd: LineEnd): Chunks {
  for await (const chunk of source) yield withLineFeeds(chunk, lineEnd);
}

/** The bytes of a source as they are, but for compressed ones, which are unpacked. @throws {InputError} `file.archive` */
export async function* unpackedChunks(source: Chunks, name: string): Chunks {
  const head = await takeHead(source);
  const found = probe(head);
  if (found.kind === 'archive') {
    await source.return();
    throw noTextProblem(name, found);
  }
  const whole = prepend(head, source);
  yield* found.kind === 'compressed' ? decompressed(whole, found.format) : whole;
}

/** The first chunk, or more when that is too short to detect an encoding. */
async function takeHead(source: Chunks): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (isTooShort(head) && !head.includes(10)) {
    const { value, done } = await source.next();
    if (done === true) break;
    head = head.length === 0 && value.length >= PROBE_BYTES ? value : Buffer.concat([head, value]);
  }
  return head;
}

async function* prepend(head: Buffer, rest: Chunks): Chunks {
  try {
    if (head.length > 0) yield head;
    yield* rest;
  } finally {
    await rest.return();
  }
}

async function* skip(source: Chunks, bytes: number): Chunks {
  let left = bytes;
  for await (const chunk of source) {
    const dropped = Math.min(left, chunk.length);
    left -= dropped;
    if (dropped < chunk.length) yield chunk.subarray(dropped);
  }
}

/** Copies chunks, so that they stay valid. */
export async function* copies(source: Chunks): Chunks {
  for await (const chunk of source) yield Buffer.from(chunk);
}
