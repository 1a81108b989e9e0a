import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, messageOf } from '../base/errors.ts';
import { Serial } from '../base/time/serial.ts';
import { unwritable } from '../base/files/unwritable.ts';
import { Recent, recentRecords, type Known, type Origin } from './recent.ts';
import type { QueueRecord } from './record.ts';
import { SegmentReader } from './segment-reader.ts';
import { SegmentWriter } from './segment-writer.ts';
import { compareCursors, cursorText, QueueFolder, type Cursor } from './segments.ts';
import { stateOf } from './state.ts';
import { WaitTimes } from './wait-times.ts';

export interface DiskQueueOptions {
  /** Folder of the queue, its own. */
  readonly path: string;
  /** Bytes after which a new segment is begun; 0: no limit. */
  readonly maxFileSize: number;
  /** Bytes that may wait; 0: no limit. */
  readonly maxBufferSize: number;
  /** The checkpoint is written when more than so many messages were delivered since the last time. */
  readonly cursorUpdateCount: number;
  /** A mark of the reader up to which everything is delivered, which the checkpoint may not have reached; see `markOf`. */
  readonly delivered?: string | null;
  /** Bytes of records that are kept in memory until they are read; 4 MiB by default. */
  readonly recentBytes?: number;
  /** Reports problems to the user: damage, and failed writes. */
  readonly onProblem: (text: string) => void;
}

/** Some messages of the queue, in order. */
export interface QueueChunk {
  readonly records: readonly QueueRecord[];
  readonly bytes: number;
  /** Position of its first byte, and the position behind the last. */
  readonly begin: Cursor;
  readonly cursor: Cursor;
  /** Origin of the records, as given to `append`; absent: they were read from the disk. */
  readonly origin?: Origin;
}

/** Milliseconds until the next attempt after an error of the file system. */
const RETRY_MS = 1000;
const RECENT_BYTES = 4 << 20;
/** Attempts after which a segment that cannot be read is skipped. */
const READ_ATTEMPTS = 5;

/**
 * A queue of messages on disk, for one writer and one reader in the same process. Records that were appended and synced are there after a crash; those
 * not acknowledged are read again.
 */
export class DiskQueue {
  readonly #options: DiskQueueOptions;
  readonly #folder: QueueFolder;
  readonly #writer: SegmentWriter;
  readonly #reader: SegmentReader;
  readonly #recent: Recent;
  /** Everything before it is delivered. */
  #delivered: Cursor;
  /** There are no segments before this one. */
  #first: number;
  #size: number;
  readonly #waits: WaitTimes;
  /** Chunks that were read and not acknowledged. */
  #open = 0;
  /** Number and bytes of the records of the oldest open chunk that are delivered already. */
  #part = { records: 0, bytes: 0 };
  #sinceCheckpoint = 0;
  readonly #saves = new Serial();
  /** The write of the checkpoint that has not begun. */
  #nextSave: Promise<void> | null = null;
  #failing = false;
  #wake: (() => void)[] = [];
  #reading = true;
  #readTurn: Promise<unknown> = Promise.resolve();
  #closed = false;

  private constructor(options: DiskQueueOptions, folder: QueueFolder, writer: SegmentWriter, delivered: Cursor, size: number) {
    this.#options = options;
    this.#folder = folder;
    this.#writer = writer;
    this.#delivered = delivered;
    this.#first = delivered.segment;
    this.#size = size;
    this.#waits = new WaitTimes(size);
    this.#reader = new SegmentReader(folder, delivered);
    this.#recent = new Recent(options.recentBytes ?? RECENT_BYTES);
  }

  /** Opens the queue of a folder, which is made when it is missing. Throws the errors of the file system. */
  static async open(options: DiskQueueOptions): Promise<DiskQueue> {
    const folder = new QueueFolder(options.path);
    await folder.make();
    const { begin, next, size, isDamaged, isBehind } = await stateOf(folder, options.delivered);
    if (isDamaged) {
      options.onProblem(
        `the checkpoint in ${options.path} cannot be understood: all messages that are there are delivered, some of them again`,
      );
    }
    const waiting = (): number => queue.size;
    const writer = await SegmentWriter.open(folder, next, { maxFileSize: segmentLimit(options), waiting });
    if (isBehind) await folder.writeCheckpoint(begin);
    await folder.removeBefore(begin.segment);
    const queue = new DiskQueue(options, folder, writer, begin, size);
    return queue;
  }

  /** Its folder. */
  get path(): string {
    return this.#options.path;
  }

  /** Bytes that wait or are being delivered. */
  get size(): number {
    return this.#size;
  }

  /** Bytes that may wait; 0: no limit. */
  get limit(): number {
    return this.#options.maxBufferSize;
  }

  /** Milliseconds for which the oldest message has waited, since this start. */
  get waitedMs(): number {
    return this.#waits.oldest(this.#size);
  }

