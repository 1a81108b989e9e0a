import { existsSync, readFileSync } from 'node:fs';
import { appendFile, copyFile, cp, mkdir, readFile, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CheckpointFile } from '../../../../engine/inputs/checkpoint.ts';
import { positionHash } from '../../../../engine/inputs/position-hash.ts';
import { FileInput } from '../../../../engine/inputs/file/file-input.ts';
import type { FileInputOptions } from '../../../../engine/inputs/file/options.ts';
import type { InputNotice } from '../../../../engine/inputs/types.ts';
import { temporaryFolder, TestSink } from '../harness.ts';
import { until } from '../../../until.ts';
import { packed, TEXT } from '../packed/fixtures.ts';

const line = (i: number): string => `line number ${i} of a log that outlives the program`;
const lines = (from: number, to: number): string => Array.from({ length: to - from + 1 }, (_, i) => `${line(from + i)}\n`).join('');

/** Runs an input until it has delivered a number of records and has nothing more to read. */
async function run(options: FileInputOptions, count: number, sink = new TestSink()): Promise<TestSink> {
  const input = new FileInput({ pollMs: 50, ...options });
  await input.start(sink);
  await until(
    () => sink.records.length >= count && sink.idles > 0,
    () => `${count} records, not ${JSON.stringify(sink.payloads)}`,
  );
  await input.stop();
  expect(sink.payloads).toHaveLength(count);
  return sink;
}

