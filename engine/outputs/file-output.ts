import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { errorCode, messageOf } from '../base/errors.ts';
import { after, type LongTimer } from '../base/time/long-timer.ts';
import { unwritable } from '../base/files/unwritable.ts';
import { isUnread, openTarget, writeToTarget } from './open-target.ts';
import { Rotation } from './rotation.ts';
import { completeBatch } from './unfinished-batch.ts';
import { WriteJournal, type JournalBatch } from './write-journal.ts';
import { joined, type Pieces, type Receipt, type Writer } from './writers.ts';
import { z } from 'zod';
import { matching, receiver } from '../section/receiver.ts';
import { restart } from '../section/restart.ts';
import { path } from '../section/values.ts';
import { RetriedWriter } from './delivery.ts';
import { outputType } from './output-type.ts';
import { encoder, exit, framedProtobuf, milliseconds, octal } from './parameters.ts';

/** Codes of the system’s errors for pipes, devices and file systems that have nothing to bring to a disk. */
const UNSYNCABLE: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'ENOSYS']);

/** The type `FileOutput` of sections. */
export const fileOutput = outputType({
  type: 'FileOutput',
  summary:
    'Appends messages to a file. While the file cannot be written, for instance because the disk is full, messages wait, and so do the ' +
    'inputs. The output tries again as `retries` says and continues when it succeeds. A batch is written whole or not at all, so no message ' +
    'is cut or repeated. If the service is killed while it writes one, the next start completes it. This needs `use_buffering` or a ' +
    '`base_dir`. `path` may be a named pipe: messages wait until a program reads it, and while it is full. When its reader ends, a batch ' +
    'that was written in part comes again, and what the reader left in the pipe is lost.',
  example:
    '[errors]\ntype = "FileOutput"\npath = "/var/log/errors.jsonl"\nencoder = "json"\nmessage_matcher = "Fields[status] >= 500"\nuse_buffering = true\n[errors.buffering]\nfull_action = "block"',
  parameters: () => ({
    ...matching,
    path: path.describe(
      'File to write to. It is opened for appending and created when it is missing. With `rotation_interval`, a pattern with the specifiers of ' +
        '`strftime`, such as `/var/log/out/%Y-%m-%d.log`, in UTC.',
    ),
    rotation_interval: z
      .literal([0, 1, 4, 12, 24])
      .default(0)
      .meta({ shown: 'hours: `0`, `1`, `4`, `12` or `24`' })
      .describe(
        'A new file is begun at the full hours of UTC that are multiples of this, with that hour as the time in its name. The first name has the time ' +
          'of the start. 0: there is one file.',
      ),
    encoder: encoder('json'),
    ...framedProtobuf,
    perm: octal.default('644').describe('Mode of a file that is created.'),
    folder_perm: octal.default('700').describe('Mode of folders that are created.'),
    flush_interval: milliseconds.default(1000).describe('Longest time between two writes. 0: no limit.'),
    flush_count: z.int().min(1).default(1).describe('Messages between two writes.'),
    flush_operator: z
      .enum(['AND', 'OR'])
      .default('AND')
      .describe('Whether a write needs both `flush_interval` and `flush_count` to be reached, or one of them.'),
    ...receiver,
    ...restart,
    ...exit,
  }),
  keepsNothing: true,
  make: async (config, { onProblem, stateFolder }) => {
    const writer = new FileWriter({
      path: config.path,
      perm: parseInt(config.perm, 8),
      folderPerm: parseInt(config.folder_perm, 8),
      flushInterval: config.flush_interval,
      flushCount: config.flush_count,
      flushOperator: config.flush_operator,
      rotationInterval: config.rotation_interval,
      stateFolder,
      onProblem,
    });
    await writer.opened();
    return new RetriedWriter(writer, { retries: config.retries, onProblem });
  },
});

