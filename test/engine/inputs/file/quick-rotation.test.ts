import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { FileInput } from '../../../../engine/inputs/file/file-input.ts';
import { until } from '../../../until.ts';
import { temporaryFolder, TestSink } from '../harness.ts';
import type { RotatingWriterOptions } from './rotating-writer.ts';

const ROTATIONS = 60;
const RECORDS_PER_FILE = 7;
const RECORDS = Array.from({ length: ROTATIONS * RECORDS_PER_FILE }, (_, i) => `record ${i}`);

interface Log extends Pick<RotatingWriterOptions, 'rotation' | 'names'> {
  /** Times that the input is stopped and started anew meanwhile. */
  readonly restarts?: number;
}

/** Records that an input reads of a log that is rotated every few milliseconds. */
async function readWhileRotated({ restarts = 0, ...options }: Log): Promise<readonly string[]> {
  await using folder = await temporaryFolder();
  const path = folder.file('a.log');
  await writeFile(path, '');
  const sink = new TestSink();
  const start = async (): Promise<FileInput> => {
    const input = new FileInput({ name: 'in', paths: [path], stateDirectory: folder.file('state') });
    await input.start(sink);
    return input;
  };
  let input = await start();
  const workerData: RotatingWriterOptions = { ...options, path, rotations: ROTATIONS, recordsPerFile: RECORDS_PER_FILE };
  const writer = new Worker(join(import.meta.dirname, 'rotating-writer.ts'), { workerData });
  const written = once(writer, 'exit');
  for (let restart = 0; restart < restarts; restart++) {
    await input.stop();
    input = await start();
  }
  await written;
  await until(() => sink.records.length >= RECORDS.length);
  await input.stop();
  return sink.payloads;
}

describe('a log that is rotated every few milliseconds', () => {
  for (const names of ['numbers', 'times'] as const) {
    it(`by renaming to ${names} is read once and in order`, async () => {
      expect(await readWhileRotated({ rotation: 'rename', names })).toEqual(RECORDS);
    });

    it(`by renaming to ${names} is read once and in order, though its input starts anew again and again`, async () => {
      expect(await readWhileRotated({ rotation: 'rename', names, restarts: 10 })).toEqual(RECORDS);
    });

    it(`by copying to ${names} is read once`, async () => {
      const read = await readWhileRotated({ rotation: 'copy', names });
      expect(read.toSorted()).toEqual(RECORDS.toSorted());
    });
  }
});