  /** Nothing waits and nothing is being delivered. */
  get isEmpty(): boolean {
    return this.#open === 0 && this.#atEnd;
  }

  /** Something waits that was not read. */
  get hasUnread(): boolean {
    return !this.#atEnd;
  }

  /** The fill level, from 0 to 1; 0 when there is no limit. */
  get fullness(): number {
    const { maxBufferSize } = this.#options;
    return maxBufferSize === 0 ? 0 : this.#size / maxBufferSize;
  }

  /** The number of these records, from the first on, that there is room for. */
  room(records: readonly Uint8Array[]): number {
    const { maxBufferSize } = this.#options;
    if (maxBufferSize === 0) return records.length;
    let size = this.#size;
    let count = 0;
    while (count < records.length && (size += (records[count] as Uint8Array).length) <= maxBufferSize) count++;
    return count;
  }

  /** Whether records are larger than the whole queue may be. */
  isTooLarge(records: readonly Uint8Array[]): boolean {
    const { maxBufferSize } = this.#options;
    return maxBufferSize > 0 && records.reduce((bytes, { length }) => bytes + length, 0) > maxBufferSize;
  }

  /**
   * Appends records. Resolves when the system has them. Throws the errors of the file system.
   * @param onAppended called with the number of records that are in the queue, also when the rest is not
   * @param known what they are, for a reader that keeps up
   */
  append(records: readonly Uint8Array[], onAppended?: (count: number) => void, known?: Known): Promise<void> {
    let first = 0;
    const appended = this.#writer.append(records, (bytes, count) => {
      this.#waits.add(bytes, this.#size);
      this.#size += bytes;
      const cursor = { segment: this.#writer.segment, offset: this.#writer.size };
      if (known !== undefined) this.#recent.add(recentRecords(records.slice(first, first + count), known, first, cursor));
      first += count;
      onAppended?.(count);
    });
    return appended.finally(() => this.#notify());
  }

  /** Resolves when the disk has all that was appended before. */
  sync(): Promise<void> {
    return this.#writer.sync();
  }

  /** The next messages; waits for them. One call at a time. null: reading was ended. */
  read(): Promise<QueueChunk | null> {
    const turn = this.#read();
    this.#readTurn = turn;
    return turn;
  }

  async #read(): Promise<QueueChunk | null> {
    for (let attempt = 1; this.#reading;) {
      if (this.#atEnd) {
        // Nothing waits, whatever happened to the files.
        if (this.#open === 0) this.#size = 0;
        await this.#change();
        continue;
      }
      try {
        const chunk = await this.#readSegment();
        attempt = 1;
        if (chunk !== null) return chunk;
      } catch (error) {
        attempt = await this.#readFailed(error, attempt);
      }
    }
    return null;
  }

