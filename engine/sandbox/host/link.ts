import { closeSync, read, readSync, writevSync } from 'node:fs';
import { encodeFrame, FrameReader, type Frame, type OutgoingFrame, type Shared } from '../wire/frames.ts';
import { ToEngine, ToHost, type RequestHead } from '../contract/protocol.ts';
import { ScratchReader, ScratchWriter } from '../wire/scratch.ts';

/** Size of a read in bytes; small frames come in one read. */
const CHUNK = 1 << 16;

/**
 * The host's side of the pipes to the engine. Only waiting for the next call is asynchronous, so that the event loop runs between calls; during
 * a call there is nothing else to do, and reads and writes block.
 */
export class EngineLink {
  readonly #input: number;
  readonly #output: number;
  readonly #reader = new FrameReader();
  readonly #chunk = Buffer.allocUnsafeSlow(CHUNK);
  /** Frames that arrived before an awaited answer. */
  readonly #waiting: Frame[] = [];
  #shared: Shared | null = null;
  /** Kinds of frames that are sent once. */
  readonly #once = new Set<number>();

  /** @param input,output the descriptors of the pipes */
  constructor(input: number, output: number) {
    this.#input = input;
    this.#output = output;
  }

  /** Passes large parts of frames through this file from now on. */
  share(descriptor: number): void {
    this.#shared = { writer: new ScratchWriter(descriptor, 1), reader: new ScratchReader(descriptor, 0) };
    this.#reader.share(this.#shared);
  }

  /** The next frame; null when the engine has closed the pipe. */
  async next(): Promise<Frame | null> {
    for (;;) {
      const frame = this.#waiting.shift() ?? this.#reader.next();
      if (frame !== null) return frame;
      // The rest of a frame that has begun will follow at once, so it is read without waiting for an event.
      if (!(this.#reader.inside ? this.#readInPlace() : await this.#readChunk())) return null;
    }
  }

  /** A frame was served, and nothing of it is wanted any more. */
  release(frame: Frame): void {
    this.#reader.release(frame);
  }

  async #readChunk(): Promise<boolean> {
    const count = await new Promise<number>((resolve, reject) => {
      read(this.#input, this.#chunk, 0, CHUNK, null, (error, bytes) => (error === null ? resolve(bytes) : reject(error)));
    });
    this.#reader.push(this.#chunk.subarray(0, count));
    return count > 0;
  }

  #readInPlace(): boolean {
    const target = this.#reader.target();
    if (target.length >= CHUNK) {
      const count = readSync(this.#input, target, 0, target.length, null);
      this.#reader.filled(count);
      return count > 0;
    }
    const count = readSync(this.#input, this.#chunk, 0, CHUNK, null);
    this.#reader.push(this.#chunk.subarray(0, count));
    return count > 0;
  }

  send(frame: OutgoingFrame): void {
    let buffers = encodeFrame(frame, this.#shared).filter((buffer) => buffer.byteLength > 0);
    while (buffers.length > 0) buffers = afterWritten(buffers, writevSync(this.#output, buffers));
  }

  /** Sends the first frame of a kind, and no other one. */
  sendOnce(frame: OutgoingFrame): void {
    if (!this.#once.has(frame.kind)) this.send(frame);
    this.#once.add(frame.kind);
  }

  /** Sends a request to the engine during a call and waits for the answer. Frames that arrive before it are queued. */
  request(box: number, call: number, head: RequestHead): Frame {
    return this.exchange({ kind: ToEngine.REQUEST, box, call, head: JSON.stringify(head) });
  }

  /** Sends a frame and waits for the answer to it. */
  exchange(frame: OutgoingFrame): Frame {
    this.send(frame);
    for (;;) {
      const answer = this.#reader.next();
      if (answer === null) {
        if (!this.#readInPlace()) throw new Error('the engine has gone');
      } else if (answer.kind === ToHost.ANSWER) return answer;
      else this.#waiting.push(answer);
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
