import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync, unlinkSync, writeSync, writevSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A file without a name that the engine and a sandbox host share: what is large goes through it, so that neither waits while the other takes
 * large data out of a pipe bit by bit. Each writes to a half of its own, around and around; where it was written, and how far the
 * other's half was read, goes along with the frames. Positions count on beyond the end of a half, modulo 2 ** 32.
 */

/** Bytes of each half; a power of two. */
export const HALF_BYTES = 1 << 22;
/** Frames with less than this go through the pipe. */
export const WORTHWHILE_BYTES = 1 << 14;
/** Instead of a position: the data is in the pipe. */
export const INLINE = 0xffff_ffff;

/** In memory where the system has a folder for that. */
const FOLDERS = ['/dev/shm', tmpdir()];

/** Opens such a file; null where a file that is open cannot lose its name, or where none can be made. Then everything goes through the pipe. */
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

/** Bytes, or a text that becomes bytes where it is written: one a unit, or two. */
export type Piece = Uint8Array | TextPiece;

export interface TextPiece {
  readonly text: string;
  readonly wide: boolean;
  readonly byteLength: number;
}

const isText = (piece: Piece): piece is TextPiece => 'text' in piece;

/** The bytes of a piece. */
export function bytesOf(piece: Piece): Uint8Array {
  return isText(piece) ? Buffer.from(piece.text, encodingOf(piece)) : piece;
}

const encodingOf = ({ wide }: TextPiece): 'utf16le' | 'latin1' => (wide ? 'utf16le' : 'latin1');

/** What one side writes. */
export class ScratchWriter {
  readonly #descriptor: number;
  readonly #base: number;
  #head = 0;
  #taken = 0;
  /** The file does not take what is written, such as for want of space. */
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
    const empty = this.#head === this.#taken;
    // Where all was read, the places that were used last are the nearest ones.
    const at = size <= left && !empty ? this.#head : (this.#head + (left % HALF_BYTES)) >>> 0;
    if (empty) this.#taken = at;
    if ((at + size - this.#taken) >>> 0 > HALF_BYTES) return INLINE;
    try {
      writeAll(this.#descriptor, pieces, this.#base + (at % HALF_BYTES));
    } catch {
      this.#broken = true;
      return INLINE;
    }
    this.#head = aligned(at + size);
    return at;
  }

  /** The other side has read as far as this. */
  free(position: number): void {
    this.#taken = position;
  }
}

/** What the other side wrote. */
export class ScratchReader {
  readonly #descriptor: number;
  readonly #base: number;
  /** How far everything was read. */
  position = 0;

  /** @param half whose half it is: 0 that of the engine, 1 that of the host */
  constructor(descriptor: number, half: 0 | 1) {
    this.#descriptor = descriptor;
    this.#base = half * HALF_BYTES;
  }

  /** Fills these arrays, one after the other, with what was written at a position. A RangeError when it is not all there. */
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

/** The next position that an array may begin at. */
function aligned(position: number): number {
  return ((position + 7) & ~7) >>> 0;
}

export function closeScratch(descriptor: number): void {
  closeSync(descriptor);
}

/** Writes pieces one behind the other; arrays that are neighbours go together. */
function writeAll(descriptor: number, pieces: readonly Piece[], position: number): void {
  let at = position;
  let arrays: Uint8Array[] = [];
  const flush = (): void => {
    if (arrays.length > 0) at += writeArrays(descriptor, arrays, at);
    arrays = [];
  };
  for (const piece of pieces) {
    if (!isText(piece)) {
      arrays.push(piece);
      continue;
    }
    flush();
    at += writeText(descriptor, piece, at);
  }
  flush();
}

/** Without making the bytes of the text anew, unless the file takes them bit by bit. */
function writeText(descriptor: number, piece: TextPiece, position: number): number {
  if (piece.byteLength === 0) return 0;
  const written = writeSync(descriptor, piece.text, position, encodingOf(piece));
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
