import { constants } from 'node:fs';
import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../base/errors.ts';
import { readText } from '../base/files/regular-file.ts';
import { replaceFile } from '../base/files/replace-file.ts';
import { writeAllPieces } from '../base/files/write-all.ts';
import { DiskQueue, markOf, type QueueChunk } from '../queue/disk-queue.ts';
import { UsageError } from './command.ts';

/** Takes what was made of some messages, and resolves when they need not be kept any more. */
export interface DrainTarget {
  /** Mark up to which it has all messages, from a drain that was interrupted. */
  readonly mark: string | null;
  write(pieces: readonly Uint8Array[], mark: string): Promise<void>;
  /** All messages are written. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

interface DrainOptions {
  readonly target: DrainTarget;
  /** Makes the bytes of some messages. */
  readonly encode: (messages: readonly Uint8Array[]) => readonly Uint8Array[];
  readonly signal: AbortSignal;
  readonly onProblem: (text: string) => void;
}

/**
 * Empties a queue, which no service may have open. What was written is noted in its checkpoint, so that it can go on after an interruption.
 * @returns the number of messages
 */
export async function drainQueue(path: string, { target, encode, signal, onProblem }: DrainOptions): Promise<number> {
  const queue = await DiskQueue.open({
    path,
    maxFileSize: 0,
    maxBufferSize: 0,
    cursorUpdateCount: 0,
    delivered: target.mark,
    onProblem,
  });
  let count = 0;
  try {
    for (let chunk = await nextOf(queue); chunk !== null && !signal.aborted; chunk = await nextOf(queue)) {
      await target.write(encode(chunk.records.map(({ message }) => message)), markOf(chunk, chunk.records.length));
      await queue.acknowledge(chunk);
      count += chunk.records.length;
    }
  } finally {
    await queue.close();
  }
  if (!signal.aborted) await target.finish();
  return count;
}

const END_POLL_MS = 20;

/** The next messages; null at the end, where a queue waits for more. */
async function nextOf(queue: DiskQueue): Promise<QueueChunk | null> {
  if (!queue.hasUnread) return null;
  const poll = setInterval(() => (queue.isEmpty ? queue.endReading() : undefined), END_POLL_MS);
  try {
    return await queue.read();
  } finally {
    clearInterval(poll);
  }
}

const NOTE = 'drain.json';
const noteSchema = z.object({
  path: z.string(),
  device: z.string(),
  inode: z.string(),
  size: z.number().int().nonnegative(),
  mark: z.string().nullable(),
});
const MOST_NOTE_BYTES = 1 << 16;

/**
 * A file that a queue is drained into: a new one, or the one of a drain that was interrupted. Beside the queue it is noted how far the file is whole, so
 * that each message is in it once, wherever the drain was killed.
 */
export class FileTarget implements DrainTarget {
  readonly mark: string | null;
  readonly #note: string;
  readonly #path: string;
  readonly #handle: FileHandle;
  #size: number;

  private constructor(note: string, path: string, handle: FileHandle, size: number, mark: string | null) {
    this.#note = note;
    this.#path = path;
    this.#handle = handle;
    this.#size = size;
    this.mark = mark;
  }

  /** @throws {UsageError} for a file that is there for another reason; errors of the file system */
  static async open(given: string, queue: string): Promise<FileTarget> {
    const path = resolve(given);
    const note = join(queue, NOTE);
    const known = await noteIn(note);
    const found = await stat(path, { bigint: true }).catch(() => null);
    if (found === null) {
      const made = new FileTarget(note, path, await open(path, 'wx', 0o600), 0, null);
      await made.#noted(null);
      return made;
    }
    const isSame = known?.path === path && known.device === String(found.dev) && known.inode === String(found.ino) && found.isFile();
    if (!isSame || found.size < known.size) throw new UsageError(`${given} is there already: name another file.`);
    const handle = await open(path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0));
    await handle.truncate(known.size);
    return new FileTarget(note, path, handle, known.size, known.mark);
  }

  async write(pieces: readonly Uint8Array[], mark: string): Promise<void> {
    this.#size += await writeAllPieces(this.#handle, pieces, this.#size);
    await this.#handle.datasync();
    await this.#noted(mark);
  }

  async #noted(mark: string | null): Promise<void> {
    const { dev, ino } = await this.#handle.stat({ bigint: true });
    await replaceFile(this.#note, JSON.stringify({ path: this.#path, device: String(dev), inode: String(ino), size: this.#size, mark }));
  }

  finish(): Promise<void> {
    return rm(this.#note, { force: true });
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

async function noteIn(path: string): Promise<z.infer<typeof noteSchema> | null> {
  try {
    return noteSchema.safeParse(JSON.parse(await readText(path, MOST_NOTE_BYTES))).data ?? null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}
