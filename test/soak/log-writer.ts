import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { gzipSync } from 'node:zlib';
import { recordText } from './tally.ts';

export type RotationKind = 'rename' | 'copytruncate' | 'delayed gzip';

/** Rotated files that are kept by default, as `NAME.1`, `NAME.2` and so on; packed ones have `.gz` behind that. */
const KEPT = 40;

/** Writes records to a log that is rotated. Nothing is written between a copy and the cut of its file, as those who use `copytruncate` must see to. */
export class LogWriter {
  readonly name: string;
  readonly path: string;
  readonly #rotation: RotationKind;
  readonly #recordsPerFile: number;
  readonly #kept: number;
  #inFile = 0;
  #written = 0;

  constructor(name: string, path: string, rotation: RotationKind, recordsPerFile: number, kept = KEPT) {
    this.name = name;
    this.path = path;
    this.#rotation = rotation;
    this.#recordsPerFile = recordsPerFile;
    this.#kept = kept;
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
    const older = (i: number): string => `${this.path}.${i}`;
    for (const end of ['', '.gz']) {
      rmSync(older(this.#kept) + end, { force: true });
      for (let i = this.#kept - 1; i > 0; i--) if (existsSync(older(i) + end)) renameSync(older(i) + end, older(i + 1) + end);
    }
    if (this.#rotation === 'copytruncate') {
      copyFileSync(this.path, older(1));
      truncateSync(this.path);
    } else {
      renameSync(this.path, older(1));
      appendFileSync(this.path, '');
    }
    if (this.#rotation !== 'delayed gzip' || !existsSync(older(2))) return;
    const { atime, mtime } = statSync(older(2));
    writeFileSync(`${older(2)}.gz`, gzipSync(readFileSync(older(2)), { level: 1 }));
    utimesSync(`${older(2)}.gz`, atime, mtime);
    rmSync(older(2));
  }
}