describe('the checkpoint', () => {
  it('has the hash of the bytes before the offset, filled up to 500', () => {
    const filled = Buffer.concat([Buffer.alloc(494), Buffer.from('hello\n')]);
    expect(positionHash(Buffer.from('hello\n'))).toBe(positionHash(filled));
    expect(positionHash(Buffer.from('hello\n'))).toMatch(/^[0-9a-f]{40}$/);
    expect(positionHash(Buffer.alloc(0))).not.toBe(positionHash(Buffer.from('a')));
  });

  it('is one file with one entry for each file that was read', async () => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('a.log'), 'hello\nunfinished');
    await run({ name: 'my input/1', paths: [folder.file('a.log')], stateDirectory: folder.file('state'), flushMs: 0 }, 1);
    const written = JSON.parse(await readFile(folder.file('state/my%20input%2F1.json'), 'utf8')) as { files: object[] };
    expect(written.files).toEqual([
      expect.objectContaining({ path: folder.file('a.log'), offset: 6, hash: positionHash(Buffer.from('hello\n')), line: 2, gone: false }),
    ]);
  });

  it('moves only past what was acknowledged', async () => {
    await using folder = await temporaryFolder();
    const options = { name: 'x', paths: [folder.file('a.log')], stateDirectory: folder.file('state') };
    await writeFile(folder.file('a.log'), lines(1, 3));
    const sink = new TestSink();
    sink.acknowledges = false;
    const input = new FileInput(options);
    await input.start(sink);
    await until(() => sink.records.length === 3, 'three records');
    sink.batches[0]?.acknowledge();
    await appendFile(folder.file('a.log'), lines(4, 5));
    await until(() => sink.records.length === 5, 'five records');
    await input.stop();
    expect((await run(options, 2)).payloads).toEqual([line(4), line(5)]);
  });

  it('is also written for what is acknowledged after the stop', async () => {
    await using folder = await temporaryFolder();
    const options = { name: 'x', paths: [folder.file('a.log')], stateDirectory: folder.file('state') };
    await writeFile(folder.file('a.log'), lines(1, 3));
    const sink = new TestSink();
    sink.acknowledges = false;
    const input = new FileInput(options);
    await input.start(sink);
    await until(() => sink.records.length === 3, 'three records');
    await input.stop();
    for (const batch of sink.batches) batch.acknowledge();
    await until(
      () => existsSync(folder.file('state/x.json')) && readFileSync(folder.file('state/x.json'), 'utf8').includes('"line": 4'),
      'the checkpoint',
    );
    await run(options, 0);
  });

  it('is written at once when the last has been acknowledged after the stop', async () => {
    await using folder = await temporaryFolder();
    const options = { name: 'x', paths: [folder.file('a.log')], stateDirectory: folder.file('state') };
    await writeFile(folder.file('a.log'), lines(1, 3));
    const sink = new TestSink();
    sink.acknowledges = false;
    const input = new FileInput(options);
    await input.start(sink);
    await until(() => sink.records.length === 3, 'three records');
    await input.stop();
    for (const batch of sink.batches) batch.acknowledge();
    await input.settle();
    expect(readFileSync(folder.file('state/x.json'), 'utf8')).toContain('"line": 4');
    await run(options, 0);
  });

  it('is written while the input runs', async () => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('a.log'), lines(1, 3));
    const input = new FileInput({ name: 'x', paths: [folder.file('a.log')], stateDirectory: folder.file('state') });
    await input.start(new TestSink());
    await until(() => existsSync(folder.file('state/x.json')), 'the checkpoint');
    await input.stop();
  });

  const entries = (more: string): string => `{"version":1,"input":"x","files":[{"path":"a"${more}}]}`;
  it.each([
    ['empty', '', 'it is empty'],
    ['broken', '{"version":1,', 'it is not JSON'],
    ['full of what a terminal obeys', '\u001b[2J\u0007{"\u009b31m', 'it is not JSON'],
    ['of another kind', '{"version":2}', 'its version is missing or wrong'],
    ['no object', '[]', 'it is not a checkpoint'],
    ['without a part', entries(''), 'its files.0.log is missing or wrong'],
    ['wrong in a part', entries(',"log":"a","device":"1","inode":"2","offset":-1'), 'its files.0.offset is missing or wrong'],
  ])('that is %s is told in a line, and files are read again', async (_title, text, why) => {
    await using folder = await temporaryFolder();
    await mkdir(folder.file('state'));
    await writeFile(folder.file('state/x.json'), text);
    await writeFile(folder.file('a.log'), lines(1, 2));
    const sink = await run({ name: 'x', paths: [folder.file('a.log')], stateDirectory: folder.file('state') }, 2);
    const told = (aside: string): string =>
      `The checkpoint ${folder.file('state/x.json')} cannot be used (${why}). It was put aside as ${folder.file(aside)}, and files are read from their beginning again.`;
    const notice = (aside: string): InputNotice => ({ level: 'warning', code: 'checkpoint.unusable', text: told(aside) });
    expect(sink.notices).toEqual([notice('state/x.json.damaged')]);
    expect((await run({ name: 'x', paths: [folder.file('a.log')], stateDirectory: folder.file('state') }, 0)).codes).toEqual([]);
    await writeFile(folder.file('state/x.json'), `${text} again`);
    await rm(folder.file('state/x.latest'), { force: true });
    await run({ name: 'x', paths: [folder.file('a.log')], stateDirectory: folder.file('state') }, 2);
    expect(await readFile(folder.file('state/x.json.damaged'), 'utf8')).toBe(text);
    expect(await readFile(folder.file('state/x.json.damaged-2'), 'utf8')).toBe(`${text} again`);
  });

  it('that cannot be written is told once, and when it can be again', async () => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('state'), 'a file where a folder should be');
    const notices: string[] = [];
    const checkpoint = new CheckpointFile(folder.file('state'), 'x', ({ code }) => notices.push(code));
    const entry = { path: 'a', log: 'a', device: '1', inode: '2', offset: 1, hash: '', line: 1, skipping: false, midLine: false } as const;
    await checkpoint.save([{ ...entry, format: 'utf-8', modified: '0', gone: false }]);
    await checkpoint.save([{ ...entry, format: 'utf-8', modified: '1', gone: false }]);
    expect(notices).toEqual(['checkpoint.unwritable']);
    await rm(folder.file('state'));
    const last = [{ ...entry, format: 'utf-8', modified: '1', gone: false }] as const;
    expect([await checkpoint.save(last), await checkpoint.save(last)]).toEqual([true, true]);
    expect(notices).toEqual(['checkpoint.unwritable', 'checkpoint.written']);
  });
});

it('reads nothing again that was acknowledged a moment before it was killed', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('a.log'), lines(1, 3));
  const options = { name: 'x', paths: [folder.file('a.log')], stateDirectory: folder.file('state') };
  const input = new FileInput(options);
  const sink = new TestSink();
  await input.start(sink);
  const offsetIn = async (name: string): Promise<unknown> =>
    (JSON.parse(await readFile(folder.file(`state/${name}`), 'utf8')) as { files: { offset: number }[] }).files[0]?.offset;
  await until(() => offsetIn('x.json'), 'the checkpoint');
  await appendFile(folder.file('a.log'), lines(4, 5));
  const offset = Buffer.byteLength(lines(1, 5));
  // Long before the next checkpoint that waits for the disk.
  await until(async () => (await offsetIn('x.latest')) === offset, 'what was written last');
  const killed = folder.file('killed');
  await cp(folder.file('state'), killed, { recursive: true, preserveTimestamps: true });
  await input.stop();
  expect(existsSync(folder.file('state/x.latest'))).toBe(false);
  await run({ ...options, stateDirectory: killed }, 0);
});

