import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';

/** Where an output writes to. */
export interface Writer {
  /** Resolves when the system has taken all of it. */
  write(pieces: readonly (string | Uint8Array)[]): Promise<void>;
  close(): Promise<void>;
  /** Closes and opens what it writes to: the file of that name may be another one now. */
  reopen?(): Promise<void>;
}

/** Standard output, or another stream that is not closed. With `lines`, a piece without a line end gets one. */
export class StreamWriter implements Writer {
  readonly #stream: Writable;
  readonly #lines: boolean;

  constructor(stream: Writable, options: { readonly lines?: boolean } = {}) {
    this.#stream = stream;
    this.#lines = options.lines === true;
  }

  async write(pieces: readonly (string | Uint8Array)[]): Promise<void> {
    const bytes = joined(this.#lines ? pieces.flatMap((piece) => (endsLine(piece) ? [piece] : [piece, '\n'])) : pieces);
    if (bytes.length === 0) return;
    await new Promise<void>((resolve, reject) => this.#stream.write(bytes, (error) => (error ? reject(error) : resolve())));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

export interface FileWriterOptions {
  readonly path: string;
  /** Modes of what is created. */
  readonly perm: number;
  readonly folderPerm: number;
  /** Milliseconds between two syncs to the disk (0: not bounded by time), messages between them, and whether both bounds must be reached. */
  readonly flushInterval: number;
  readonly flushCount: number;
  readonly flushOperator: 'AND' | 'OR';
}

/**
 * Appends to a file. The system has every batch at once, so nothing is lost when this process ends; the disk has it after the next sync, as
 * the flush options say.
 */
export class FileWriter implements Writer {
  readonly #options: FileWriterOptions;
  #handle: Promise<FileHandle>;
  #unsynced = 0;
  #syncedAt = performance.now();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: FileWriterOptions) {
    this.#options = options;
    this.#handle = openForAppending(options);
    this.#handle.catch(() => undefined);
  }

  /** @throws what opening the file throws */
  async opened(): Promise<void> {
    await this.#handle;
  }

  async write(pieces: readonly (string | Uint8Array)[]): Promise<void> {
    if (pieces.length === 0) return;
    const handle = await this.#handle;
    await handle.appendFile(joined(pieces));
    this.#unsynced += pieces.length;
    await this.#syncIfDue(handle);
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const handle = await this.#handle;
    if (this.#unsynced > 0) await handle.sync();
    this.#unsynced = 0;
    await handle.close();
  }

  async reopen(): Promise<void> {
    await this.close();
    this.#handle = openForAppending(this.#options);
    await this.#handle;
  }

  async #syncIfDue(handle: FileHandle): Promise<void> {
    const { flushInterval, flushCount, flushOperator } = this.#options;
    const counted = this.#unsynced >= flushCount;
    const wait = this.#syncedAt + flushInterval - performance.now();
    const timed = flushInterval === 0 ? flushOperator === 'AND' : wait <= 0;
    if (flushOperator === 'AND' ? counted && timed : counted || timed) await this.#sync(handle);
    else if (flushInterval > 0) this.#timer ??= setTimeout(() => void this.#onTimer(handle), Math.max(1, wait)).unref();
  }

  async #onTimer(handle: FileHandle): Promise<void> {
    this.#timer = null;
    if (this.#unsynced > 0) await this.#syncIfDue(handle).catch(() => undefined);
  }

  async #sync(handle: FileHandle): Promise<void> {
    this.#unsynced = 0;
    this.#syncedAt = performance.now();
    await handle.sync();
  }
}

async function openForAppending({ path, perm, folderPerm }: FileWriterOptions): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: folderPerm });
  return open(path, 'a', perm);
}

function joined(pieces: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}

function endsLine(piece: string | Uint8Array): boolean {
  return typeof piece === 'string' ? piece.endsWith('\n') : piece.at(-1) === 10;
}
