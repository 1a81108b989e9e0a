import { open, readdir, readFile, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../base/errors.ts';
import { makeFolder } from '../base/files/folders.ts';

/** A place in a queue: everything before it is delivered. */
export interface Cursor {
  /** Number of the segment. */
  readonly segment: number;
  /** Bytes from its beginning. */
  readonly offset: number;
}

const CHECKPOINT = 'checkpoint.txt';
/** Every checkpoint is filled up with blanks to this length, so that a new one takes the place of the old one in a single step. */
const CHECKPOINT_BYTES = 32;

/** The form of a position in files. */
export const cursorText = ({ segment, offset }: Cursor): string => `${segment} ${offset}`;

/** Reads that form; null: it is none. */
export function readCursor(text: string): Cursor | null {
  const [, segment, offset] = /^(\d{1,15}) (\d{1,15})\s*$/.exec(text) ?? [];
  return offset === undefined ? null : { segment: Number(segment), offset: Number(offset) };
}

/** A negative number when `a` comes first. */
export const compareCursors = (a: Cursor, b: Cursor): number => a.segment - b.segment || a.offset - b.offset;

/** The folder of a queue: segments `0.log`, `1.log`, … and the checkpoint, `N OFFSET`. */
export class QueueFolder {
  readonly path: string;
  /** Number of the folder, once it was made. */
  #inode: number | undefined;
  /** The checkpoint, once it has been written. */
  #checkpoint: FileHandle | null = null;

  constructor(path: string) {
    this.path = path;
  }

  /** Makes the folder when it is missing. */
  async make(): Promise<void> {
    await makeFolder(this.path, 0o700);
    this.#inode = (await stat(this.path)).ino;
  }

  segmentPath(segment: number): string {
    return join(this.path, `${segment}.log`);
  }

  /** Numbers of the segments, ascending. */
  async segments(): Promise<number[]> {
    const names = await readdir(this.path);
    return names
      .flatMap((name) => /^(0|[1-9]\d{0,14})\.log$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  }

  /** Bytes of a segment; 0 when it is not there. */
  async sizeOf(segment: number): Promise<number> {
    return stat(this.segmentPath(segment)).then(
      ({ size }) => size,
      (error: unknown) => {
        if (errorCode(error) === 'ENOENT') return 0;
        throw error;
      },
    );
  }

  /** Whether the folder is away, as when its mount is: what is missing then is not gone. */
  async isAway(): Promise<boolean> {
    const info = await stat(this.path).catch(() => null);
    return info?.ino !== this.#inode;
  }

  /** Removes the segments before this one. */
  async removeBefore(segment: number): Promise<void> {
    const finished = (await this.segments()).filter((other) => other < segment);
    await Promise.all(finished.map((other) => rm(this.segmentPath(other), { force: true })));
  }

  /** The checkpoint; null when there is none, and `'damaged'` when it cannot be read. */
  async readCheckpoint(): Promise<Cursor | 'damaged' | null> {
    let text: string;
    try {
      text = await readFile(join(this.path, CHECKPOINT), 'utf8');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
    return readCursor(text) ?? 'damaged';
  }

  /** Writes the checkpoint so that there is the old one or the new one, whatever happens. */
  async writeCheckpoint(cursor: Cursor): Promise<void> {
    const text = cursorText(cursor).padEnd(CHECKPOINT_BYTES - 1);
    try {
      if (this.#checkpoint === null) await this.#newCheckpoint(`${text}\n`);
      else await this.#checkpoint.write(`${text}\n`, 0, 'latin1');
    } catch (error) {
      // Opened anew by the next attempt: one on a mount that went away would stay dead.
      await this.close().catch(() => undefined);
      throw error;
    }
  }

  async close(): Promise<void> {
    const checkpoint = this.#checkpoint;
    this.#checkpoint = null;
    await checkpoint?.close();
  }

  async #newCheckpoint(text: string): Promise<void> {
    const path = join(this.path, CHECKPOINT);
    const draft = `${path}.tmp`;
    // Not into what was left there, or into a link.
    await rm(draft, { force: true });
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    await rename(draft, path);
    this.#checkpoint = await open(path, 'r+');
  }
}
