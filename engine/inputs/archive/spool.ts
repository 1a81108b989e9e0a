import { randomUUID } from 'node:crypto';
import { closeSync, openSync, read, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { messageOf } from '../../base/errors.ts';
import { InputError } from '../notices.ts';
import type { Chunks } from '../chunks.ts';

const readFd = promisify(read);
const BLOCK_BYTES = 1 << 20;

/**
 * Bytes that are written once and read from any place: the logs of a packed tar archive, which itself can only be read from its beginning. They lie packed
 * in a temporary file without a name, which is gone when the process ends, however it does.
 */
export class Spool {
  readonly #fd: number;
  readonly #blocks: { readonly at: number; readonly length: number }[] = [];
  #written = 0;
  #open = Buffer.allocUnsafe(BLOCK_BYTES);
  #filled = 0;

  /** @throws {InputError} when there can be no such file */
  constructor() {
    const path = join(tmpdir(), `sluicebox-archive-${randomUUID()}`);
    try {
      this.#fd = openSync(path, 'wx+', 0o600);
      rmSync(path);
    } catch (error) {
      throw unwritable(error);
    }
  }

  /** Position behind what was added. */
  get size(): number {
    return this.#blocks.length * BLOCK_BYTES + this.#filled;
  }

  /** @throws {InputError} when the disk is full */
  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      const taken = bytes.copy(this.#open, this.#filled, at);
      at += taken;
      this.#filled += taken;
      if (this.#filled === BLOCK_BYTES) this.#write();
    }
  }

  /** Nothing more is added. */
  end(): void {
    if (this.#filled > 0) this.#write();
    this.#open = Buffer.alloc(0);
  }

  /** The bytes of a place, after `end`. */
  async *read(from: number, size: number): Chunks {
    for (let at = from; at < from + size;) {
      const block = Math.floor(at / BLOCK_BYTES);
      const start = at - block * BLOCK_BYTES;
      const bytes = (await this.#block(block)).subarray(start, start + from + size - at);
      at += bytes.length;
      yield bytes;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  #write(): void {
    const packed = zstdCompressSync(this.#open.subarray(0, this.#filled), { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
    try {
      for (let at = 0; at < packed.length;) at += writeSync(this.#fd, packed, at, packed.length - at, this.#written + at);
    } catch (error) {
      throw unwritable(error);
    }
    this.#blocks.push({ at: this.#written, length: packed.length });
    this.#written += packed.length;
    this.#filled = 0;
  }

  async #block(number: number): Promise<Buffer> {
    const { at = 0, length = 0 } = this.#blocks[number] ?? {};
    const packed = Buffer.allocUnsafe(length);
    for (let have = 0; have < length;) have += (await readFd(this.#fd, packed, have, length - have, at + have)).bytesRead;
    return zstdDecompressSync(packed);
  }
}

const unwritable = (error: unknown): InputError =>
  new InputError(
    'file.unreadable',
    `What an archive holds cannot be kept in ${tmpdir()}: ${messageOf(error)}. TMPDIR can name another folder for temporary files.`,
    { cause: error },
  );
