import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from '../base/files/regular-file.ts';
import { z } from 'zod';
import { makeFolder } from '../base/files/folders.ts';
import { errorCode, isAway } from '../base/errors.ts';
import { putAside } from '../base/files/put-aside.ts';
import { errorText, InputError } from './notices.ts';
import { COMPRESSIONS } from './probe.ts';
import type { InputNotice } from './types.ts';

/** Bytes of a checkpoint that is read. */
const MOST_BYTES = 256 << 20;

const fileSchema = z.object({
  path: z.string(),
  /** The name of its log: of a file that was rotated away the one it had before. */
  log: z.string(),
  /** Numbers of device and file, in decimal. */
  device: z.string(),
  inode: z.string(),
  /** Bytes that were delivered and acknowledged; of a compressed file those of its text as UTF-8. */
  offset: z.number().int().nonnegative(),
  hash: z.string(),
  /** `CutState` at the offset. */
  line: z.number().int().nonnegative(),
  skipping: z.boolean(),
  midLine: z.boolean(),
  kind: z.string().optional(),
  contents: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
  /** At offset 0, where no bytes before it tell the contents from others: a position after it and the hash of the bytes before that. */
  head: z.object({ offset: z.number().int().positive(), hash: z.string() }).optional(),
  format: z.enum(['unknown', 'utf-8', 'utf-16le', 'utf-16be', 'cr', 'nul', ...COMPRESSIONS]),
  /** Nanoseconds since 1970, in decimal: when the file was last changed, or found if that was later. */
  modified: z.string().regex(/^\d+$/),
  /** The file was read to its end and is there no more: kept to know copies of it. */
  gone: z.boolean(),
});
const checkpointSchema = z.object({ version: z.literal(1), input: z.string(), files: z.array(fileSchema) });

/** The position up to which a file was read, with the identity of the file. */
export type FileCheckpoint = Readonly<z.infer<typeof fileSchema>>;

/** Says in some words why a checkpoint cannot be used, without anything that is in it: a damaged file may hold whatever. */
function whyUnusable(error: unknown): string {
  if (error instanceof SyntaxError) return 'it is not JSON';
  if (!(error instanceof z.ZodError)) return errorText(error);
  const [place] = error.issues.map(({ path }) => path.join('.'));
  return place === undefined || place === '' ? 'it is not a checkpoint' : `its ${place} is missing or wrong`;
}

/**
 * The checkpoint file of one input: written as a whole, in one step, so that a crash leaves the old or the new one. Beside it lies what was written since
 * the disk was last waited for: that survives the end of the process, but not always that of the machine.
 */
export class CheckpointFile {
  readonly path: string;
  readonly #latest: string;
  readonly #directory: string;
  readonly #input: string;
  readonly #notice: (notice: InputNotice) => void;
  #failed = false;
  /** Content that was written last, and content that is known to be on the disk. */
  #written = '';
  #durable = '';
  /** Number of the file that the disk has. */
  #inode = 0;

  constructor(directory: string, input: string, notice: (notice: InputNotice) => void) {
    this.#directory = directory;
    this.#input = input;
    this.#notice = notice;
    const name = encodeURIComponent(input).replaceAll('*', '%2A');
    this.path = join(directory, `${name}.json`);
    this.#latest = join(directory, `${name}.latest`);
  }

  /** Reads what the last run wrote without waiting for the disk, unless the checkpoint was written after it, or removed; null: nothing that counts. */
  async #loadLatest(): Promise<readonly FileCheckpoint[] | null> {
    try {
      const [durable, latest] = await Promise.all([this.path, this.#latest].map((path) => stat(path, { bigint: true })));
      if (durable === undefined || latest === undefined || latest.mtimeNs < durable.mtimeNs) return null;
      return checkpointSchema.parse(JSON.parse(await readText(this.#latest, MOST_BYTES))).files;
    } catch {
      return null;
    }
  }

  /**
   * The checkpoints that were written last; none when there is no file, or, with a notice, when it cannot be understood.
   * @throws {InputError} when its disk is away
   */
  async load(): Promise<readonly FileCheckpoint[]> {
    const latest = await this.#loadLatest();
    if (latest !== null) return latest;
    try {
      const text = await readText(this.path, MOST_BYTES);
      if (text.trim() === '') throw new Error('it is empty');
      return checkpointSchema.parse(JSON.parse(text)).files;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      if (isAway(error)) {
        const text = `The checkpoint ${this.path} cannot be read now (${errorText(error)}). Start again when its disk is back: without it all files would be read again.`;
        throw new InputError('checkpoint.unreadable', text, { cause: error });
      }
      this.#replaceUnusable(whyUnusable(error));
      return [];
    }
  }

  #replaceUnusable(why: string): void {
    let fate: string;
    try {
      fate = `It was put aside as ${putAside(this.path)}`;
    } catch (error) {
      fate = `It cannot be put aside (${errorText(error)})`;
    }
    const text = `The checkpoint ${this.path} cannot be used (${why}). ${fate}, and files are read from their beginning again.`;
    this.#notice({ level: 'warning', code: 'checkpoint.unusable', text });
  }

  /** Whether the file that the disk got last is there: its folder may be another one, as when a mount went or came back. */
  async #isThere(): Promise<boolean> {
    const info = await stat(this.path).catch(() => null);
    return info?.ino === this.#inode;
  }

  /**
   * Writes, unless nothing has changed. A failure is reported once, and then that writing works again. Returns whether the file is as it should be.
   * @param isDurable waits until the disk has it, so that it survives the end of the machine
   */
  async save(files: readonly FileCheckpoint[], isDurable = true): Promise<boolean> {
    const text = `${JSON.stringify({ version: 1, input: this.#input, files }, null, 1)}\n`;
    if (text === this.#written && (!isDurable || (text === this.#durable && (await this.#isThere())))) return true;
    const path = isDurable ? this.path : this.#latest;
    const temporary = `${path}.tmp`;
    try {
      await makeFolder(this.#directory, 0o744);
      // Not into what was left there, or into a link.
      await rm(temporary, { force: true });
      const file = await open(temporary, 'wx', 0o660);
      try {
        await file.writeFile(text);
        if (isDurable) {
          await file.datasync();
          this.#inode = (await file.stat()).ino;
        }
      } finally {
        await file.close();
      }
      await rename(temporary, path);
      this.#written = text;
      if (isDurable) {
        this.#durable = text;
        await rm(this.#latest, { force: true });
      }
      if (this.#failed) this.#notice({ level: 'info', code: 'checkpoint.written', text: `The checkpoint ${this.path} is written again.` });
      this.#failed = false;
      return true;
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      if (this.#failed) return false;
      this.#failed = true;
      const why = `The checkpoint ${this.path} cannot be written (${errorText(error)}).`;
      const advice = `${why} After a restart records are read twice. Give the folder write permission, or free some space.`;
      this.#notice({ level: 'warning', code: 'checkpoint.unwritable', text: advice });
      return false;
    }
  }
}
