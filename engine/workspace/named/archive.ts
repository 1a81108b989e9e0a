import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { pipeline } from 'node:stream';
import { EngineError, messageOf } from '../../base/errors.ts';
import { isWithin } from '../../base/text/json-bounds.ts';
import { openFile } from '../../inputs/shared/open-file.ts';
import type { ExportTarget } from '../query/export-result.ts';

/** Bytes of the first line, which says what is in the archive. */
const MOST_HEAD_BYTES = 64 << 20;
/** The content of an archive: marks, and the state that the window keeps. */
const HEAD_BOUNDS = { depth: 500, values: 2_000_000 };
/** Bytes of one piece of a part. */
const MOST_PIECE_BYTES = 1 << 20;
const NEWLINE = 0x0a;
const LENGTH_BYTES = 4;

/** The bytes of one part of an archive, in pieces. */
export type Part = AsyncIterable<Uint8Array>;

/**
 * Writes an archive: a zstd frame of a line of JSON, and then the parts one after the other, each in pieces behind their lengths (four bytes, the
 * highest first), with a length of 0 at its end. A part has no name and no path: the line says what it is.
 */
export async function writeArchive(head: unknown, parts: Iterable<Part>, { signal, write }: ExportTarget): Promise<void> {
  let taken = 0;
  async function* content(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${JSON.stringify(head)}\n`);
    for (const part of parts) {
      for await (const piece of part) {
        if (signal.aborted) return;
        for (let start = 0; start < piece.length; start += MOST_PIECE_BYTES) {
          const cut = piece.subarray(start, start + MOST_PIECE_BYTES);
          yield lengthOf(cut.length);
          yield cut;
          taken += cut.length;
        }
      }
      yield lengthOf(0);
    }
  }
  const packed = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  pipeline(content, packed, () => undefined);
  let told = 0;
  for await (const bytes of packed as AsyncIterable<Uint8Array>) {
    if (signal.aborted) return;
    await write(bytes, taken - told);
    told = taken;
  }
}

function lengthOf(bytes: number): Uint8Array {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes);
  return length;
}

/** The bytes of a file; a pipe or a device is not opened. @param sized is called with their number */
async function* bytesOf(path: string, sized: (bytes: number) => void): AsyncGenerator<Buffer> {
  const file = await openFile(path);
  sized((await file.stat()).size);
  yield* file.createReadStream() as AsyncIterable<Buffer>;
}

/** Reads an archive from its beginning to its end. Whatever is in it, no more is held in memory than the first line and a piece. */
export class ArchiveReader implements AsyncDisposable {
  readonly #path: string;
  readonly #stream: ReturnType<typeof createZstdDecompress>;
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);
  /** Bytes of the file. */
  #size = 0;

  constructor(path: string) {
    this.#path = path;
    this.#stream = createZstdDecompress();
    pipeline(
      bytesOf(path, (bytes) => (this.#size = bytes)),
      this.#stream,
      () => undefined,
    );
    this.#pieces = (this.#stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  /** The first line. @throws {EngineError} `workspace.damaged` */
  async head(): Promise<unknown> {
    const pieces: Buffer[] = [];
    for (let length = 0; length <= MOST_HEAD_BYTES;) {
      const piece = await this.#next();
      const end = piece.indexOf(NEWLINE);
      pieces.push(end < 0 ? piece : piece.subarray(0, end));
      length += piece.length;
      if (end < 0) continue;
      this.#rest = piece.subarray(end + 1);
      const line = Buffer.concat(pieces);
      if (!isWithin(line, HEAD_BOUNDS)) throw this.#damaged('its first line has too many values in it');
      try {
        return JSON.parse(line.toString('utf8'));
      } catch (cause) {
        throw this.#damaged('its first line is not JSON', cause);
      }
    }
    throw this.#damaged('its first line is too long');
  }

  /** The next part, which has to be read to its end. @throws {EngineError} `workspace.damaged` */
  async *part(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const length = (await this.#take(LENGTH_BYTES)).readUInt32BE();
      if (length === 0) return;
      if (length > MOST_PIECE_BYTES) throw this.#damaged('a piece of it is too long');
      yield await this.#take(length);
    }
  }

  /** Checks that nothing follows the last part. @throws {EngineError} `workspace.damaged` */
  async end(): Promise<void> {
    const more = this.#rest.length > 0 || !(await this.#step()).done;
    // What is no frame of zstd is left unread without an error.
    if (more || this.#stream.bytesWritten < this.#size) throw this.#damaged('more follows than it says');
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#stream.destroy();
    return Promise.resolve();
  }

  async #take(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let missing = length;
    while (missing > 0) {
      const piece = this.#rest.length > 0 ? this.#rest : await this.#next();
      const cut = piece.subarray(0, missing);
      this.#rest = piece.subarray(cut.length);
      pieces.push(cut);
      missing -= cut.length;
    }
    return Buffer.concat(pieces);
  }

  async #next(): Promise<Buffer> {
    const step = await this.#step();
    if (step.done === true) throw this.#damaged('it ends too early');
    return step.value;
  }

  async #step(): Promise<IteratorResult<Buffer>> {
    try {
      return await this.#pieces.next();
    } catch (cause) {
      throw this.#damaged(messageOf(cause), cause);
    }
  }

  #damaged(why: string, cause?: unknown): EngineError {
    return new EngineError('workspace.damaged', `${this.#path} is not a workspace that can be read: ${why}.`, { cause });
  }
}
