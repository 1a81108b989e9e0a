import { appendFile, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { FileInput } from '../../../../engine/inputs/file/file-input.ts';
import type { FileKinds } from '../../../../engine/inputs/shared/file-kinds.ts';
import type { TextSource } from '../../../../engine/inputs/shared/read.ts';
import type { SplitOptions } from '../../../../engine/inputs/splitters/index.ts';
import { textAt } from '../../../../engine/message/batch/batch.ts';
import { until } from '../../../until.ts';
import { recordsOf, temporaryFolder, TestSink } from '../harness.ts';

/** Files that begin with "E" have entries of several lines; those that begin with "L" have lines. */
class TestKinds implements FileKinds {
  readonly asked: string[] = [];
  readonly recalled: string[] = [];

  async recognise(source: TextSource): Promise<string | null> {
    let text = '';
    for await (const { batch } of source.headLines({ bytes: 1 << 16, lines: 1, most: 1 << 16 })) {
      for (let row = 0; row < batch.length; row++) text += `${textAt(batch.payload, row) ?? ''}\n`;
    }
    this.asked.push(text);
    return text.startsWith('E') ? 'entries' : text.startsWith('L') ? 'lines' : null;
  }

  recall(kind: string): Promise<boolean> {
    this.recalled.push(kind);
    return Promise.resolve(kind === 'entries' || kind === 'lines');
  }

  splitOf(kind: string): SplitOptions {
    return kind === 'entries' ? { kind: 'regex', pattern: '\n(E)', delimiterEol: false } : { kind: 'line' };
  }
}

interface Run {
  readonly kinds: TestKinds;
  /** Kind and payload of each record. */
  records(): string[];
  [Symbol.asyncDispose](): Promise<void>;
}

async function read(
  folder: Awaited<ReturnType<typeof temporaryFolder>>,
  pattern: string,
  { follow = false, keep = false } = {},
): Promise<Run> {
  const sink = new TestSink();
  const kinds = new TestKinds();
  const state = keep ? { stateDirectory: folder.file('state') } : {};
  const input = new FileInput({ name: 'test', paths: [folder.file(pattern)], follow, pollMs: 50, flushMs: 300, kinds, ...state });
  await input.start(sink);
  const records = (): string[] =>
    sink.batches.flatMap((batch) => recordsOf(batch).map(({ payload }) => `${batch.fileKind ?? '?'}: ${payload}`));
  await until(() => sink.idles > 0, 'the end of the files');
  return { kinds, records, [Symbol.asyncDispose]: () => input.stop() };
}

it('cuts each file by its own kind, and marks its records', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('a.log'), 'E1\n x\nE2\n');
  await writeFile(folder.file('b.log.gz'), gzipSync('L1\n x\n'));
  await writeFile(folder.file('c.log'), 'hm\n');
  await writeFile(folder.file('d.log'), '');
  await using run = await read(folder, '*.{log,gz}');
  expect(run.records().sort()).toEqual([': hm', 'entries: E1\n x', 'entries: E2\n', 'lines:  x', 'lines: L1']);
});

it('recognises a file that was empty when it was found', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('a.log'), '');
  await using run = await read(folder, 'a.log', { follow: true });
  await appendFile(folder.file('a.log'), 'E1\n');
  await delay(100);
  await appendFile(folder.file('a.log'), ' x\nE2\n');
  await until(() => run.records().length >= 2, 'two entries');
  expect(run.records()).toEqual(['entries: E1\n x', 'entries: E2\n']);
  expect(run.kinds.asked.filter((text) => text !== '')).toHaveLength(1);
});

it('looks again at a file that was not recognised when it has grown', async () => {
  await using folder = await temporaryFolder();
  const log = folder.file('a.log');
  await writeFile(log, '?\n');
  await using run = await read(folder, 'a.log', { follow: true });
  await until(() => run.records().length === 1, 'the first line');
  await writeFile(log, 'L1\nL2\nL3\n');
  await until(() => run.records().length === 4, 'the others');
  expect(run.records()).toEqual(['?: ?', 'lines: L1', 'lines: L2', 'lines: L3']);
});

it('keeps the kind of a file over a restart and a rotation, whatever comes next in it', async () => {
  await using folder = await temporaryFolder();
  const log = folder.file('a.log');
  await writeFile(log, 'E1\n x\nE2\n');
  {
    await using run = await read(folder, 'a.log', { keep: true });
    expect(run.records()).toEqual(['entries: E1\n x', 'entries: E2\n']);
  }
  expect(await readFile(folder.file('state/test.json'), 'utf8')).toContain('"kind": "entries"');
  await appendFile(log, 'E3\n y\n');
  await rename(log, folder.file('a.log.1'));
  await writeFile(log, 'L1\n');
  await using run = await read(folder, 'a.log', { keep: true });
  expect(run.records()).toEqual(['entries: E3\n y\n', 'lines: L1']);
  expect(run.kinds.recalled).toEqual(['entries']);
  expect(run.kinds.asked).toEqual(['L1\n']);
});

it('recognises a file anew that is written anew', async () => {
  await using folder = await temporaryFolder();
  const log = folder.file('a.log');
  await writeFile(log, 'E1\n x\nE2\nE3\n');
  await using run = await read(folder, 'a.log', { follow: true });
  await until(() => run.records().length === 3, 'three entries');
  await writeFile(log, 'L1\n');
  await until(() => run.records().length === 4, 'the line');
  expect(run.records().at(-1)).toBe('lines: L1');
});

it('does not wait for a file whose last change is in the future', async () => {
  await using folder = await temporaryFolder();
  const log = folder.file('a.log');
  await writeFile(log, 'L1\n');
  const future = Date.now() / 1000 + 3600;
  await utimes(log, future, future);
  await using run = await read(folder, 'a.log', { follow: true });
  await until(() => run.records().length === 1, 'the record');
  expect(run.records()).toEqual(['lines: L1']);
});

it('cuts files whose kind is known at once, and recognises others though they change all the time', async () => {
  await using folder = await temporaryFolder();
  const kinds = Object.assign(new TestKinds(), { known: (path: string) => (path.endsWith('known.log') ? 'lines' : null) });
  kinds.recall = () => Promise.resolve(true);
  const sink = new TestSink();
  const input = new FileInput({ name: 'test', paths: ['known.log', 'busy.log'].map(folder.file), pollMs: 50, kinds, watch: false });
  await writeFile(folder.file('known.log'), 'E one\n');
  await writeFile(folder.file('busy.log'), 'L one\n');
  await input.start(sink);
  const writing = setInterval(() => void appendFile(folder.file('busy.log'), 'L more\n').catch(() => undefined), 50);
  try {
    await until(() => sink.batches.some(({ fileKind, source }) => fileKind === 'lines' && source === folder.file('known.log')));
    expect(kinds.asked).toEqual([]);
    await until(() => kinds.asked.length === 1);
  } finally {
    clearInterval(writing);
    await input.stop();
  }
});
