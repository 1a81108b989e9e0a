import { createHash } from 'node:crypto';
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, messageOf } from '../../base/errors.ts';
import { makeFolder } from '../../base/files/folders.ts';
import { unwritable } from '../../base/files/unwritable.ts';
import { writeAllPieces } from '../../base/files/write-all.ts';
import { isRunning } from '../../base/process/is-running.ts';
import { Serial } from '../../base/time/serial.ts';
import type { SourceKind } from '../../api/types.ts';
import { encodeEntry, readEntries, type ReceivedBatch } from './received-entries.ts';

/** Key of the source, order, and number of the process that writes it. */
const NAME = /^([0-9a-f]{16})-(\d+)-(\d+)\.records$/;

interface ReceivedOptions {
  readonly folder: string;
  /** Told once why records are not kept, and with null that they are again. */
  readonly onProblem: (text: string | null) => void;
}

/** The folder with what live sources have received. After a crash, the next process takes over the files of the one before. */
export class ReceivedFolder {
  readonly #options: ReceivedOptions;
  /** Names of files that this process has made or taken over. */
  readonly #own = new Set<string>();
  /** Files that were left when this process began; those that another one leaves meanwhile are for the next. */
  readonly #left: readonly string[];
  #next = Date.now();

  constructor(options: ReceivedOptions) {
    this.#options = options;
    this.#left = this.#leftovers();
  }

  /** The file of a source: with what earlier processes had received for a source of this kind and location. */
  of({ kind, location }: { readonly kind: SourceKind; readonly location: string }): ReceivedRecords {
    const key = createHash('sha256').update(`${kind}\0${location}`).digest('hex').slice(0, 16);
    const { folder, onProblem } = this.#options;
    const earlier = this.#leftovers().flatMap((name) => (name.startsWith(`${key}-`) ? this.#takeOver(name) : []));
    return new ReceivedRecords({ folder, path: join(folder, this.#newName(key)), earlier, onProblem });
  }

  /** Removes what earlier processes had received for sources that were not opened again. */
  sweep(): void {
    const still = new Set(this.#leftovers());
    for (const name of this.#left.filter((one) => still.has(one))) rmSync(join(this.#options.folder, name), { force: true });
  }

  #newName(key: string): string {
    const name = `${key}-${this.#next++}-${process.pid}.records`;
    this.#own.add(name);
    return name;
  }

  /** Renames a file, so that no other process takes it; none where another one was quicker. */
  #takeOver(name: string): string[] {
    const { folder } = this.#options;
    const [, key, order] = NAME.exec(name) as RegExpExecArray;
    const own = `${key}-${order}-${process.pid}.records`;
    try {
      if (own !== name) renameSync(join(folder, name), join(folder, own));
    } catch {
      return [];
    }
    this.#own.add(own);
    return [join(folder, own)];
  }

  /** Files of processes that have ended, oldest first. */
  #leftovers(): string[] {
    const isLeft = (name: string): boolean => {
      const pid = Number(NAME.exec(name)?.[3] ?? NaN);
      return !Number.isNaN(pid) && !this.#own.has(name) && (pid === process.pid || !isRunning(pid));
    };
    const orderOf = (name: string): number => Number(NAME.exec(name)?.[2]);
    return listed(this.#options.folder)
      .filter(isLeft)
      .sort((a, b) => orderOf(a) - orderOf(b));
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * The records of a live source in a file that outlives a crash of the engine. What cannot be written is told, and taken nevertheless: the shell says
 * how many records a crash has cost.
 */
export class ReceivedRecords {
  readonly #folder: string;
  readonly #path: string;
  readonly #earlier: readonly string[];
  readonly #onProblem: (text: string | null) => void;
  readonly #writes = new Serial();
  #handle: FileHandle | null = null;
  #end = 0;
  #isFailing = false;

  constructor(options: ReceivedOptions & { readonly path: string; readonly earlier: readonly string[] }) {
    this.#folder = options.folder;
    this.#path = options.path;
    this.#earlier = options.earlier;
    this.#onProblem = options.onProblem;
  }

  /** Whether earlier processes have left something. */
  get hasEarlier(): boolean {
    return this.#earlier.length > 0;
  }

  /** Batches that earlier processes have received, in order. @param damaged told of a file that could not be read to its end */
  async *earlier(damaged: (text: string) => void): AsyncGenerator<ReceivedBatch> {
    for (const path of this.#earlier) {
      try {
        yield* readEntries(path);
      } catch (error) {
        damaged(messageOf(error));
      }
    }
  }

  /** Writes a batch behind the others; resolves when it outlives this process, or cannot be written. */
  async add(batch: ReceivedBatch): Promise<void> {
    const pieces = encodeEntry(batch);
    await this.#writes.run(() => this.#write(pieces));
  }

  async #write(pieces: readonly Uint8Array[]): Promise<void> {
    try {
      this.#handle ??= await this.#open();
      this.#end += await writeAllPieces(this.#handle, pieces, this.#end);
      if (this.#isFailing) this.#onProblem(null);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#onProblem(unwritable(this.#path, error));
      this.#isFailing = true;
    }
  }

  async #open(): Promise<FileHandle> {
    await makeFolder(this.#folder, 0o700);
    return open(this.#path, 'wx', 0o600);
  }

  /** Ends writing. @param keep leaves the files to the next process */
  async close({ keep }: { readonly keep: boolean }): Promise<void> {
    await this.#writes.run(async () => {
      await this.#handle?.close();
      this.#handle = null;
    });
    if (!keep) for (const path of [...this.#earlier, this.#path]) removeQuietly(path);
  }
}

/** Removes a file; one that cannot be removed is swept later. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    if (errorCode(error) === '') throw error;
  }
}
