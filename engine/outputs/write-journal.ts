import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readRegularFile } from '../base/files/regular-file.ts';
import { errorCode } from '../base/errors.ts';
import { makeFolder } from '../base/files/folders.ts';
import { writeAllPieces } from '../base/files/write-all.ts';
import { z } from 'zod';

const headSchema = z.object({
  /** Ascends from batch to batch. */
  number: z.number().int(),
  path: z.string(),
  /** Numbers of device and file, in decimal. */
  device: z.string(),
  inode: z.string(),
  /** Size of the file before the batch, and bytes of the batch. */
  at: z.number().int().nonnegative(),
  length: z.number().int().nonnegative(),
  /** Mark of the last message of the batch; null: there is none. */
  mark: z.string().nullable(),
});
type Head = z.infer<typeof headSchema>;

/** A batch that is appended to a file. */
export interface JournalBatch extends Omit<Head, 'number' | 'length'> {
  readonly bytes: Uint8Array;
}

/** Two files take turns, so that there is a whole batch while another one is written over. */
const NAMES = ['appended-0', 'appended-1'] as const;
const CHECKSUM_BYTES = 8;

/**
 * Keeps the batch that is being appended to a file, so that it can be completed after the process was killed in the middle of it: a file of two
 * slots, each a checksum, a line of JSON, and the bytes.
 */
export class WriteJournal {
  readonly #folder: string;
  readonly #slots: (FileHandle | undefined)[] = [];
  #number = 0;

  /** @param folder where its files are; it is made when it is missing */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The batch that was noted last; null: there is none that is whole. */
  async last(): Promise<JournalBatch | null> {
    const found = await Promise.all(NAMES.map((name) => readSlot(join(this.#folder, name))));
    const last = found.reduce(
      (best, slot) => (slot !== null && (best === null || slot.head.number > best.head.number) ? slot : best),
      null,
    );
    if (last === null) return null;
    this.#number = last.head.number;
    return { ...last.head, bytes: last.bytes };
  }

  /** Notes a batch before it is written. */
  async note({ bytes, path, device, inode, at, mark }: JournalBatch): Promise<void> {
    const number = this.#number + 1;
    const head: Head = { number, path, device, inode, at, length: bytes.length, mark };
    const line = Buffer.from(`${JSON.stringify(head)}\n`);
    const checksum = Buffer.from(checksumOf(line, bytes), 'latin1');
    try {
      const slot = await this.#slot(number % NAMES.length);
      await writeAllPieces(slot, [checksum, line, bytes], 0);
      this.#number = number;
    } catch (error) {
      // Opened anew by the next attempt: one on a mount that went away would stay dead.
      await this.#closeSlots().catch(() => undefined);
      throw error;
    }
  }

  /** Forgets all: the last batch is complete, and what stands for it is kept elsewhere. */
  async close(): Promise<void> {
    await this.#closeSlots();
    await Promise.all(NAMES.map((name) => remove(join(this.#folder, name))));
  }

  async #closeSlots(): Promise<void> {
    const slots = this.#slots.splice(0);
    await Promise.all(slots.map(async (slot) => slot?.close()));
  }

  async #slot(index: number): Promise<FileHandle> {
    const known = this.#slots[index];
    if (known !== undefined) return known;
    await makeFolder(this.#folder, 0o700);
    const path = join(this.#folder, NAMES[index] as string);
    // Not into what was left there, which is older than the other one, or into a link.
    await rm(path, { force: true });
    const slot = await open(path, 'wx', 0o600);
    this.#slots[index] = slot;
    return slot;
  }
}

const checksumOf = (line: Uint8Array, bytes: Uint8Array): string => crc32(bytes, crc32(line)).toString(16).padStart(CHECKSUM_BYTES, '0');

/** Bytes of a slot that is read. */
const MOST_BYTES = 1 << 30;

async function readSlot(path: string): Promise<{ readonly head: Head; readonly bytes: Uint8Array } | null> {
  const slot = await readRegularFile(path, MOST_BYTES)
    .then(({ bytes }) => bytes)
    .catch(() => null);
  const end = slot?.indexOf(10, CHECKSUM_BYTES) ?? -1;
  if (slot === null || end < 0) return null;
  const line = slot.subarray(CHECKSUM_BYTES, end + 1);
  const head = headSchema.safeParse(jsonOrNull(line.toString()));
  if (!head.success) return null;
  const bytes = slot.subarray(end + 1, end + 1 + head.data.length);
  return slot.toString('latin1', 0, CHECKSUM_BYTES) === checksumOf(line, bytes) ? { head: head.data, bytes } : null;
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Removes a slot. There is none where something else has the folder's name: notes failed then, which was said. */
async function remove(path: string): Promise<void> {
  await rm(path, { force: true }).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOTDIR') throw error;
  });
}
