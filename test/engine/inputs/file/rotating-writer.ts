import { appendFileSync, copyFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** Writes numbered records in a thread of its own to a file that is rotated every few milliseconds, and none of whose rotated files is removed. */
export interface RotatingWriterOptions {
  readonly path: string;
  readonly rotation: 'rename' | 'copy';
  /** Rotated files: the newest is `.1` and the others move, or each keeps the time in its name. */
  readonly names: 'numbers' | 'times';
  readonly rotations: number;
  readonly recordsPerFile: number;
}

const PAUSE_MS = 3;

const { path, rotation, names, rotations, recordsPerFile } = workerData as RotatingWriterOptions;
const clock = new Int32Array(new SharedArrayBuffer(4));
for (let turn = 0; turn < rotations; turn++) {
  for (let i = 0; i < recordsPerFile; i++) {
    appendFileSync(path, `record ${turn * recordsPerFile + i}\n`);
    if (i === recordsPerFile - 2) Atomics.wait(clock, 0, 0, PAUSE_MS);
  }
  const to = names === 'times' ? `${path}.${1_700_000_000 + turn}` : `${path}.1`;
  if (names === 'numbers') for (let old = turn; old > 0; old--) renameSync(`${path}.${old}`, `${path}.${old + 1}`);
  if (rotation === 'rename') {
    renameSync(path, to);
    writeFileSync(path, '');
  } else {
    copyFileSync(path, to);
    truncateSync(path);
  }
}
