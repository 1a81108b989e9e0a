import type { Writable } from 'node:stream';
import { EngineError } from '../errors.ts';

/** Characters that are collected before they are written. */
const CHUNK = 1 << 16;
/** The reader has gone. */
const GONE: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EOF', 'ERR_STREAM_DESTROYED']);

/**
 * Standard output for much text: writes in chunks and waits for a slow reader. When the reader goes away (`| head`), `closed` becomes
 * true and the rest is dropped without a word. What cannot be written for another reason (a full disk) stops the command, too, and `flush` raises it.
 */
export class Output {
  readonly #stream: Writable;
  #pieces: string[] = [];
  #length = 0;
  #closed = false;
  #failure: EngineError | null = null;
  #onClosed: () => void = () => undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('error', (error) => this.#close(error));
  }

  #close(error: NodeJS.ErrnoException): void {
    if (this.#closed) return;
    this.#closed = true;
    if (!GONE.has(error.code)) this.#failure = new EngineError('output.write', `standard output: ${error.message}`, { cause: error });
    this.#onClosed();
  }

  /** The reader has gone. */
  get closed(): boolean {
    return this.#closed && this.#failure === null;
  }

  /** Calls back once when nothing can be written any more. */
  onClosed(callback: () => void): void {
    this.#onClosed = callback;
  }

  /** Adds text; `flush` or `room` brings it out. */
  add(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
  }

  /** Adds lines as they are made, so that no more of them is held than is written at once. */
  async addLines(lines: Iterable<string>): Promise<void> {
    for (const line of lines) {
      this.add(line);
      this.add('\n');
      if (this.#length >= CHUNK) await this.flush();
    }
  }

  /** Writes what was collected when that is much; resolves when the reader keeps up. */
  async room(): Promise<void> {
    if (this.#length >= CHUNK) await this.flush();
  }

  /** @throws {EngineError} `output.write`: the output cannot be written (a full disk) */
  async flush(): Promise<void> {
    if (this.#length > 0) await this.write(this.#take());
    if (this.#failure !== null) throw this.#failure;
  }

  /** Writes bytes or text at once. */
  async write(data: string | Uint8Array): Promise<void> {
    if (this.#closed) return;
    const error = await new Promise<Error | null | undefined>((resolve) => this.#stream.write(data, resolve));
    if (error) this.#close(error);
  }

  #take(): string {
    const text = this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    return text;
  }
}
