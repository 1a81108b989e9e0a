import type { Socket } from 'node:net';
import { createInflate, type Inflate } from 'node:zlib';
import { DamagedError, TooLargeError } from '../packed/errors.ts';
import type { Pausable } from './raw-connection.ts';

/** Bounds of what is unpacked. */
interface Bounds {
  /** Most bytes of text for each packed byte, as soon as there are more than `freeBytes`. */
  readonly ratio: number;
  readonly freeBytes: number;
}

/** Equal lines of 17 bytes and more, one behind the other, take a 412th of their size at least. */
const BOUNDS: Bounds = { ratio: 500, freeBytes: 64 << 20 };
/** Bytes of text that are unpacked in one turn of a thread. */
const CHUNK_BYTES = 32 << 10;
/** Of a damaged stream, what these packed bytes before the damage would give is lost. */
const PIECE_BYTES = 4 << 10;

const NOTHING = Buffer.alloc(0);

/** The receiver of an unpacked connection. */
export interface ZlibEvents {
  text(bytes: Buffer): void;
  /** Tells the error for which the connection is closed, behind all text that came before it. */
  fault(error: Error): void;
  /** Nothing more comes. */
  end(): void;
}

/**
 * Unpacks a connection that is one zlib stream, as it comes: what its sender has flushed comes out at once. Text that is not taken waits, and with it the
 * sender, so that little of it is in memory however much it is.
 */
export class ZlibConnection implements Pausable {
  readonly #socket: Pick<Socket, 'pause' | 'resume' | 'destroy'>;
  readonly #events: ZlibEvents;
  readonly #bounds: Bounds;
  /** Made with the first data: it takes memory. */
  #inflate: Inflate | null = null;
  #isPaused = false;
  #hasFailed = false;
  #packedBytes = 0;
  #textBytes = 0;

  constructor(socket: Pick<Socket, 'pause' | 'resume' | 'destroy'>, events: ZlibEvents, bounds = BOUNDS) {
    this.#socket = socket;
    this.#events = events;
    this.#bounds = bounds;
  }

  /** Whether something was pushed whose text has not been given yet. */
  get isBusy(): boolean {
    const inflate = this.#inflate;
    return inflate !== null && !inflate.destroyed && inflate.writableLength + inflate.readableLength > 0;
  }

  push(chunk: Buffer): void {
    if (this.#hasFailed) return;
    const inflate = (this.#inflate ??= this.#open());
    this.#packedBytes += chunk.length;
    let hasRoom = true;
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) hasRoom = inflate.write(chunk.subarray(at, at + PIECE_BYTES));
    if (!hasRoom) this.#socket.pause();
  }

  /** The connection is closed. */
  end(): void {
    const inflate = this.#inflate;
    if (inflate === null) return this.#events.end();
    // Of a stream that is cut off, the bytes that come with the end would give nothing.
    if (!inflate.destroyed) inflate.write(NOTHING, (error) => (error ? undefined : inflate.end()));
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
    this.#inflate?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#inflate?.writableNeedDrain !== true) this.#socket.resume();
    this.#inflate?.resume();
  }

  /** Closes the connection, and gives up what has not been unpacked. */
  destroy(): void {
    this.#socket.destroy();
    this.#inflate?.destroy();
  }

  #open(): Inflate {
    const inflate = createInflate({ chunkSize: CHUNK_BYTES });
    inflate.on('data', (text: Buffer) => this.#take(text));
    inflate.on('drain', () => {
      if (!this.#isPaused) this.#socket.resume();
    });
    inflate.on('error', (error) => {
      inflate.removeAllListeners('data');
      for (let text = inflate.read() as Buffer | null; text !== null; text = inflate.read() as Buffer | null) this.#take(text);
      this.#fail(error);
    });
    inflate.on('end', () => {
      if (inflate.writableLength > 0) this.#fail(new DamagedError('something follows its end'));
      else inflate.destroy();
    });
    inflate.on('close', () => this.#events.end());
    if (this.#isPaused) inflate.pause();
    return inflate;
  }

  #take(text: Buffer): void {
    if (this.#hasFailed) return;
    const { ratio, freeBytes } = this.#bounds;
    this.#textBytes += text.length;
    if (this.#textBytes > freeBytes && this.#textBytes > this.#packedBytes * ratio)
      this.#fail(new TooLargeError(`unpacked, it is more than ${ratio} times its size`));
    else this.#events.text(text);
  }

  #fail(error: Error): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#events.fault(error);
    this.destroy();
  }
}