export interface FileWriterOptions {
  /** With rotation, a pattern of strftime. */
  readonly path: string;
  /** Permissions of created files and folders. */
  readonly perm: number;
  readonly folderPerm: number;
  /** Milliseconds between two syncs to the disk (0: not bounded by time), messages between them, and whether both bounds must be reached. */
  readonly flushInterval: number;
  readonly flushCount: number;
  readonly flushOperator: 'AND' | 'OR';
  /** Hours after which a new file is begun: 0 (never), 1, 4, 12 or 24. */
  readonly rotationInterval?: number;
  /** Folder for what it has to know after it was killed; absent: it need not know. */
  readonly stateFolder?: string | undefined;
  /** Hears of messages that were written and may not have reached the disk. */
  readonly onProblem?: (text: string) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** One attempt to write a batch. */
interface Attempt {
  /** Mark of the last message before its end; null: there is none. */
  readonly mark: string | null;
  readonly signal: AbortSignal | undefined;
}

/** A file as it was before a batch. */
interface WholeFile {
  readonly path: string;
  readonly inode: number;
  readonly size: number;
}

/**
 * Appends to a file. Every batch is given to the system at once, so nothing is lost when this process ends; it reaches the disk with the next sync, as
 * the flush options say. A batch that fails leaves nothing behind, so that it can be written again; one in the midst of which the process was killed
 * is completed at the next start.
 */
export class FileWriter implements Writer {
  readonly #options: FileWriterOptions;
  readonly #rotation: Rotation;
  readonly #now: () => number;
  readonly #journal: WriteJournal | null;
  #journalFails = false;
  #resumedAt: string | null = null;
  #handle: Promise<FileHandle> | null = null;
  /** The file, and its size, before a batch that is being written, or was written in part and could not be cut off yet. */
  #whole: WholeFile | null = null;
  #unsynced = 0;
  #syncedAt = performance.now();
  #timer: LongTimer | null = null;

  constructor(options: FileWriterOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#rotation = new Rotation(options.path, options.rotationInterval ?? 0, this.#now());
    this.#journal = options.stateFolder === undefined ? null : new WriteJournal(options.stateFolder);
  }

  get resumedAt(): string | null {
    return this.#resumedAt;
  }

