/** The UUIDs of records that are read again after a crash. */
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FileInput } from '../../../../engine/inputs/file/file-input.ts';
import type { FileInputOptions } from '../../../../engine/inputs/file/options.ts';
import { textAt } from '../../../../engine/message/batch/batch.ts';
import { formatUuid } from '../../../../engine/message/uuid.ts';
import fc from 'fast-check';
import { until } from '../../../until.ts';
import { temporaryFolder, TestSink } from '../harness.ts';

interface Identified {
  readonly uuid: string;
  readonly text: string;
}

const recordsIn = (sink: TestSink): Identified[] =>
  sink.batches.flatMap(({ batch }) =>
    Array.from({ length: batch.length }, (_, row) => ({
      uuid: formatUuid(batch.uuids, row * 16),
      text: textAt(batch.payload, row) ?? '',
    })),
  );

/**
 * Runs an input until it has delivered so many records, and leaves what it would leave if it was killed then.
 * @param meanwhile done before the first records are taken
 */
async function run(
  options: Partial<FileInputOptions> & { stateDirectory: string },
  count: number,
  acknowledged = 0,
  meanwhile: (() => void) | null = null,
): Promise<Identified[]> {
  const { stateDirectory: state } = options;
  const input = new FileInput({ name: 'x', paths: [], pollMs: 20, ...options });
  const sink = new TestSink();
  sink.acknowledges = false;
  sink.gate = () => {
    sink.gate = null;
    meanwhile?.();
    return Promise.resolve();
  };
  await input.start(sink);
  await until(
    () => sink.records.length >= count,
    () => `${count} records, not ${sink.records.length}`,
  );
  const records = recordsIn(sink);
  sink.batches.slice(0, acknowledged).forEach((batch) => batch.acknowledge());
  if (acknowledged > 0) await input.stop();
  else {
    cpSync(state, `${state}.kept`, { recursive: true });
    sink.batches.forEach((batch) => batch.acknowledge());
    await input.stop();
    rmSync(state, { recursive: true });
    renameSync(`${state}.kept`, state);
  }
  return records;
}

/** Each UUID belongs to one text, and there are as many as records. */
function expectIdentities(all: readonly Identified[], count: number): void {
  const texts = new Map<string, string>();
  for (const { uuid, text } of all) {
    expect(texts.get(uuid) ?? text).toBe(text);
    texts.set(uuid, text);
  }
  expect(texts.size).toBe(count);
}

const numbered = (from: number, to: number, word = 'record'): string =>
  Array.from({ length: to - from }, (_, i) => `${word} number ${from + i}\n`).join('');

function copyAndTruncate(log: string): void {
  copyFileSync(log, `${log}.1`);
  truncateSync(log);
}

function pack(log: string): void {
  writeFileSync(`${log}.1.gz`, gzipSync(readFileSync(log)));
  unlinkSync(log);
}

