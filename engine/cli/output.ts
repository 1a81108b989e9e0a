import type { Writable } from 'node:stream';

/** Characters that are collected before they are written. */
const CHUNK = 1 << 16;

/**
 * Standard output for much text: writes in chunks and waits for a slow reader. When the reader goes away (`| head`), `closed` becomes
 * true and the rest is dropped without a word.
 */
export class Output {
  readonly #stream: Writable;
  #pieces: string[] = [];
  #length = 0;
  #closed = false;
  #failure: Error | null = null;
  #onClosed: () => void = () => undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EOF' && error.code !== 'ERR_STREAM_DESTROYED') this.#failure ??= error;
      this.#closed = true;
      this.#onClosed();
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Calls back once when the reader has gone. */
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

  /** @throws {Error} when the output cannot be written (a full disk) */
  async flush(): Promise<void> {
    if (this.#length > 0) await this.write(this.#take());
    if (this.#failure !== null) throw this.#failure;
  }

  /** Writes bytes or text at once. */
  async write(data: string | Uint8Array): Promise<void> {
    if (this.#closed) return;
    await new Promise<void>((resolve) => this.#stream.write(data, () => resolve()));
  }

  #take(): string {
    const text = this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    return text;
  }
}
