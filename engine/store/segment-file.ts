import { rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder, makeFolderSync, removeLeftovers } from '../base/files/folders.ts';
import { Serial } from '../base/time/serial.ts';
import { unwritable } from '../base/files/unwritable.ts';
import { writeAllPieces } from '../base/files/write-all.ts';
import { newMemory, type TakeMemory } from '../message/batch/wire.ts';
import type { FilePlace } from './segment.ts';

const NAME = /^segments-(\d+)-\d+\.tmp$/;
/** Pieces that one call to the system takes (IOV_MAX is 1024 on Linux and macOS). */
const MAX_PIECES = 512;
/** Time after which a write that failed is tried again. */
const RETRY_MS = 500;
/** The path of a file that a child process has as its descriptor 3, by which it reads from the beginning; null: the file has a name. */
const PATH_IN_CHILD: Partial<Record<NodeJS.Platform, string | null>> = { linux: '/proc/self/fd/3', win32: null };
const LINE_END = Buffer.from('\n');
let opened = 0;

/** A file that a child process can read while it grows: a descriptor that is passed to it as 3, and the path there. */
export interface ReadableFile {
  readonly descriptor: number;
  readonly path: string;
}

/**
 * The temporary file that segments are appended to. It belongs to this process: where the system allows it, it has no name
 * as soon as it is open, so nothing is left behind by a crash. While its disk is full, writes wait and are tried again.
 */
export class SegmentFile {
  #handle: Promise<FileHandle> | null = null;
  readonly #folder: string;
  readonly #path: string;
  readonly #onProblem: (text: string | null) => void;
  #end = 0;
  readonly #writes = new Serial();
  readonly #closing = new AbortController();
  #failing = false;

  /**
   * @param folder is made when it is missing, with the first write at the latest; files that dead processes left there are removed
   * @param onProblem told once why it cannot be written, and with null that it can be again
   */
  constructor(folder: string, onProblem: (text: string | null) => void = () => undefined) {
    this.#folder = folder;
    try {
      makeFolderSync(folder, 0o700);
      removeLeftovers(folder, NAME);
    } catch {
      // The first write tells why, and is tried again.
    }
    this.#path = join(folder, `segments-${process.pid}-${opened++}.tmp`);
    this.#onProblem = onProblem;
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#end;
  }

  /**
   * Appends these pieces, one behind the other and behind a line end, so that no line of theirs begins before them; resolves when they can be read.
   * @throws the system's error when the file is closed before that
   */
  async append(pieces: readonly Uint8Array[]): Promise<FilePlace> {
    const start = this.#end;
    const place = { offset: start + LINE_END.length, length: pieces.reduce((sum, piece) => sum + piece.length, 0) };
    this.#end = place.offset + place.length;
    await this.#writes.run(() => this.#write([LINE_END, ...pieces], start));
    return place;
  }

  /** The file for a child process; null: this system has no way to it. */
  async readable(): Promise<ReadableFile | null> {
    const path = PATH_IN_CHILD[process.platform];
    if (path === undefined) return null;
    const { fd } = await this.#opened();
    return { descriptor: fd, path: path ?? this.#path };
  }

  /** @throws {Error} when the file ends before the place does */
  async read(place: FilePlace, memory: TakeMemory = newMemory): Promise<Buffer<ArrayBuffer>> {
    const bytes = memory(place.length);
    await this.readInto(place, 0, bytes);
    return bytes;
  }

  /** Fills the target with the bytes of a place from an offset in it on. @throws {Error} when the file ends before that */
  async readInto({ offset }: FilePlace, from: number, target: Uint8Array): Promise<void> {
    const handle = await this.#opened();
    for (let done = 0; done < target.length;) {
      const at = offset + from + done;
      const { bytesRead } = await handle.read(target, done, target.length - done, at);
      if (bytesRead === 0) throw new Error(`the record store ended at ${at}, within a segment`);
      done += bytesRead;
    }
  }

  /** Waits for the writes under way; those that fail are not tried again. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#writes.idle();
    const handle = await this.#handle?.catch(() => null);
    await handle?.close();
    // Elsewhere it has no name since it was opened.
    if (process.platform === 'win32') rmSync(this.#path, { force: true });
  }

  /** Writes at a place until that succeeds. */
  async #write(pieces: readonly Uint8Array[], offset: number): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      try {
        const handle = await this.#opened();
        for (let first = 0, at = offset; first < pieces.length; first += MAX_PIECES) {
          at += await writeAllPieces(handle, pieces.slice(first, first + MAX_PIECES), at);
        }
        if (this.#failing) this.#onProblem(null);
        this.#failing = false;
        return;
      } catch (error) {
        if (signal.aborted) throw error;
        if (!this.#failing) this.#onProblem(unwritable(this.#path, error));
        this.#failing = true;
      }
      await delay(RETRY_MS, null, { signal }).catch(() => undefined);
    }
  }

  /** Opens the file on first use, and tries again on the next use after a failure. */
  #opened(): Promise<FileHandle> {
    return (this.#handle ??= this.#open().catch((error: unknown) => {
      this.#handle = null;
      throw error;
    }));
  }

  async #open(): Promise<FileHandle> {
    await makeFolder(this.#folder, 0o700);
    const handle = await open(this.#path, 'wx+', 0o600);
    if (process.platform !== 'win32') rmSync(this.#path, { force: true });
    return handle;
  }
}
