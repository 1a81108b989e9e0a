/**
 * The framing between the engine and a sandbox host. A frame is a header, a head (JSON), a block (columns, each at a multiple of eight bytes)
 * and texts (raw bytes). The header is eight little-endian uint32: kind, box, call, the byte lengths of head, block and texts, the position of
 * block and texts in the shared file or INLINE, and the position up to which the sender has read the other half of that file. See scratch.ts.
 */
import { bytesOf, HALF_BYTES, INLINE, WORTHWHILE_BYTES, type Piece, type ScratchReader, type ScratchWriter } from './scratch.ts';

const HEADER_BYTES = 32;

/** Largest valid head in bytes. */
const MAX_HEAD = 1 << 28;
/** Largest valid block or texts in bytes. */
const MAX_PART = 2 ** 31;

export interface Frame {
  readonly kind: number;
  /** Number of the sandbox; 0: the host itself. */
  readonly box: number;
  readonly call: number;
  readonly head: string;
  readonly block: ArrayBuffer;
  readonly texts: Buffer;
}

export interface OutgoingFrame {
  readonly kind: number;
  readonly box: number;
  readonly call: number;
  readonly head: string;
  /** Pieces of the block, already padded. */
  readonly block?: readonly Uint8Array[];
  readonly texts?: readonly Piece[];
}

/** The stream holds an invalid frame; nothing after it can be read. */
class FrameError extends Error {
  override readonly name = 'FrameError';
}

const sizeOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, piece) => sum + piece.byteLength, 0);

/** The shared file as one side uses it: a writer for its own half and a reader for the other one. */
export interface Shared {
  readonly writer: ScratchWriter;
  readonly reader: ScratchReader;
}

/** Encodes a frame as buffers to write in order. Large parts go to the shared file, when there is one with room, and are not among them. */
export function encodeFrame(frame: OutgoingFrame, shared: Shared | null = null): Uint8Array[] {
  const { block = [], texts = [] } = frame;
  const [blockBytes, textBytes] = [sizeOf(block), sizeOf(texts)];
  const size = blockBytes + textBytes;
  const place = shared === null || size < WORTHWHILE_BYTES ? INLINE : shared.writer.write([...block, ...texts], size);
  const headBytes = Buffer.byteLength(frame.head, 'utf8');
  const start = Buffer.allocUnsafe(HEADER_BYTES + headBytes);
  const numbers = [frame.kind, frame.box, frame.call, headBytes, blockBytes, textBytes, place, shared?.reader.position ?? 0];
  for (const [i, number] of numbers.entries()) start.writeUInt32LE(number, i * 4);
  start.write(frame.head, HEADER_BYTES, 'utf8');
  return place === INLINE ? [start, ...block, ...texts.map(bytesOf)] : [start];
}

/** Largest memory that is kept for the texts of later frames. */
const MAX_SPARE = 1 << 22;

/** Parses a stream of bytes into frames: `push` adds bytes, `next` returns one frame. */
export class FrameReader {
  readonly #header = Buffer.alloc(HEADER_BYTES);
  /** Memory of texts that nobody reads any more. */
  #spare: ArrayBufferLike = new ArrayBuffer(0);
  #shared: Shared | null = null;
  #filled = 0;
  #parts: readonly [head: Buffer, block: Buffer, texts: Buffer] | null = null;
  #part = 0;
  /** Number of parts that come through the pipe; the others are in the shared file. */
  #inPipe = 3;
  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0;

  /** Allows parts of later frames to be in the shared file. */
  share(shared: Shared): void {
    this.#shared = shared;
  }

  /** Takes back the texts of a frame that nobody reads any more: new memory for each batch is garbage that a host has to collect. */
  release({ texts: { buffer } }: Frame): void {
    if (buffer.byteLength > this.#spare.byteLength && buffer.byteLength <= MAX_SPARE) this.#spare = buffer;
  }

  /** Adds bytes. They must not change until `next` has returned null. */
  push(chunk: Uint8Array): void {
    this.#chunk = this.#at === this.#chunk.length ? chunk : Buffer.concat([this.#chunk.subarray(this.#at), chunk]);
    this.#at = 0;
  }

  /** The next frame; null when more bytes are needed. An invalid header is a FrameError. */
  next(): Frame | null {
    while (!this.#complete()) {
      if (this.#at === this.#chunk.length) return null;
      const target = this.target();
      const count = Math.min(target.length, this.#chunk.length - this.#at);
      target.set(this.#chunk.subarray(this.#at, this.#at + count));
      this.#at += count;
      this.filled(count);
    }
    return this.#finish();
  }

  /** Whether a frame has begun and is not complete. */
  get inside(): boolean {
    return this.#parts !== null || this.#filled > 0;
  }

  /** The buffer for the next bytes, for a source that reads into it after `next` has returned null; `filled` must follow. */
  target(): Buffer {
    const target = this.#parts === null ? this.#header : (this.#parts[this.#part] as Buffer);
    return target.subarray(this.#filled);
  }

  /** Says that `count` bytes were read into `target()`. */
  filled(count: number): void {
    this.#filled += count;
    const target = this.#parts === null ? this.#header : (this.#parts[this.#part] as Buffer);
    if (this.#filled === target.length) this.#advance();
  }

  #advance(): void {
    this.#filled = 0;
    if (this.#parts === null) this.#begin();
    else this.#part++;
    while (this.#part < this.#inPipe && this.#parts?.[this.#part]?.length === 0) this.#part++;
  }

  #begin(): void {
    const [head, block, texts, place, freed] = [12, 16, 20, 24, 28].map((at) => this.#header.readUInt32LE(at)) as [
      number,
      number,
      number,
      number,
      number,
    ];
    if (head > MAX_HEAD || block > MAX_PART || texts > MAX_PART) throw new FrameError('a frame of an impossible size');
    if (place !== INLINE && block + texts > HALF_BYTES) throw new FrameError('a frame that is larger than what is shared');
    this.#shared?.writer.free(freed);
    this.#parts = [Buffer.allocUnsafeSlow(head), Buffer.from(new ArrayBuffer(block)), this.#memoryFor(texts)];
    this.#part = 0;
    this.#inPipe = place === INLINE ? 3 : 1;
    if (place !== INLINE) this.#readShared(place, this.#parts);
  }

  #memoryFor(bytes: number): Buffer<ArrayBufferLike> {
    if (bytes === 0 || bytes > this.#spare.byteLength) return Buffer.allocUnsafeSlow(bytes);
    const spare = this.#spare;
    this.#spare = new ArrayBuffer(0);
    return Buffer.from(spare, 0, bytes);
  }

  #readShared(place: number, [, block, texts]: readonly [head: Buffer, block: Buffer, texts: Buffer]): void {
    if (this.#shared === null) throw new FrameError('a frame with parts in what is not shared');
    try {
      this.#shared.reader.read(place, [block, texts]);
    } catch (error) {
      throw new FrameError('a frame whose parts are not where it says', { cause: error });
    }
  }

  #complete(): boolean {
    return this.#parts !== null && this.#part >= this.#inPipe;
  }

  #finish(): Frame {
    const [head, block, texts] = this.#parts as readonly [Buffer, Buffer, Buffer];
    this.#parts = null;
    this.#filled = 0;
    return {
      kind: this.#header.readUInt32LE(0),
      box: this.#header.readUInt32LE(4),
      call: this.#header.readUInt32LE(8),
      head: head.toString('utf8'),
      block: block.buffer as ArrayBuffer,
      texts,
    };
  }
}