  /** Opens the file before the first message comes. Throws the errors of that. A pipe that nobody reads yet is opened with the first message. */
  async opened(): Promise<void> {
    const unfinished = (await this.#journal?.last()) ?? null;
    if (unfinished !== null && (await completeBatch(unfinished))) this.#resumedAt = unfinished.mark;
    await this.#openedIfRead();
  }

  /**
   * @param signal aborted when a pipe that is full is not to be waited for any more
   * @throws {Error} when none of it is in the file
   */
  async write(pieces: Pieces, receipt?: Receipt, signal?: AbortSignal): Promise<void> {
    if (pieces.length === 0) return;
    try {
      if (this.#rotation.turn(this.#now())) await this.#closeFile();
      await this.#append(await this.#opened(), pieces, { mark: receipt?.mark(pieces.length) ?? null, signal });
    } catch (error) {
      throw new Error(unwritable(this.#rotation.path, error), { cause: error });
    }
  }

  async close(): Promise<void> {
    await this.#closeFile();
    await this.#journal?.close();
  }

  async #closeFile(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = null;
    const handle = await this.#handle?.catch(() => null);
    this.#handle = null;
    if (handle === null || handle === undefined) return this.#cutBack(null);
    try {
      await this.#cutBack(handle);
      if (this.#unsynced > 0) await this.#sync(handle);
    } finally {
      await handle.close();
    }
  }

  async reopen(): Promise<void> {
    await this.#closeFile();
    await this.#openedIfRead();
  }

  async #openedIfRead(): Promise<void> {
    await this.#opened().catch(async (error: unknown) => {
      if (!(await isUnread(this.#rotation.path, error))) throw error;
    });
  }

  /** Opens the file on first use, and tries again on the next use after a failure. */
  async #opened(): Promise<FileHandle> {
    const opening = (this.#handle ??= openTarget(this.#rotation.path, this.#options));
    try {
      return await opening;
    } catch (error) {
      this.#handle = null;
      throw error;
    }
  }

  /** Appends all of it or, when the disk is full, nothing: the next message must not follow half a one. */
  async #append(handle: FileHandle, pieces: Pieces, { mark, signal }: Attempt): Promise<void> {
    await this.#cutBack(handle);
    const bytes = joined(pieces);
    const stats = await handle.stat({ bigint: true });
    const path = this.#rotation.path;
    const size = Number(stats.size);
    if (stats.isFile()) await this.#note({ path, device: String(stats.dev), inode: String(stats.ino), at: size, bytes, mark });
    this.#whole = stats.isFile() ? { path, inode: Number(stats.ino), size } : null;
    try {
      await writeToTarget(handle, bytes, signal);
      this.#unsynced += pieces.length;
      await this.#syncIfDue(handle, pieces.length);
      this.#whole = null;
    } catch (error) {
      // The next attempt opens what has the name then: held open, a file that is removed to make room would make none, and one on a mount that
      // went away would stay dead.
      await this.#closeFile().catch(() => undefined);
      throw error;
    }
  }

  /** A batch that cannot be noted is written all the same: it is safe unless the process is killed in the middle of it. */
  async #note(batch: JournalBatch): Promise<void> {
    try {
      await this.#journal?.note(batch);
      this.#journalFails = false;
    } catch (error) {
      if (!this.#journalFails)
        this.#options.onProblem?.(`half a batch may stay in ${batch.path} if the service is killed: ${messageOf(error)}`);
      this.#journalFails = true;
    }
  }

  /** Cuts off what was written of a batch that failed: from the file that is open, or from the one of its name, if that is the same. */
  async #cutBack(handle: FileHandle | null): Promise<void> {
    if (this.#whole === null) return;
    if (handle === null || !(await cut(handle, this.#whole))) await cutByName(this.#whole);
    this.#whole = null;
  }

  /** @param newest messages that are written again when the sync fails */
  async #syncIfDue(handle: FileHandle, newest = 0): Promise<void> {
    const { flushInterval, flushCount, flushOperator } = this.#options;
    const counted = this.#unsynced >= flushCount;
    const wait = this.#syncedAt + flushInterval - performance.now();
    const timed = flushInterval === 0 ? flushOperator === 'AND' : wait <= 0;
    if (flushOperator === 'AND' ? counted && timed : counted || timed) await this.#sync(handle, newest);
    else if (flushInterval > 0) this.#timer ??= after(Math.max(1, wait), () => void this.#onTimer(handle), { ref: false });
  }

  async #onTimer(handle: FileHandle): Promise<void> {
    this.#timer = null;
    if (this.#unsynced > 0) await this.#syncIfDue(handle).catch(() => undefined);
  }

  /** The system keeps nothing of what it could not bring to the disk, so that is counted and said. */
  async #sync(handle: FileHandle, newest = 0): Promise<void> {
    const uncertain = this.#unsynced - newest;
    this.#unsynced = 0;
    this.#syncedAt = performance.now();
    try {
      await handle.sync();
    } catch (error) {
      if (UNSYNCABLE.has(errorCode(error))) return;
      if (uncertain > 0) {
        const written = `${uncertain} messages that were written to ${this.#rotation.path}`;
        this.#options.onProblem?.(`${written} may not have reached the disk: ${messageOf(error)}`);
      }
      throw error;
    }
  }
}

/** Cuts a file back to its size; false: it is another one. One that is shorter by now is left. */
async function cut(handle: FileHandle, { inode, size }: WholeFile): Promise<boolean> {
  const stats = await handle.stat();
  if (stats.ino !== inode) return false;
  if (stats.size > size) await handle.truncate(size);
  return true;
}

async function cutByName(file: WholeFile): Promise<void> {
  try {
    await using handle = await open(file.path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0));
    await cut(handle, file);
  } catch (error) {
    // It was moved away, and so was what is to be cut off.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
