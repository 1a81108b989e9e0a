import type { FileHandle } from 'node:fs/promises';
import { nowNs } from '../../message/timestamp.ts';
import { fileChunks, textChunks } from '../chunks.ts';
import { positionHash, type HashedPosition } from '../position-hash.ts';
import { COMPRESSED_BYTES } from '../probe.ts';
import { bytesBefore, compressionOf, isAt, matchUnpacked, withFile } from './identity.ts';
import { MIN_COPY_BYTES, type Start } from './known-files.ts';
import { isPackedName, isRotatedName, sameFamily, type Sibling } from './rotation.ts';
import type { Mark, Tail } from './tail.ts';

/** A file that did not change for so long is taken as completely written. */
const COMPLETE_MS = 1000;
/** A packed file of which nothing can be unpacked, and that did not change for so long, is taken as damaged. */
const STALLED_MS = 10_000;
const COMPLETE_NS = BigInt(COMPLETE_MS) * 1_000_000n;
/** Bytes at the beginning of a packed file that are compared with those of another one. */
const PACKED_BYTES = 16_384;
/** Bytes at the beginning of two files that are compared. */
const COMPARED_BYTES = 65_536;

/**
 * Whether a new file is the copy of one that is being read, as rotation by copying or packing makes it. `wait`: it is or can be one
 * that is still being written, that may get the contents of a file that is going to be truncated, or that has what is not acknowledged yet: ask again.
 * `original-first`: so it is, and its original is read in any case. Null: it is none.
 */
export async function copyOfLive(tail: Tail, handle: FileHandle, tails: Iterable<Tail>): Promise<Start | 'wait' | 'original-first' | null> {
  if (!isRotatedName(tail.path)) return null;
  const family = [...tails].filter((other) => other !== tail && sameFamily(other.path, tail.path));
  const originals = family.filter((other) => other.fresh === null);
  if (family.length === 0) return null;
  tail.see(await handle.stat({ bigint: true }));
  if (tail.size === 0 || (isPackedName(tail.path) && tail.size < COMPRESSED_BYTES && !tail.isQuiet(STALLED_MS)))
    return originals.length === 0 ? null : 'wait';
  const format = await compressionOf(handle);
  if (format !== null) {
    if (originals.length === 0) return null;
    if (!isComplete(tail) && !tail.isQuiet(COMPLETE_MS)) return 'wait';
    const positions = originals.map((original) => ({ offset: original.mark.position, hash: positionHash(original.mark.guard), original }));
    const read = positions.filter(({ offset }) => offset >= MIN_COPY_BYTES);
    const found = await matchUnpacked(handle, read).catch(() => undefined);
    const head = found === undefined || !tail.isQuiet(COMPLETE_MS) ? await unpackedHead(handle) : null;
    // It is still being written, though others wait for it: what it holds cannot be told yet.
    if (!tail.isQuiet(COMPLETE_MS) && (found === undefined || head?.length === 0)) return 'original-first';
    if (found === undefined && head !== null && head.length < MIN_COPY_BYTES && !tail.isQuiet(STALLED_MS)) return 'wait';
    // One that is packed so slowly, or not to its end, has nothing that its original did not have.
    const original = found?.match.original ?? (found === undefined && head !== null ? await begunAs(head, originals) : null);
    if (original === null) return null;
    const { mark, acknowledged } = original;
    return acknowledged.position < mark.position ? 'original-first' : { mark, format };
  }
  for (const original of originals) {
    const length = Math.min(tail.size, original.mark.position);
    // Positions in a packed file count the bytes of its text, of which only those before the mark are known.
    if (length < MIN_COPY_BYTES || (original.isCompressed && length < original.mark.position)) continue;
    const isEqual = await isEqualBefore(length, handle, original);
    if (isEqual === false) continue;
    // It was emptied since it was looked at.
    if (isEqual === null) return 'original-first';
    if (tail.size > original.acknowledged.position || !tail.isQuiet(COMPLETE_MS))
      return original.comesAfter(tail) ? 'wait' : 'original-first';
    const guard = (await bytesBefore(handle, length)) ?? Buffer.alloc(0);
    return {
      mark: { position: length, guard, state: { line: 0, skipping: false, midLine: guard.at(-1) !== 10 } },
      format: original.format,
    };
  }
  return null;
}

