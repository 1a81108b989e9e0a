import { closeSync, read, readSync, writevSync } from 'node:fs';
import { encodeFrame, FrameReader, type Frame, type OutgoingFrame } from '../frames.ts';
import { ToEngine, ToHost, type RequestHead } from '../protocol.ts';

/** Small frames are read in one go. */
const CHUNK = 1 << 16;

/**
 * The host's side of the pipes to the engine. Everything blocks but waiting for the next call: while a script runs there is nothing else
 * to do, and while none runs the event loop turns.
 */
export class EngineLink {
  readonly #input: number;
  readonly #output: number;
  readonly #reader = new FrameReader();
  readonly #chunk = Buffer.allocUnsafeSlow(CHUNK);
  readonly #waiting: Frame[] = [];

  /** @param input,output the descriptors of the pipes */
  constructor(input: number, output: number) {
    this.#input = input;
    this.#output = output;
  }

  /** The next frame; null when the engine has closed the pipe. */
  async next(): Promise<Frame | null> {
    while (this.#waiting.length === 0) {
      const count = await new Promise<number>((resolve, reject) => {
        read(this.#input, this.#chunk, 0, CHUNK, null, (error, bytes) => (error === null ? resolve(bytes) : reject(error)));
      });
      if (count === 0) return null;
      this.#reader.push(this.#chunk.subarray(0, count), (frame) => this.#waiting.push(frame));
      this.#finishFrame();
    }
    return this.#waiting.shift() as Frame;
  }

  /** The rest of a frame that has begun is on its way, so it is read in place, without waiting for events. */
  #finishFrame(): void {
    while (this.#waiting.length === 0 && this.#reader.inside) {
      if (!this.#readInPlace()) return;
    }
  }

  #readInPlace(): boolean {
    const target = this.#reader.target();
    const count = readSync(this.#input, target, 0, target.length, null);
    if (count === 0) return false;
    this.#reader.filled(count, (frame) => this.#waiting.push(frame));
    return true;
  }

  send(frame: OutgoingFrame): void {
    let buffers = encodeFrame(frame).filter((buffer) => buffer.byteLength > 0);
    while (buffers.length > 0) buffers = afterWritten(buffers, writevSync(this.#output, buffers));
  }

  /** Asks the engine during a call and waits for the answer. Frames that come before it wait for their turn. */
  request(box: number, call: number, head: RequestHead): Frame {
    return this.exchange({ kind: ToEngine.REQUEST, box, call, head: JSON.stringify(head) });
  }

  /** Sends a frame and waits for the answer to it. */
  exchange(frame: OutgoingFrame): Frame {
    this.send(frame);
    let seen = this.#waiting.length;
    for (;;) {
      for (; seen < this.#waiting.length; seen++) {
        const frame = this.#waiting[seen] as Frame;
        if (frame.kind === ToHost.ANSWER) return this.#waiting.splice(seen, 1)[0] as Frame;
      }
      if (!this.#readInPlace()) throw new Error('the engine has gone');
    }
  }

  close(): void {
    closeSync(this.#input);
  }
}

function afterWritten(buffers: Uint8Array[], written: number): Uint8Array[] {
  let at = 0;
  while (at < buffers.length && written >= (buffers[at] as Uint8Array).byteLength) written -= (buffers[at++] as Uint8Array).byteLength;
  const rest = buffers.slice(at);
  if (written > 0 && rest.length > 0) rest[0] = (rest[0] as Uint8Array).subarray(written);
  return rest;
}
