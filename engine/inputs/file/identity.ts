import type { FileHandle } from 'node:fs/promises';
import { isServerAway } from '../../base/errors.ts';
import { fileChunks, textChunks } from '../chunks.ts';
import { GUARD_BYTES, positionHash, type HashedPosition } from '../position-hash.ts';
import { COMPRESSED_BYTES, compressionBy, probe, type Compression } from '../probe.ts';
import { openByKey, type Sibling } from './rotation.ts';

/** The bytes before a position of an open file, at most `GUARD_BYTES`; null when the file does not reach that far. */
export async function bytesBefore(handle: FileHandle, position: number): Promise<Buffer | null> {
  const length = Math.min(position, GUARD_BYTES);
  const bytes = Buffer.alloc(length);
  if (length === 0) return bytes;
  const { bytesRead } = await handle.read(bytes, 0, length, position - length);
  return bytesRead === length ? bytes : null;
}

/** Whether the bytes before a position are those that it was made of. */
export async function isAt({ offset, hash }: HashedPosition, handle: FileHandle): Promise<boolean> {
  const before = await bytesBefore(handle, offset);
  return before !== null && positionHash(before) === hash;
}

/** The first bytes of an open file, of a packed one none, at most `GUARD_BYTES`; null: it is empty. */
export async function firstBytes(handle: FileHandle): Promise<Buffer | null> {
  const bytes = Buffer.alloc(GUARD_BYTES);
  const { bytesRead } = await handle.read(bytes, 0, GUARD_BYTES, 0);
  if (bytesRead === 0) return null;
  const head = bytes.subarray(0, bytesRead);
  return probe(head).kind === 'compressed' ? Buffer.alloc(0) : head;
}

/**
 * For a compressed file the same as `bytesBefore`, in its unpacked text, for the positions that have their hash: returns the bytes before the
 * greatest of those positions, and which it is.
 */
export async function matchUnpacked<T extends HashedPosition>(
  handle: FileHandle,
  positions: readonly T[],
): Promise<{ readonly match: T; readonly guard: Buffer } | null> {
  const sorted = positions.toSorted((a, b) => a.offset - b.offset);
  let best: { readonly match: T; readonly guard: Buffer } | null = null;
  let history: Buffer = Buffer.alloc(0);
  let end = 0;
  for await (const chunk of textChunks(fileChunks(handle), '')) {
    const bytes = Buffer.concat([history, chunk]);
    const start = end - history.length;
    end += chunk.length;
    while (sorted[0] !== undefined && sorted[0].offset <= end) {
      const match = sorted.shift() as T;
      const at = match.offset - start;
      const guard = Buffer.from(bytes.subarray(Math.max(0, at - GUARD_BYTES), at));
      if (positionHash(guard) === match.hash) best = { match, guard };
    }
    if (sorted.length === 0) break;
    history = Buffer.from(bytes.subarray(Math.max(0, bytes.length - GUARD_BYTES)));
  }
  return best;
}

/** The compression of a file, if it is one that can be unpacked; null otherwise. */
export async function compressionOf(handle: FileHandle): Promise<Compression | null> {
  const head = Buffer.alloc(COMPRESSED_BYTES);
  const { bytesRead } = await handle.read(head, 0, head.length, 0);
  return compressionBy(head.subarray(0, bytesRead));
}

/** Opens a file for `use`, whatever its name is by now, and closes it; null when it cannot be opened or read. Throws when its server is away. */
export async function withFile<T>({ path, key }: Sibling, use: (handle: FileHandle) => Promise<T>): Promise<T | null> {
  try {
    const handle = await openByKey(path, key);
    if (handle === null) return null;
    try {
      return await use(handle);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isServerAway(error)) throw error;
    return null;
  }
}