describe('a record that is read again', () => {
  it('gets the same UUID, however the file is cut then, and no other record does', async () => {
    const lines = fc.array(fc.constantFrom('', 'same', 'grün €', 'x'.repeat(300), 'b\r'), { minLength: 1, maxLength: 40 });
    const sources = fc.constantFrom<Partial<FileInputOptions> & { readonly of: BufferEncoding }>(
      { of: 'utf8' },
      { of: 'utf8', split: { kind: 'regex', pattern: '\n' } },
      { of: 'utf16le' },
      { of: 'utf8', maxRecord: 100 },
    );
    await fc.assert(
      fc.asyncProperty(lines, lines, sources, fc.boolean(), async (first, second, { of, ...source }, hasMark) => {
        await using folder = await temporaryFolder();
        const options = { ...source, paths: [folder.file('a.log')], stateDirectory: folder.file('state'), flushMs: 0 };
        const write = (text: string): void => appendFileSync(folder.file('a.log'), Buffer.from(text, of));
        const countOf = (records: readonly string[]): number =>
          source.split === undefined ? records.length : records.filter((text) => text !== '').length;
        if (hasMark || of === 'utf16le') write('\ufeff');
        write(first.map((text) => `${text}\n`).join(''));
        const begun = await run(options, countOf(first), 0);
        write(second.map((text) => `${text}\n`).join(''));
        const again = await run(options, countOf([...first, ...second]));
        expect(again.slice(0, begun.length)).toEqual(begun);
        expectIdentities(again, again.length);
      }),
      { numRuns: 15 },
    );
  });

  it('gets the same UUID in a log that was renamed, copied or packed meanwhile, and its successor gets others', async () => {
    await using folder = await temporaryFolder();
    const [log, old] = [folder.file('a.log'), folder.file('a.log.1')];
    const options = { paths: [log], stateDirectory: folder.file('state') };
    // Where the file may be the same one, only other bytes tell that it was written anew.
    const rotations: [rotate: () => void, word: string][] = [
      [() => renameSync(log, old), 'record'],
      [() => copyAndTruncate(log), 'rekord'],
      [() => pack(log), 'rekord'],
    ];
    for (const [rotate, word] of rotations) {
      writeFileSync(log, numbered(0, 50));
      const first = await run(options, 50, 1);
      appendFileSync(log, numbered(50, 80));
      const second = await run(options, 30);
      rotate();
      appendFileSync(log, numbered(0, 80, word));
      const third = await run(options, 110);
      expect(third.slice(0, 30)).toEqual(second);
      expectIdentities([...first, ...second, ...third], 160);
      for (const name of [log, old, `${old}.gz`, folder.file('state/x.json'), folder.file('state/x.latest')]) removeIfThere(name);
    }
  });

  it('gets the same UUID in a copy of a log of which nothing was acknowledged before it was emptied', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    const options = { paths: [log], stateDirectory: folder.file('state') };
    writeFileSync(log, numbered(0, 50));
    const first = await run(options, 50);
    for (const copy of [2, 1]) {
      appendFileSync(log, numbered(50, 80));
      copyFileSync(log, `${log}.${copy}`);
      truncateSync(log);
      appendFileSync(log, numbered(copy * 100, copy * 100 + 40));
    }
    const again = await run(options, 80 + 70 + 40);
    expect(again.slice(0, 50)).toEqual(first);
    expectIdentities(again, again.length);
  });

  it.each<[how: string, rotate: (log: string) => void]>([
    ['by renaming', (log) => renameSync(log, `${log}.1`)],
    ['by copying', copyAndTruncate],
    ['by packing', pack],
  ])('gets the same UUID in a log of which nothing was acknowledged and that was rotated %s behind another one', async (_how, rotate) => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    const options = { paths: [log], stateDirectory: folder.file('state') };
    writeFileSync(log, numbered(0, 50));
    const first = await run(options, 50, 1);
    appendFileSync(log, numbered(50, 80));
    rotate(log);
    appendFileSync(log, numbered(100, 150));
    const second = await run(options, 80);
    for (const ending of ['', '.gz']) if (existsSync(`${log}.1${ending}`)) renameSync(`${log}.1${ending}`, `${log}.2${ending}`);
    rotate(log);
    appendFileSync(log, numbered(200, 240));
    const third = await run(options, 120);
    expect(third.slice(0, 80)).toEqual(second);
    expectIdentities([...first, ...second, ...third], 170);
  });

  it('gets the same UUID in a log that is copied and emptied while it waits for an older one', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    const options = { paths: [log], stateDirectory: folder.file('state') };
    const rotate = (from: number): void => {
      for (const number of [2, 1]) if (existsSync(`${log}.${number}`)) renameSync(`${log}.${number}`, `${log}.${number + 1}`);
      copyAndTruncate(log);
      appendFileSync(log, numbered(from, from + 40));
    };
    writeFileSync(log, numbered(0, 50));
    const first = await run(options, 50, 1);
    appendFileSync(log, numbered(50, 80));
    rotate(100);
    // Its contents have their number, and nothing of them was delivered.
    const second = await run(options, 110, 0, () => rotate(200));
    // Everything was delivered.
    const third = await run(options, 150, 0, () => rotate(300));
    expect(third.slice(0, 110)).toEqual(second);
    const fourth = await run(options, 150);
    expect(fourth).toEqual(third);
    expectIdentities([...first, ...fourth], 200);
  });

  it('gets the same UUID in a copy of a log that was empty when it was found', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    const options = { paths: [folder.file('*.log')], stateDirectory: folder.file('state') };
    writeFileSync(folder.file('other.log'), 'record of another log\n');
    writeFileSync(log, '');
    const first = await run(options, 51, 0, () => appendFileSync(log, numbered(0, 50)));
    copyAndTruncate(log);
    appendFileSync(log, numbered(100, 140));
    const second = await run(options, 91);
    expectIdentities([...first, ...second], 91);
  });

  it.each<[how: string, copy: (log: string) => void]>([
    ['copied', (log) => copyFileSync(log, `${log}.1`)],
    ['packed', (log) => writeFileSync(`${log}.1.gz`, gzipSync(readFileSync(log)))],
  ])('is read again from a log that was %s before anything was acknowledged, when the copy is read as well', async (_how, copy) => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    const options = { paths: [`${log}*`], stateDirectory: folder.file('state') };
    writeFileSync(log, numbered(0, 50));
    const first = await run(options, 60, 0, () => {
      copy(log);
      // The copy is found to be one after a second without a change.
      setTimeout(() => writeFileSync(folder.file('a.log.new'), numbered(100, 110)), 1500);
    });
    truncateSync(log);
    appendFileSync(log, numbered(200, 240));
    const second = await run(options, 100);
    expectIdentities([...first, ...second], 100);
    expect(second).toEqual(expect.arrayContaining(first));
  });

  it('gets another UUID than a record at its place in a file that was written anew while nothing was acknowledged', async () => {
    await using folder = await temporaryFolder();
    const options = { paths: [folder.file('a.log')], stateDirectory: folder.file('state') };
    writeFileSync(folder.file('a.log'), numbered(10, 20));
    const first = await run(options, 10);
    writeFileSync(folder.file('a.log'), numbered(30, 40));
    expectIdentities([...first, ...(await run(options, 10))], 20);
  });

  it('gets the same UUID from a packed file', async () => {
    await using folder = await temporaryFolder();
    const options = { paths: [folder.file('a.gz')], stateDirectory: folder.file('state'), follow: false };
    writeFileSync(folder.file('a.gz'), gzipSync(numbered(0, 5000)));
    const first = await run(options, 5000, 1);
    const again = await run(options, 1);
    expect(first.length).toBe(5000);
    expect(again[0]?.text).not.toBe(first[0]?.text);
    expectIdentities([...first, ...again], 5000);
  });
});

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It is not.
  }
}
