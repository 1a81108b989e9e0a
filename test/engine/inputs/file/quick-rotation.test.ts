import { once } from 'node:events';
import { rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { FileInput } from '../../../../engine/inputs/file/file-input.ts';
import { openByKey, rotatedBetween } from '../../../../engine/inputs/file/rotation.ts';
import { fileKey } from '../../../../engine/inputs/file/tail.ts';
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

describe('rotated files', () => {
  const names = (files: readonly { readonly path: string }[]): string[] => files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));

  it('between two are those that came away between them, whatever was rotated away since', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    for (const name of ['a.log', 'a.log.1', 'a.log.2', 'a.log.3', 'a.log.4', 'a.log.10']) await writeFile(folder.file(name), name);
    const keyOf = async (path: string): Promise<string> => fileKey(await stat(path, { bigint: true }));
    const info = await stat(`${log}.4`, { bigint: true });
    // It was the second one when it was found.
    const old = { path: `${log}.2`, key: fileKey(info), stat: info };
    expect(names(await rotatedBetween(log, old, await keyOf(log)))).toEqual(['a.log.3', 'a.log.2', 'a.log.1']);
    expect(names(await rotatedBetween(log, old, await keyOf(`${log}.2`)))).toEqual(['a.log.3']);
    expect(names(await rotatedBetween(log, old, null))).toEqual(['a.log.3', 'a.log.2', 'a.log.1']);
  });

  it('are opened under whatever name they have, and not another one in their place', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, 'wanted');
    const key = fileKey(await stat(log, { bigint: true }));
    await rename(log, `${log}.7`);
    await writeFile(log, 'another');
    const handle = await openByKey(log, key);
    expect(await handle?.readFile('utf8')).toBe('wanted');
    await handle?.close();
    expect(await openByKey(log, `${key}0`)).toBeNull();
  });
});
