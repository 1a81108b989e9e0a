import type { Duplex } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { bzip2Text } from './packed/bzip2.ts';
import { DamagedError, TooLargeError } from './packed/errors.ts';
import { lz4Text } from './packed/lz4.ts';
import { lzmaText } from './packed/lzma.ts';
import { xzText } from './packed/xz.ts';
import type { Compression } from './probe.ts';

type Bytes = AsyncGenerator<Buffer, void, undefined>;

/** Of a damaged stream, what these compressed bytes before the damage would give is lost. */
const PIECE_BYTES = 16 << 10;
/** These bytes at the end come one by one: a checksum that is wrong stands there, behind everything else. */
const LAST_BYTES = 16;

/** Bounds of what is unpacked. */
interface Bounds {
  /** Most bytes of text for each packed byte, as soon as there are more than `freeBytes`. */
  readonly ratio: number;
  readonly freeBytes: number;
}

const BOUNDS: Bounds = { ratio: 1000, freeBytes: 1 << 30 };

/**
 * The uncompressed bytes of a gzip (RFC 1952), zstd (RFC 8878), bzip2, xz, lzma or lz4 stream of any number of members, frames or streams. From a stream that
 * ends too early or has wrong checksums comes all that can be read, of bzip2 and lz4 the blocks before, from one that is damaged elsewhere nearly all, then
 * the error. Leaving the iteration also ends the source.
 * @throws {TooLargeError} for a text beyond the bounds, behind what is within them
 */
export async function* decompressed(source: AsyncIterable<Buffer>, format: Compression, bounds = BOUNDS): Bytes {
  const size = { packed: 0, text: 0 };
  for await (const chunk of UNPACKERS[format](counted(source, size))) {
    size.text += chunk.length;
    if (size.text > bounds.freeBytes && size.text > size.packed * bounds.ratio)
      throw new TooLargeError(`more than ${bounds.ratio} times its packed size`);
    yield chunk;
  }
}

const CHUNK = { chunkSize: 256 << 10 };
const UNPACKERS: Readonly<Record<Compression, (source: Bytes) => Bytes>> = {
  gzip: (source) => decodedBy(createGunzip(CHUNK), source),
  zstd: (source) => decodedBy(createZstdDecompress(CHUNK), source),
  bzip2: bzip2Text,
  xz: xzText,
  lzma: lzmaText,
  lz4: lz4Text,
};

async function* counted(source: AsyncIterable<Buffer>, size: { packed: number }): Bytes {
  for await (const chunk of source) {
    size.packed += chunk.length;
    yield chunk;
  }
}

async function* decodedBy(stream: Duplex, source: AsyncIterable<Buffer>): Bytes {
  const decoder = new Decoder(stream);
  try {
    for await (const piece of piecesOf(source)) {
      yield* decoder.output((stream, done) => stream.write(piece, done));
      if (decoder.ended) return;
    }
    yield* decoder.output((stream) => stream.end());
  } finally {
    decoder.close();
  }
}

async function* piecesOf(source: AsyncIterable<Buffer>): Bytes {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes = Buffer.concat([held, chunk]);
    const whole = Math.max(0, bytes.length - LAST_BYTES);
    for (let at = 0; at < whole; at += PIECE_BYTES) yield bytes.subarray(at, Math.min(at + PIECE_BYTES, whole));
    held = bytes.subarray(whole);
  }
  for (let at = 0; at < held.length; at++) yield held.subarray(at, at + 1);
}

/** Gives all that a stream makes of a piece before it tells the error of that piece. */
class Decoder {
  readonly #stream: Duplex;
  #wake = (): void => undefined;
  #error: Error | null = null;
  /** Behind the last member there is something else. */
  ended = false;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on('readable', () => this.#wake());
    stream.on('end', () => {
      this.ended = true;
      this.#wake();
    });
    stream.on('error', (error) => {
      this.#error = error;
      this.#wake();
    });
  }

  /** @param step calls its second argument when it is done with a piece; the end of the stream and errors are noticed without */
  async *output(step: (stream: Duplex, done: () => void) => void): Bytes {
    const work = { isDone: false };
    step(this.#stream, () => {
      work.isDone = true;
      this.#wake();
    });
    for (;;) {
      const chunk = this.#stream.read() as Buffer | null;
      if (chunk !== null) yield chunk;
      else if (this.#error !== null) throw this.#error;
      else if (work.isDone || this.ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  close(): void {
    this.#stream.destroy();
  }
}

/** Whether an error says that a compressed stream ended too early, is damaged or goes beyond the bounds. */
export function isDamaged(error: unknown): boolean {
  if (error instanceof DamagedError || error instanceof TooLargeError) return true;
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code !== undefined && (code.startsWith('Z_') || code.startsWith('ZSTD_') || code === 'ERR_TRAILING_JUNK_AFTER_STREAM_END');
}
