import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync, unlinkSync, writeSync, writevSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Text } from '../../message/latin-text.ts';

/**
 * An unlinked file that the engine and a sandbox host share for large parts of frames, so that neither waits while the other reads large data
 * from a pipe bit by bit. Each side writes to its own half as a ring buffer; the frames carry the position of the data and the position up to
 * which the other half was read. Positions count on beyond the end of a half, modulo 2 ** 32.
 */

/** Bytes of each half; a power of two. */
export const HALF_BYTES = 1 << 23;
/** Bytes of block and texts below which a frame goes through the pipe. */
export const WORTHWHILE_BYTES = 1 << 14;
/** Stands for a position when the data is in the pipe. */
export const INLINE = 0xffff_ffff;

/** Folders for the file, the first that exists; /dev/shm is in memory. */
const FOLDERS = ['/dev/shm', tmpdir()];

/** Opens a shared file; null on Windows, where an open file cannot be unlinked, or when it fails. Then everything goes through the pipe. */
export function openScratch(): number | null {
  if (platform() === 'win32') return null;
  const path = join(FOLDERS.find((folder) => existsSync(folder)) ?? '', `sluicebox-${randomUUID()}`);
  try {
    const descriptor = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return descriptor;
  } catch {
    return null;
  }
}

/** Bytes, or a text that is encoded when it is written, with one or two bytes for each code unit. */
export type Piece = Uint8Array | TextPiece;

export interface TextPiece {
  readonly text: Text;
  readonly wide: boolean;
  readonly byteLength: number;
}

const isText = (piece: Piece): piece is TextPiece => 'text' in piece;

/** The bytes of a piece. */
export function bytesOf(piece: Piece): Uint8Array {
  return isText(piece) ? textBytes(piece) : piece;
}

const textBytes = ({ text, wide }: TextPiece): Uint8Array =>
  typeof text === 'string' ? Buffer.from(text, encodingOf({ wide })) : text.bytes;
const encodingOf = ({ wide }: Pick<TextPiece, 'wide'>): 'utf16le' | 'latin1' => (wide ? 'utf16le' : 'latin1');

/** Writes to one half of the shared file. */
export class ScratchWriter {
  readonly #descriptor: number;
  readonly #base: number;
  #head = 0;
  #tail = 0;
  /** Whether a write has failed, such as for lack of space. */
  #broken = false;

  /** @param half whose half it is: 0 that of the engine, 1 that of the host */
  constructor(descriptor: number, half: 0 | 1) {
    this.#descriptor = descriptor;
    this.#base = half * HALF_BYTES;
  }

  /** Writes pieces of `size` bytes together and returns their position, or `INLINE` when there is no room. */
  write(pieces: readonly Piece[], size: number): number {
    if (this.#broken || size > HALF_BYTES) return INLINE;
    const left = HALF_BYTES - (this.#head % HALF_BYTES);
    const empty = this.#head === this.#tail;
    // When everything was read, writing starts again at the beginning of the half, whose pages were used before.
    const at = size <= left && !empty ? this.#head : (this.#head + (left % HALF_BYTES)) >>> 0;
    if (empty) this.#tail = at;
    if ((at + size - this.#tail) >>> 0 > HALF_BYTES) return INLINE;
    try {
      writeAll(this.#descriptor, pieces, this.#base + (at % HALF_BYTES));
    } catch {
      this.#broken = true;
      return INLINE;
    }
    this.#head = aligned(at + size);
    return at;
  }

  /** Frees the data up to this position, which the other side has read. */
  free(position: number): void {
    this.#tail = position;
  }
}

/** Reads the half of the shared file that the other side writes. */
export class ScratchReader {
  readonly #descriptor: number;
  readonly #base: number;
  /** The position up to which everything was read. */
  position = 0;

  /** @param half whose half it is: 0 that of the engine, 1 that of the host */
  constructor(descriptor: number, half: 0 | 1) {
    this.#descriptor = descriptor;
    this.#base = half * HALF_BYTES;
  }

  /** Fills these arrays, one after the other, with the data at a position. Throws a RangeError when some of it is missing. */
  read(position: number, arrays: readonly Uint8Array[]): void {
    let at = position % HALF_BYTES;
    for (const array of arrays) {
      if (at + array.length > HALF_BYTES) throw new RangeError('a part of a frame lies outside of what is shared');
      if (array.length > 0 && readSync(this.#descriptor, array, 0, array.length, this.#base + at) !== array.length) {
        throw new RangeError('a part of a frame is missing in what is shared');
      }
      at += array.length;
    }
    this.position = aligned(position - (position % HALF_BYTES) + at);
  }
}

/** Rounds a position up to a multiple of eight. */
function aligned(position: number): number {
  return ((position + 7) & ~7) >>> 0;
}

export function closeScratch(descriptor: number): void {
  closeSync(descriptor);
}

/** Writes pieces one after the other; adjacent arrays go in one system call. */
function writeAll(descriptor: number, pieces: readonly Piece[], position: number): void {
  let at = position;
  let arrays: Uint8Array[] = [];
  const flush = (): void => {
    if (arrays.length > 0) at += writeArrays(descriptor, arrays, at);
    arrays = [];
  };
  for (const piece of pieces) {
    if (!isText(piece) || typeof piece.text !== 'string') {
      arrays.push(bytesOf(piece));
      continue;
    }
    flush();
    at += writeText(descriptor, piece, piece.text, at);
  }
  flush();
}

/** Writes a text without encoding it into a buffer first, unless the file takes only a part of it. */
function writeText(descriptor: number, piece: TextPiece, text: string, position: number): number {
  if (piece.byteLength === 0) return 0;
  const written = writeSync(descriptor, text, position, encodingOf(piece));
  return written === piece.byteLength ? written : writeArrays(descriptor, [bytesOf(piece)], position);
}

function writeArrays(descriptor: number, arrays: Uint8Array[], position: number): number {
  const size = arrays.reduce((sum, array) => sum + array.byteLength, 0);
  let written = writevSync(descriptor, arrays, position);
  if (written === size) return size;
  const rest = Buffer.concat(arrays);
  while (written < size) {
    const more = writeSync(descriptor, rest, written, size - written, position + written);
    if (more === 0) throw new Error('the shared file takes no more');
    written += more;
  }
  return size;
}