  /**
   * Marks the first `count` records of this chunk, by default all, and those of the chunks before it, as delivered. Chunks are acknowledged in order.
   * Resolves when the checkpoint is as `cursorUpdateCount` says.
   */
  async acknowledge(chunk: QueueChunk, count = chunk.records.length): Promise<void> {
    const isWhole = count >= chunk.records.length;
    if (this.#closed || (!isWhole && count <= this.#part.records)) return;
    const through = { records: count, bytes: isWhole ? chunk.bytes : (chunk.records[count - 1] as QueueRecord).end };
    this.#size -= through.bytes - this.#part.bytes;
    this.#sinceCheckpoint += through.records - this.#part.records;
    this.#part = isWhole ? { records: 0, bytes: 0 } : through;
    if (isWhole) this.#open--;
    const saved = this.#advance(isWhole ? chunk.cursor : positionIn(chunk, count));
    this.#notify();
    await saved;
  }

  /** Resolves when something was appended or acknowledged, or `wake` was called. */
  async changed(): Promise<void> {
    if (!this.#closed) await this.#change();
  }

  /** Lets those who wait look again. */
  wake(): void {
    this.#notify();
  }

  /** Ends reading; chunks that were read may still be acknowledged. */
  endReading(): void {
    this.#reading = false;
    this.#notify();
  }

  /** Writes the checkpoint. Chunks that were not acknowledged are there at the next start. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.endReading();
    await this.#readTurn;
    await this.#writer.close();
    await this.#reader.close();
    await this.#save();
    await this.#saves.idle();
    await this.#folder.close();
  }

  get #atEnd(): boolean {
    const { segment, offset } = this.#reader.cursor;
    return segment === this.#writer.segment && offset >= this.#writer.size;
  }

  async #readSegment(): Promise<QueueChunk | null> {
    const { segment, offset } = this.#reader.cursor;
    const recent = this.#recent.take(this.#reader.cursor);
    if (recent !== null) {
      this.#reader.passOver(recent.cursor);
      this.#open++;
      return recent;
    }
    const isLast = segment === this.#writer.segment;
    // Records that are in memory are read from there.
    const end = this.#recent.beginIn(segment) ?? (isLast ? this.#writer.size : await this.#folder.sizeOf(segment));
    if (offset >= end) {
      if (end === 0 && (await this.#folder.isAway())) throw new Error(`${this.path} is away`);
      if (segment < this.#writer.segment) await this.#nextSegment(segment);
      return null;
    }
    const { records, skipped, torn, bytes, cursor } = await this.#reader.read(end);
    if (skipped > 0) this.#tellSkipped(segment, skipped, 'the file is damaged; the messages around them are delivered');
    if (torn > 0) this.#tellSkipped(segment, torn, 'the last record was not written to its end');
    if (records.length === 0) {
      this.#size -= bytes;
      if (this.#open === 0) void this.#advance(cursor);
      return null;
    }
    this.#open++;
    return { records, bytes, begin: { segment, offset }, cursor };
  }

  async #nextSegment(after: number): Promise<void> {
    const next = (await this.#folder.segments()).find((segment) => segment > after) ?? this.#writer.segment;
    await this.#reader.moveTo(next);
    if (this.#open === 0) void this.#advance(this.#reader.cursor);
  }

  /** Moves the position up to which everything is delivered. Resolves when the checkpoint is written, if that is due. */
  #advance(to: Cursor): Promise<void> | undefined {
    // With nothing else under way, skipped bytes are done with too.
    const cursor = this.#open === 0 && compareCursors(this.#reader.cursor, to) > 0 ? this.#reader.cursor : to;
    if (compareCursors(cursor, this.#delivered) <= 0) return undefined;
    const moved = cursor.segment > this.#delivered.segment;
    this.#delivered = cursor;
    return moved || this.#sinceCheckpoint > this.#options.cursorUpdateCount ? this.#save() : undefined;
  }

  /** Writes the checkpoint as it is when its turn comes, and removes the segments before it. */
  #save(): Promise<void> {
    this.#sinceCheckpoint = 0;
    this.#nextSave ??= this.#saves.run(async () => {
      this.#nextSave = null;
      const cursor = this.#delivered;
      try {
        await this.#saveCursor(cursor);
        if (this.#failing) this.#options.onProblem('its checkpoint can be written again');
        this.#failing = false;
      } catch (error) {
        if (!this.#failing) this.#options.onProblem(`messages may come again, for its checkpoint in ${unwritable(this.path, error)}`);
        this.#failing = true;
      }
    });
    return this.#nextSave;
  }

  async #saveCursor(cursor: Cursor): Promise<void> {
    // Without the segments before it the old checkpoint stands for the beginning of the next one, so they may make room for the new one.
    const written = await this.#folder.writeCheckpoint(cursor).then(
      () => true,
      () => false,
    );
    if (cursor.segment > this.#first) await this.#folder.removeBefore(cursor.segment);
    this.#first = cursor.segment;
    if (!written) await this.#folder.writeCheckpoint(cursor);
  }

  #tellSkipped(segment: number, bytes: number, why: string): void {
    this.#options.onProblem(`${bytes} bytes of ${this.#folder.segmentPath(segment)} are not a whole record: ${why}`);
  }

  /** A segment that cannot be read is asked for again a few times. Returns the number of the next attempt. */
  async #readFailed(error: unknown, attempt: number): Promise<number> {
    const { segment } = this.#reader.cursor;
    const path = this.#folder.segmentPath(segment);
    const isGone = errorCode(error) === 'ENOENT';
    if (attempt === 1) this.#options.onProblem(`${path} cannot be read: ${messageOf(error)}`);
    // A handle on a mount that went away stays dead when the mount is back.
    await this.#reader.close().catch(() => undefined);
    const isAway = await this.#folder.isAway();
    if (isAway || segment === this.#writer.segment || (!isGone && attempt < READ_ATTEMPTS)) {
      await Promise.race([delay(RETRY_MS, null, { ref: false }), this.#change()]);
      return isAway ? Math.min(attempt + 1, READ_ATTEMPTS - 1) : attempt + 1;
    }
    this.#options.onProblem(`${path} is passed over`);
    await this.#nextSegment(segment);
    return 1;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #notify(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const resolve of waiting) resolve();
  }
}

/** A text that stands for the position behind the first `count` records of a chunk. */
export function markOf(chunk: QueueChunk, count: number): string {
  return cursorText(count >= chunk.records.length ? chunk.cursor : positionIn(chunk, count));
}

function positionIn({ records, begin }: QueueChunk, count: number): Cursor {
  return { segment: begin.segment, offset: begin.offset + (records[count - 1]?.end ?? 0) };
}

/** The largest segment. Only whole segments are removed, so a small limit of the queue also limits them, or the disk would hold far more than that. */
function segmentLimit({ maxFileSize, maxBufferSize }: DiskQueueOptions): number {
  if (maxBufferSize === 0) return maxFileSize;
  const share = Math.max(64 << 10, Math.ceil(maxBufferSize / 4));
  return maxFileSize === 0 ? share : Math.min(maxFileSize, share);
}