it.each<[title: string, change: (state: string) => Promise<unknown>, count: number]>([
  ['was written in part', (state) => truncate(join(state, 'x.latest'), 20), 2],
  ['is older than the checkpoint', (state) => utimes(join(state, 'x.latest'), 1, 1), 2],
  ['is there without a checkpoint', (state) => rm(join(state, 'x.json')), 5],
])('goes by the checkpoint when what was written last %s', async (_title, change, count) => {
  await using folder = await temporaryFolder();
  const state = folder.file('state');
  const options = { name: 'x', paths: [folder.file('a.log')], stateDirectory: state };
  await writeFile(folder.file('a.log'), lines(1, 3));
  await run(options, 3);
  const early = await readFile(join(state, 'x.json'));
  await appendFile(folder.file('a.log'), lines(4, 5));
  await run(options, 2);
  await writeFile(join(state, 'x.latest'), await readFile(join(state, 'x.json')));
  await writeFile(join(state, 'x.json'), early);
  await utimes(join(state, 'x.json'), 10, 10);
  await change(state);
  await run(options, count);
});

it('says nothing of files that were only rotated while it did not run', async () => {
  await using folder = await temporaryFolder();
  const log = folder.file('a.log');
  const options = { name: 'x', paths: [log], stateDirectory: folder.file('state') };
  const rotate = async (from: number, to: number): Promise<void> => {
    for (const i of [3, 2, 1]) if (existsSync(`${log}.${i}`)) await rename(`${log}.${i}`, `${log}.${i + 1}`);
    await rename(log, `${log}.1`);
    await writeFile(log, lines(from, to));
  };
  await writeFile(log, lines(1, 2));
  const input = new FileInput({ pollMs: 20, ...options });
  const sink = new TestSink();
  await input.start(sink);
  await until(() => sink.records.length === 2, 'the first file');
  await rotate(3, 4);
  await until(() => sink.records.length === 4, 'the second file');
  // The first one is still looked after, so both are in the checkpoint.
  await input.stop();
  await rotate(5, 6);
  await rotate(7, 8);
  const next = await run(options, 4);
  expect(next.payloads).toEqual([5, 6, 7, 8].map(line));
  expect(next.codes).toEqual([]);
});

it('a checkpoint that could not be written is tried again, though nothing more comes', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('a.log'), lines(1, 2));
  await writeFile(folder.file('state'), 'in the way');
  const input = new FileInput({ name: 'x', paths: [folder.file('a.log')], stateDirectory: folder.file('state') });
  const sink = new TestSink();
  await input.start(sink);
  try {
    await expect.poll(() => sink.codes).toContain('checkpoint.unwritable');
    await rm(folder.file('state'));
    await expect.poll(() => sink.codes).toContain('checkpoint.written');
  } finally {
    await input.stop();
  }
});

