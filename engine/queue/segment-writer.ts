import { open, type FileHandle } from 'node:fs/promises';
import { errorCode } from '../base/errors.ts';
import { readAt } from '../base/files/read-at.ts';
import { Serial } from '../base/time/serial.ts';
import { writeAll } from '../base/files/write-all.ts';
import type { QueueFolder } from './segments.ts';

/** Bytes of a segment from which it ends when less than half of it waits: only whole segments are removed. */
const WORTH_ENDING = 16 << 20;

/** Bytes that are written again at once. */
const AGAIN_BYTES = 1 << 20;

type OnWritten = (bytes: number, records: number) => void;

export interface SegmentLimits {
  /** Bytes of a segment; 0: no limit. */
  readonly maxFileSize: number;
  /** Bytes that wait in the queue. */
  readonly waiting: () => number;
}

/** Appends records to the newest segment of a queue, and begins a new one when the next record would make it too long, or when most of a long one is delivered. */
export class SegmentWriter {
  readonly #folder: QueueFolder;
  readonly #limits: SegmentLimits;
  #handle: FileHandle;
  #segment: number;
  #size = 0;
  readonly #turns = new Serial();
  /** Bytes of it that the disk has. */
  #durable = 0;
  /** The disk did not take what is behind them, and the system may count that as done. */
  #isDoubtful = false;
  #syncing: Promise<void> | null = null;
  #nextSync: Promise<void> | null = null;

  private constructor(folder: QueueFolder, limits: SegmentLimits, segment: number, handle: FileHandle) {
    this.#folder = folder;
    this.#limits = limits;
    this.#segment = segment;
    this.#handle = handle;
  }

  /** Begins a new segment of this number. */
  static async open(folder: QueueFolder, segment: number, limits: SegmentLimits): Promise<SegmentWriter> {
    return new SegmentWriter(folder, limits, segment, await openNew(folder, segment));
  }

  /** The segment that is written to. */
  get segment(): number {
    return this.#segment;
  }

  /** Bytes of whole records in it. */
  get size(): number {
    return this.#size;
  }

  /**
   * Appends records. Resolves when the system has them; `sync` brings them to the disk.
   * @throws the errors of the file system; records that were written in part are cut off then, and `onWritten` was called for those before them
   * @param onWritten called with the bytes and the number of records of each piece that is written
   */
  append(records: readonly Uint8Array[], onWritten: OnWritten): Promise<void> {
    return this.#turns.run(() => this.#append(records, onWritten));
  }

  /** Resolves when the disk has all that was appended before. Those who ask meanwhile share the next turn. */
  async sync(): Promise<void> {
    if (this.#syncing === null) {
      this.#syncing = this.#toDisk().finally(() => (this.#syncing = null));
      return this.#syncing;
    }
    this.#nextSync ??= this.#syncing
      .catch(() => undefined)
      .then(() => {
        this.#nextSync = null;
        return this.sync();
      });
    return this.#nextSync;
  }

  async close(): Promise<void> {
    await this.#turns.idle();
    await this.#syncing?.catch(() => undefined);
    await this.#toDisk().catch(() => undefined);
    await this.#handle.close();
  }

  async #append(records: readonly Uint8Array[], onWritten: OnWritten): Promise<void> {
    const { maxFileSize, waiting } = this.#limits;
    // Where that fails it goes on in this one.
    if (this.#size >= WORTH_ENDING && waiting() < this.#size / 2) await this.#roll().catch(() => undefined);
    let piece: Uint8Array[] = [];
    let bytes = 0;
    for (const record of records) {
      if (maxFileSize > 0 && this.#size + bytes > 0 && this.#size + bytes + record.length > maxFileSize) {
        await this.#write(piece, bytes, onWritten);
        await this.#roll();
        piece = [];
        bytes = 0;
      }
      piece.push(record);
      bytes += record.length;
    }
    await this.#write(piece, bytes, onWritten);
  }

  async #write(records: readonly Uint8Array[], bytes: number, onWritten: OnWritten): Promise<void> {
    if (bytes === 0) return;
    try {
      await writeAll(this.#handle, Buffer.concat(records, bytes), this.#size);
    } catch (error) {
      await this.#mend().catch(() => undefined);
      throw error;
    }
    this.#size += bytes;
    onWritten(bytes, records.length);
  }

  /** After a write that failed: cuts off what is there of it, and goes on in another segment or with another handle. */
  async #mend(): Promise<void> {
    const isCut = await this.#handle.truncate(this.#size).then(
      () => true,
      () => false,
    );
    if (!isCut) return this.#reopen();
    // The delivered part of this segment is removed with it, which may be all the room that there is.
    if (this.#size > 0) await this.#roll();
  }

  /** A handle on a mount that went away stays dead when the mount is back: opens the segment anew, or another one when it is not what it was. */
  async #reopen(): Promise<void> {
    await this.#syncing?.catch(() => undefined);
    const dead = this.#handle;
    const same = await openWhole(this.#folder.segmentPath(this.#segment), this.#size);
    this.#handle = same ?? (await openNew(this.#folder, this.#segment + 1));
    if (same === null) this.#begun();
    await dead.close().catch(() => undefined);
  }

  async #roll(): Promise<void> {
    const finished = this.#handle;
    await this.#syncing?.catch(() => undefined);
    await this.#toDisk();
    this.#handle = await openNew(this.#folder, this.#segment + 1);
    this.#begun();
    await finished.close();
  }

  /** The next segment is open. */
  #begun(): void {
    this.#segment++;
    this.#size = 0;
    this.#durable = 0;
    this.#isDoubtful = false;
  }

  /** Brings the segment to the disk. After an error, the system takes for written what the disk did not take: that is written again before the next attempt. */
  async #toDisk(): Promise<void> {
    const handle = this.#handle;
    const size = this.#size;
    try {
      if (this.#isDoubtful) await writeAgain(handle, this.#durable, size);
      await handle.datasync();
    } catch (error) {
      this.#isDoubtful = true;
      throw error;
    }
    this.#durable = size;
    this.#isDoubtful = false;
  }
}

/** Nothing that is there is written over. */
function openNew(folder: QueueFolder, segment: number): Promise<FileHandle> {
  return open(folder.segmentPath(segment), 'wx+', 0o600);
}

/** Opens a file and cuts it back to a size; null: it is missing or shorter. */
async function openWhole(path: string, size: number): Promise<FileHandle | null> {
  const handle = await open(path, 'r+').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  try {
    if (handle === null || (await handle.stat()).size < size) throw new Error('it is another file');
    await handle.truncate(size);
    return handle;
  } catch {
    await handle?.close();
    return null;
  }
}

/** Writes bytes of a file over themselves. */
async function writeAgain(handle: FileHandle, from: number, end: number): Promise<void> {
  for (let at = from; at < end;) {
    const piece = await readAt(handle, at, Math.min(AGAIN_BYTES, end - at));
    if (piece.length === 0) throw new Error('a segment is shorter than what was written to it');
    await writeAll(handle, piece, at);
    at += piece.length;
  }
}
