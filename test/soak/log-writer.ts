import { appendFileSync, copyFileSync, existsSync, renameSync, truncateSync } from 'node:fs';
import { recordText } from './tally.ts';

export type RotationKind = 'rename' | 'copytruncate';

/** Rotated files that are kept, as `NAME.1`, `NAME.2` and so on. */
const KEPT = 40;

/** Writes records to a log that is rotated. Nothing is written between a copy and the cut of its file, as those who use `copytruncate` must see to. */
export class LogWriter {
  readonly name: string;
  readonly path: string;
  readonly #rotation: RotationKind;
  readonly #recordsPerFile: number;
  #inFile = 0;
  #written = 0;

  constructor(name: string, path: string, rotation: RotationKind, recordsPerFile: number) {
    this.name = name;
    this.path = path;
    this.#rotation = rotation;
    this.#recordsPerFile = recordsPerFile;
  }

  get written(): number {
    return this.#written;
  }

  write(records: number): void {
    for (let left = records; left > 0;) {
      if (this.#inFile >= this.#recordsPerFile) this.#rotate();
      const count = Math.min(left, this.#recordsPerFile - this.#inFile);
      let text = '';
      for (let i = 0; i < count; i++) text += `${recordText(this.name, this.#written + i)}\n`;
      appendFileSync(this.path, text);
      this.#written += count;
      this.#inFile += count;
      left -= count;
    }
  }

  #rotate(): void {
    this.#inFile = 0;
    for (let i = KEPT - 1; i > 0; i--) if (existsSync(`${this.path}.${i}`)) renameSync(`${this.path}.${i}`, `${this.path}.${i + 1}`);
    if (this.#rotation === 'rename') {
      renameSync(this.path, `${this.path}.1`);
      appendFileSync(this.path, '');
    } else {
      copyFileSync(this.path, `${this.path}.1`);
      truncateSync(this.path);
    }
  }
}