/**
 * The file that a packed one was made of, as far as that is still read: it has begun alike. It is read to its end in any case, whether it has a name or not, so
 * the packed one comes behind it. null: there is none.
 */
export async function packedOriginal(packed: Tail, handle: FileHandle, tails: Iterable<Tail>): Promise<Tail | null> {
  if (!isRotatedName(packed.path)) return null;
  const family = [...tails].filter((other) => other !== packed && other.handle !== null && sameFamily(other.path, packed.path));
  if (family.length === 0 || (await compressionOf(handle)) === null) return null;
  const read: Tail[] = [];
  for (const other of family) if (!other.drained || (await other.hasMore())) read.push(other);
  return read.length === 0 ? null : begunAs(await unpackedHead(handle), read);
}

/** The first of some files, open and not packed, that begins with these bytes; null: there is none, or the bytes are too few to tell. */
async function begunAs(head: Buffer, tails: readonly Tail[]): Promise<Tail | null> {
  if (head.length < MIN_COPY_BYTES) return null;
  for (const tail of tails) {
    if (tail.handle === null || tail.isCompressed) continue;
    if ((await beginning(tail.handle, head.length)).equals(head)) return tail;
  }
  return null;
}

/** The first bytes of a packed file, which may not be complete yet. */
async function unpackedHead(handle: FileHandle): Promise<Buffer> {
  const chunks = textChunks(fileChunks(handle), '');
  const first = await chunks.next().catch(() => null);
  await chunks.return().catch(() => undefined);
  return first === null || first.done === true ? Buffer.alloc(0) : Buffer.from(first.value.subarray(0, PACKED_BYTES));
}

/** Files between two others in a rotation are complete. */
export const isComplete = (tail: Tail): boolean => tail.retiredAt > 0 || tail.awaited;

/** Whether the bytes before a position are those of the original; null: that does not reach so far any more. */
async function isEqualBefore(position: number, handle: FileHandle, original: Tail): Promise<boolean | null> {
  const { mark } = original;
  if (position !== mark.position && original.handle === null) return false;
  const ours = position === mark.position || original.handle === null ? mark.guard : await bytesBefore(original.handle, position);
  const theirs = await bytesBefore(handle, position);
  return ours === null ? null : theirs?.equals(ours) === true;
}

/** Position up to which a file is read, and how it began when nothing was read of it. */
export interface ReadMark {
  readonly mark: Mark;
  readonly head: HashedPosition | null;
}

/**
 * Compares a file with one that is read up to a mark. `again`: the other file is a copy, whole or half made, of what the original still holds. `moved`: it is
 * a copy of what the original held before it was emptied. `nothing`: it is no copy.
 */
export async function copiedFrom(original: FileHandle, { mark, head }: ReadMark, other: Sibling): Promise<'nothing' | 'again' | 'moved'> {
  if (mark.position === 0) {
    if (head !== null && !(await isAt(head, original)) && (await withFile(other, (handle) => isAt(head, handle))) === true) return 'moved';
    return (await isCopyUnderWay(other, original)) ? 'again' : 'nothing';
  }
  const isThere = (await bytesBefore(original, mark.position))?.equals(mark.guard) === true;
  const found = await withFile(other, async (handle) => {
    const { size } = await handle.stat();
    const length = Math.min(size, mark.position);
    if (!isThere) return length === mark.position && (await bytesBefore(handle, length))?.equals(mark.guard) === true ? 'moved' : 'nothing';
    const [ours, theirs] = [await bytesBefore(original, length), await bytesBefore(handle, length)];
    return ours !== null && theirs?.equals(ours) === true ? 'again' : 'nothing';
  });
  return found ?? 'nothing';
}

/** Whether a file is just being written and has begun like an open one so far: a copy of it that is being made. */
async function isCopyUnderWay(copy: Sibling, original: FileHandle): Promise<boolean> {
  if (nowNs() - copy.stat.mtimeNs > COMPLETE_NS) return false;
  const begun = await withFile(copy, (handle) => beginning(handle, COMPARED_BYTES));
  return begun !== null && begun.equals(await beginning(original, begun.length));
}

async function beginning(handle: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, 0);
  return bytes.subarray(0, bytesRead);
}
