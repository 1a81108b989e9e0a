import type { Writable } from 'node:stream';
import { printableLine } from '../api/printable.ts';
import { EngineError, errorCode } from '../base/errors.ts';
import { unwritable } from '../base/files/unwritable.ts';
import { READER_GONE } from '../outputs/writers.ts';

/** Characters collected before a write. */
const CHUNK = 1 << 16;

/**
 * Standard output for much text: writes in chunks and waits for a slow reader. When the reader goes away (`| head`), `closed` becomes
 * true and the rest is dropped without a word. Another failed write (a full disk) also calls `onClosed`, and `flush` throws it.
 */
export class Output {
  /** For what writes there by itself. */
  readonly stream: Writable;
  #pieces: string[] = [];
  #length = 0;
  #closed = false;
  #failure: EngineError | null = null;
  #onClosed: () => void = () => undefined;

  constructor(stream: Writable) {
    this.stream = stream;
    stream.on('error', (error) => this.#close(error));
  }

  #close(error: NodeJS.ErrnoException): void {
    if (this.#closed) return;
    this.#closed = true;
    if (!READER_GONE.has(errorCode(error)))
      this.#failure = new EngineError('output.write', unwritable('standard output', error), { cause: error });
    this.#onClosed();
  }

  /** True when the reader has gone. */
  get closed(): boolean {
    return this.#closed && this.#failure === null;
  }

  /** Calls back once when nothing can be written any more. */
  onClosed(callback: () => void): void {
    this.#onClosed = callback;
  }

  /** Adds text, which `flush` or `room` writes. */
  add(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
  }

  /** Adds a line for people; control characters of what strangers wrote become escapes, line breaks ` | `. */
  addLine(line: string): void {
    this.add(`${printableLine(line)}\n`);
  }

  /** Writes the collected text if it fills a chunk; resolves when the reader keeps up. */
  async room(): Promise<void> {
    if (this.#length >= CHUNK) await this.flush();
  }

  /** Writes the collected text. @throws {EngineError} `output.write` when the output cannot be written (a full disk) */
  async flush(): Promise<void> {
    if (this.#length > 0) await this.#send(this.#take());
    if (this.#failure !== null) throw this.#failure;
  }

  /** Writes bytes or text at once, behind the collected text. */
  async write(data: string | Uint8Array): Promise<void> {
    if (this.#length > 0) await this.#send(this.#take());
    await this.#send(data);
  }

  async #send(data: string | Uint8Array): Promise<void> {
    if (this.#closed) return;
    const error = await new Promise<Error | null | undefined>((resolve) => this.stream.write(data, resolve));
    if (error) this.#close(error);
  }

  #take(): string {
    const text = this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    return text;
  }
}
