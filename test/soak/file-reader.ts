import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';

const PIECE_BYTES = 1 << 20;

/** Reads the lines of a file that grows, up to its last line end. */
export class FileReader {
  readonly #path: string;
  #at = 0;
  #rest = '';

  constructor(path: string) {
    this.#path = path;
  }

  /** Bytes behind the last line end that was read. */
  get restLength(): number {
    return this.#rest.length;
  }

  read(onLine: (line: string) => void): void {
    if (!existsSync(this.#path)) return;
    const size = statSync(this.#path).size;
    // The part that is cut off was half a record.
    if (size < this.#at) {
      this.#rest = this.#rest.slice(0, Math.max(0, this.#rest.length - (this.#at - size)));
      this.#at = size;
    }
    const handle = openSync(this.#path, 'r');
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    for (;;) {
      const length = readSync(handle, buffer, 0, PIECE_BYTES, this.#at);
      if (length === 0) break;
      this.#at += length;
      const lines = (this.#rest + buffer.toString('latin1', 0, length)).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    }
    closeSync(handle);
  }
}
