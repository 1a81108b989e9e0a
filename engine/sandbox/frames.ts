/**
 * The framing between the engine and a sandbox host. A frame is a header of 24 bytes (six little-endian uint32: kind, box, call, and the lengths
 * of the three parts), a head (JSON), a block (columns, each at a multiple of eight) and texts (raw bytes). Free of Node APIs but `Buffer`.
 */

const HEADER_BYTES = 24;

/** A head larger than this is no head. */
const MAX_HEAD = 1 << 28;
/** No block and no texts of a call come near this. */
const MAX_PART = 2 ** 31;

export interface Frame {
  readonly kind: number;
  /** The sandbox that it is about; 0: the host itself. */
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
  readonly texts?: readonly Uint8Array[];
}

/** The stream is not made of frames; nothing after this can be read. */
class FrameError extends Error {
  override readonly name = 'FrameError';
}

const sizeOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, piece) => sum + piece.byteLength, 0);

/** The buffers to write for a frame, in order. */
export function encodeFrame(frame: OutgoingFrame): Uint8Array[] {
  const { block = [], texts = [] } = frame;
  const headBytes = Buffer.byteLength(frame.head, 'utf8');
  const start = Buffer.allocUnsafe(HEADER_BYTES + headBytes);
  const numbers = [frame.kind, frame.box, frame.call, headBytes, sizeOf(block), sizeOf(texts)];
  for (const [i, number] of numbers.entries()) start.writeUInt32LE(number, i * 4);
  start.write(frame.head, HEADER_BYTES, 'utf8');
  return [start, ...block, ...texts];
}

/** Takes bytes as they come and gives whole frames. */
export class FrameReader {
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #filled = 0;
  #parts: Buffer[] | null = null;
  #part = 0;

  /** Calls `take` for each frame that these bytes complete. A broken header is a FrameError. */
  push(chunk: Uint8Array, take: (frame: Frame) => void): void {
    let at = 0;
    while (at < chunk.length || this.#complete()) {
      if (this.#complete()) {
        take(this.#finish());
        continue;
      }
      const target = this.#parts === null ? this.#header : (this.#parts[this.#part] as Buffer);
      const count = Math.min(target.length - this.#filled, chunk.length - at);
      target.set(chunk.subarray(at, at + count), this.#filled);
      this.#filled += count;
      at += count;
      if (this.#filled === target.length) this.#advance();
    }
  }

  /** A frame has begun and is not complete. */
  get inside(): boolean {
    return this.#parts !== null || this.#filled > 0;
  }

  /** Where the next bytes belong, for a source that can read into place; `filled` must follow. */
  target(): Buffer {
    const target = this.#parts === null ? this.#header : (this.#parts[this.#part] as Buffer);
    return target.subarray(this.#filled);
  }

  /** Says that `count` bytes were read into `target()`. */
  filled(count: number, take: (frame: Frame) => void): void {
    this.#filled += count;
    const target = this.#parts === null ? this.#header : (this.#parts[this.#part] as Buffer);
    if (this.#filled === target.length) this.#advance();
    if (this.#complete()) take(this.#finish());
  }

  #advance(): void {
    this.#filled = 0;
    if (this.#parts === null) {
      const [head, block, texts] = [12, 16, 20].map((at) => this.#header.readUInt32LE(at)) as [number, number, number];
      if (head > MAX_HEAD || block > MAX_PART || texts > MAX_PART) throw new FrameError('a frame of an impossible size');
      this.#parts = [Buffer.allocUnsafeSlow(head), Buffer.from(new ArrayBuffer(block)), Buffer.allocUnsafeSlow(texts)];
      this.#part = 0;
    } else {
      this.#part++;
    }
    while (this.#part < 3 && this.#parts[this.#part]?.length === 0) this.#part++;
  }

  #complete(): boolean {
    return this.#parts !== null && this.#part >= 3;
  }

  #finish(): Frame {
    const [head, block, texts] = this.#parts as [Buffer, Buffer, Buffer];
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
