import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readRegularFile, RegularFileError } from '../../base/files/regular-file.ts';
import { errorCode } from '../../base/errors.ts';
import { makeFolder } from '../../base/files/folders.ts';
import { writeAllPieces } from '../../base/files/write-all.ts';
import type { StateHead } from '../contract/protocol.ts';

/** A script's state as its host sent it. */
export interface SavedScript {
  readonly head: StateHead;
  /** A description of the objects, with one or two bytes for each code unit. */
  readonly text: Uint8Array;
  readonly block: Uint8Array;
}

/** A preservation file cannot be read or written. An unusable file is left as it is. */
class PreservationError extends Error {
  override readonly name = 'PreservationError';
}

const MAGIC = 'sluicebox-state-2';

/** The first line of a file: the byte lengths of text and block, which follow it, and the SHA-256 of the state's head, text and block. */
interface FileHead extends StateHead {
  readonly format: typeof MAGIC;
  readonly text: number;
  readonly block: number;
  readonly sha256: string;
}

/** Writes a state atomically: a crash leaves the old file or the new one. Creates the folder when it is missing. */
export async function writeState(path: string, { head, text, block }: SavedScript): Promise<void> {
  const sha256 = checksumOf(head, text, block);
  const first: FileHead = { format: MAGIC, ...head, text: text.byteLength, block: block.byteLength, sha256 };
  // A draft that a crash left behind is removed next time, as is a link that waits there.
  const draft = `${path}.tmp`;
  await makeFolder(dirname(path), 0o700);
  try {
    await rm(draft, { force: true });
    const file = await open(draft, 'wx', 0o600);
    try {
      await writeAllPieces(file, [Buffer.from(`${JSON.stringify(first)}\n`), text, block], 0);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw new PreservationError(`cannot write the preserved data '${path}': ${textOf(error)}`, { cause: error });
  }
}

/** A value takes at most so many times as much room in a file as in memory: a control character is `\u0000`, in two bytes a sign. */
const ROOM = 16;
/** Bytes that a state may take beside the values. */
const ROOM_BESIDE = 1 << 20;

/** Bytes of a state under no limit. */
const MOST_BYTES = 1 << 30;

/**
 * Reads a state; null when there is no file. A damaged file or one of another format is a PreservationError.
 * @param memory the script's limit, 0 for none: a file that is larger than any state under it is not read
 */
export async function readState(path: string, memory = 0): Promise<SavedScript | null> {
  let bytes: Buffer;
  try {
    ({ bytes } = await readRegularFile(path, memory > 0 ? memory * ROOM + ROOM_BESIDE : MOST_BYTES));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    const isTooLarge = memory > 0 && error instanceof RegularFileError && error.isTooLarge;
    const why = isTooLarge ? `it is too large for a script with a memory_limit of ${memory}` : textOf(error);
    throw new PreservationError(`cannot read the preserved data '${path}': ${why}`, { cause: error });
  }
  const end = bytes.indexOf('\n');
  const head = headOf(bytes.subarray(0, Math.max(0, end)).toString());
  if (head === null) throw new PreservationError(`'${path}' is not preserved data; remove it to start without`);
  const text = bytes.subarray(end + 1, end + 1 + head.text);
  const block = bytes.subarray(end + 1 + head.text);
  if (block.byteLength !== head.block || head.sha256 !== checksumOf(head, text, block)) {
    throw new PreservationError(`the preserved data '${path}' is damaged; remove it to start without`);
  }
  return { head: { wide: head.wide, version: head.version }, text, block };
}

function checksumOf({ wide, version }: StateHead, text: Uint8Array, block: Uint8Array): string {
  return createHash('sha256')
    .update(JSON.stringify([wide, version]))
    .update(text)
    .update(block)
    .digest('hex');
}

function headOf(line: string): FileHead | null {
  try {
    const head = JSON.parse(line) as FileHead;
    const { format, wide, version, text, block } = head;
    const isVersion = version === null || typeof version === 'number';
    return format === MAGIC && typeof wide === 'boolean' && isVersion && Number.isSafeInteger(text) && Number.isSafeInteger(block)
      ? head
      : null;
  } catch {
    return null;
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