describe('what happens between two runs', () => {
  const cases: [title: string, pattern: string, change: (log: string) => Promise<unknown>, records: number[], codes: string[]][] = [
    ['nothing', '', () => Promise.resolve(), [], []],
    ['lines appended', '', (log) => appendFile(log, lines(4, 5)), [4, 5], []],
    ['rotated by renaming', '', async (log) => (await rename(log, `${log}.1`), await writeFile(log, lines(5, 6))), [5, 6], []],
    [
      'appended, then rotated by renaming',
      '',
      async (log) => (await appendFile(log, lines(4, 4)), await rename(log, `${log}.1`), await writeFile(log, lines(5, 6))),
      [4, 5, 6],
      [],
    ],
    ['renamed, no new file', '', async (log) => (await appendFile(log, lines(4, 4)), await rename(log, `${log}.1`)), [4], ['file.missing']],
    [
      'rotated three times',
      '',
      async (log) => {
        await appendFile(log, lines(4, 4));
        await rename(log, `${log}.3`);
        await writeFile(`${log}.2`, lines(5, 5));
        await writeFile(`${log}.1`, lines(6, 6));
        await writeFile(log, lines(7, 7));
      },
      [4, 5, 6, 7],
      [],
    ],
    [
      'rotated by date',
      '',
      async (log) => {
        await appendFile(log, lines(4, 4));
        await rename(log, `${log}-20260101`);
        await writeFile(`${log}-20260102`, lines(5, 5));
        await writeFile(log, lines(6, 6));
      },
      [4, 5, 6],
      [],
    ],
    [
      'rotated and packed',
      '',
      async (log) => {
        await writeFile(`${log}.1.gz`, gzipSync(lines(1, 5)));
        await rm(log);
        await writeFile(log, lines(6, 6));
      },
      [4, 5, 6],
      [],
    ],
    [
      'copied and truncated',
      '',
      async (log) => {
        await appendFile(log, lines(4, 4));
        await copyFile(log, `${log}.1`);
        await truncate(log);
        await appendFile(log, lines(5, 5));
      },
      [4, 5],
      [],
    ],
    [
      'emptied, then filled and rotated',
      '',
      async (log) => {
        await truncate(log);
        await run({ name: 'x', paths: [log], stateDirectory: join(dirname(log), 'state') }, 0);
        await delay(15);
        await appendFile(log, lines(4, 4));
        await copyFile(log, `${log}.1`);
        await truncate(log);
        await appendFile(log, lines(5, 5));
      },
      [4, 5],
      [],
    ],
    ['truncated', '', (log) => writeFile(log, lines(7, 7)), [7], ['file.data-missing']],
    ['replaced', '', async (log) => (await rm(log), await writeFile(log, lines(7, 9))), [7, 8, 9], ['file.data-missing']],
    ['saved by an editor', '', async (log) => (await writeFile(`${log}.new`, lines(1, 4)), await rename(`${log}.new`, log)), [4], []],
    ['deleted', '', (log) => rm(log), [], ['file.missing']],
    [
      'rotated by renaming, under a pattern',
      '*',
      async (log) => (await appendFile(log, lines(4, 4)), await rename(log, `${log}.1`), await writeFile(log, lines(5, 6))),
      [4, 5, 6],
      [],
    ],
    [
      'copied and truncated, under a pattern',
      '*',
      async (log) => {
        await appendFile(log, lines(4, 4));
        await copyFile(log, `${log}.1`);
        await truncate(log);
        await appendFile(log, lines(5, 5));
      },
      [4, 5],
      [],
    ],
    [
      'packed, under a pattern',
      '*',
      async (log) => (await writeFile(`${log}.1.gz`, gzipSync(lines(1, 4))), await rm(log), await writeFile(log, lines(5, 5))),
      [4, 5],
      [],
    ],
  ];
  it.each(cases)('%s', async (_title, pattern, change, records, codes) => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    const options = { name: 'x', paths: [`${log}${pattern}`], stateDirectory: folder.file('state') };
    await writeFile(log, lines(1, 3));
    await run(options, 3);
    await change(log);
    const sink = await run(options, records.length);
    expect(pattern === '' ? sink.payloads : sink.payloads.toSorted()).toEqual(records.map(line));
    expect(sink.codes).toEqual(codes);
    // And the next start finds nothing new.
    await run(options, 0);
  });

  it('reads a packed file on where it stopped', async () => {
    await using folder = await temporaryFolder();
    const options = { name: 'x', paths: [folder.file('a.gz')], stateDirectory: folder.file('state') };
    await writeFile(folder.file('a.gz'), gzipSync(lines(1, 20_000)));
    const sink = new TestSink();
    const input = new FileInput(options);
    sink.gate = () => (sink.records.length < 9000 ? Promise.resolve() : new Promise(() => undefined));
    await input.start(sink);
    await until(() => sink.records.length >= 9000, 'a part');
    await input.stop();
    const rest = await run(options, 20_000 - sink.records.length);
    expect([...sink.payloads, ...rest.payloads]).toEqual(lines(1, 20_000).trimEnd().split('\n'));
    expect(rest.records.at(-1)?.line).toBe(20_000);
  });

  it.each(['bzip2', 'xz', 'lz4'] as const)('reads a file packed by %s once, and on where it stopped', async (form) => {
    await using folder = await temporaryFolder();
    const options = { name: 'x', paths: [folder.file('a.log.1')], stateDirectory: folder.file('state') };
    const copies = 40;
    const all = TEXT.toString().repeat(copies).trimEnd().split('\n');
    await writeFile(folder.file('a.log.1'), Buffer.concat(Array<Buffer>(copies).fill(packed(form))));
    const sink = new TestSink();
    const input = new FileInput(options);
    sink.gate = () => (sink.records.length < 100 ? Promise.resolve() : new Promise(() => undefined));
    await input.start(sink);
    await until(() => sink.records.length >= 100, 'a part');
    await input.stop();
    const rest = await run(options, all.length - sink.records.length);
    expect([...sink.payloads, ...rest.payloads]).toEqual(all);
    await run(options, 0);
  });

  it('remembers the state within a line', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    const options = { name: 'x', paths: [log], stateDirectory: folder.file('state'), maxRecord: 1000, flushMs: 60 };
    await writeFile(log, `1\n${'y'.repeat(5000)}`);
    await run(options, 2);
    await appendFile(log, `${'y'.repeat(5000)}\n3\n4`);
    expect((await run(options, 2)).records.map(({ payload, line: number }) => [payload, number])).toEqual([
      ['3', 3],
      ['4', 4],
    ]);
    await appendFile(log, '\n5\n');
    expect((await run(options, 1)).records.map(({ payload, line: number }) => [payload, number])).toEqual([['5', 5]]);
  });
});
