import { rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolderSync, removeLeftovers } from '../folders.ts';
import { Serial } from '../serial.ts';
import type { FilePlace } from './segment.ts';

const NAME = /^segments-(\d+)-\d+\.tmp$/;
/** Pieces that one call to the system takes (IOV_MAX is 1024 on Linux and macOS). */
const MAX_PIECES = 512;
let opened = 0;

/**
 * The temporary file that segments are appended to. It belongs to this process: where the system allows it, it has no name
 * as soon as it is open, so nothing is left behind by a crash.
 */
export class SegmentFile {
  readonly #handle: Promise<FileHandle>;
  readonly #path: string;
  #end = 0;
  readonly #writes = new Serial();

  /** @param folder is made when it is missing; files that dead processes left there are removed */
  constructor(folder: string) {
    makeFolderSync(folder, 0o700);
    removeLeftovers(folder, NAME);
    this.#path = join(folder, `segments-${process.pid}-${opened++}.tmp`);
    this.#handle = this.#open();
    // The first write or read reports a failure.
    this.#handle.catch(() => undefined);
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#end;
  }

  /** Appends these pieces, one behind the other; resolves when they can be read. */
  async append(pieces: readonly Uint8Array[]): Promise<FilePlace> {
    const place = { offset: this.#end, length: pieces.reduce((sum, piece) => sum + piece.length, 0) };
    this.#end += place.length;
    await this.#writes.run(async () => {
      const handle = await this.#handle;
      for (let first = 0, at = place.offset; first < pieces.length; first += MAX_PIECES) {
        at += await writePieces(handle, pieces.slice(first, first + MAX_PIECES), at);
      }
    });
    return place;
  }

  /** @throws {Error} when the file ends before the place does */
  async read(place: FilePlace): Promise<Uint8Array<ArrayBuffer>> {
    const handle = await this.#handle;
    const bytes = new Uint8Array(place.length);
    for (let done = 0; done < place.length;) {
      const { bytesRead } = await handle.read(bytes, done, place.length - done, place.offset + done);
      if (bytesRead === 0) throw new Error(`the record store ended at ${place.offset + done}, within a segment`);
      done += bytesRead;
    }
    return bytes;
  }

  async close(): Promise<void> {
    await this.#writes.idle();
    const handle = await this.#handle.catch(() => null);
    await handle?.close();
    rmSync(this.#path, { force: true });
  }

  async #open(): Promise<FileHandle> {
    const handle = await open(this.#path, 'wx+', 0o600);
    if (process.platform !== 'win32') rmSync(this.#path, { force: true });
    return handle;
  }
}

/** Writes all of these pieces, also when the system takes them bit by bit. */
async function writePieces(handle: FileHandle, pieces: Uint8Array[], position: number): Promise<number> {
  let done = 0;
  for (let rest = pieces.filter((piece) => piece.length > 0); rest.length > 0;) {
    const { bytesWritten } = await handle.writev(rest, position + done);
    done += bytesWritten;
    rest = behind(rest, bytesWritten);
  }
  return done;
}

/** The pieces without so many bytes at their beginning. */
function behind(pieces: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skip = bytes;
  let first = 0;
  while (first < pieces.length && (pieces[first] as Uint8Array).length <= skip) skip -= (pieces[first++] as Uint8Array).length;
  const rest = pieces.slice(first);
  if (skip > 0) rest[0] = (rest[0] as Uint8Array).subarray(skip);
  return rest;
}
