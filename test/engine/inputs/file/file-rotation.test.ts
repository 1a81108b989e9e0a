import { appendFile, mkdir, open, readFile, rename, rm, symlink, truncate, unlink, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, TestSink } from '../harness.ts';
import { until } from '../../../until.ts';
import { follow } from './follow.ts';

describe('rotation', () => {
  it('by renaming: the old file to its end, then the new one', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    const writer = await open(log, 'a');
    await writer.write('1\n2\n');
    await using run = await follow([log]);
    await run.expect(['1', '2']);
    await rename(log, `${log}.1`);
    await writer.write('3\n4 without its end');
    await writeFile(log, '5\n');
    await run.expect(['1', '2', '3', '4 without its end', '5']);
    // A writer that has not noticed yet goes on in the old file.
    await writer.write('\n4 late\n');
    await run.expect(['1', '2', '3', '4 without its end', '5', '4 late']);
    await writer.close();
  });

  it('by renaming, more than once between two looks', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, '1\n');
    const sink = new TestSink();
    await using run = await follow([log], {}, sink);
    await run.expect(['1']);
    const open = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    sink.gate = () => {
      reached.resolve();
      return open.promise;
    };
    await appendFile(log, '2\n');
    await reached.promise;
    for (let i = 3; i < 7; i++) {
      for (let old = 4; old > 0; old--) await rename(`${log}.${old}`, `${log}.${old + 1}`).catch(() => undefined);
      await rename(log, `${log}.1`);
      await writeFile(log, `${i}\n`);
    }
    open.resolve();
    await run.expect(['1', '2', '3', '4', '5', '6']);
  });

  it('by renaming to names that the pattern fits too', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, '1\n');
    await using run = await follow([folder.file('a.log*')], { logger: 'basename' });
    await run.expect(['1']);
    await appendFile(log, '2\n');
    await rename(log, `${log}.1`);
    await writeFile(log, '3\n');
    await run.expect(['1', '2', '3']);
    await appendFile(`${log}.1`, '2b\n');
    await run.expect(['1', '2', '3', '2b']);
    await delay(300);
    expect(run.sink.payloads).toEqual(['1', '2', '3', '2b']);
  });

  it('by copying and truncating: what came in between is read from the copy', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, '1\n2\n');
    const sink = new TestSink();
    await using run = await follow([log], {}, sink);
    await run.expect(['1', '2']);
    const open = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    sink.gate = () => {
      reached.resolve();
      return open.promise;
    };
    await appendFile(log, '3\n');
    await reached.promise;
    await appendFile(log, '4\nhalf a line');
    execFileSync('cp', [log, `${log}.1`]);
    await truncate(log);
    await appendFile(log, ' and its rest\n5\n');
    open.resolve();
    await run.expect(['1', '2', '3', '4', 'half a line', ' and its rest', '5']);
  });

  it('by copying and truncating, with a pattern that fits the copy', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    const line = (i: number): string => `line number ${i} of a log that is rotated`;
    await writeFile(log, `${line(1)}\n${line(2)}\n`);
    await using run = await follow([folder.file('a.log*')]);
    await run.expect([line(1), line(2)]);
    execFileSync('cp', [log, `${log}.1`]);
    await delay(150);
    await truncate(log);
    await appendFile(log, `${line(3)}\n`);
    await run.expect([line(1), line(2), line(3)]);
    // And packed later on.
    await writeFile(`${log}.2.gz`, gzipSync(`${line(1)}\n${line(2)}\n`));
    await rm(`${log}.1`);
    await appendFile(log, `${line(4)}\n`);
    await run.expect([line(1), line(2), line(3), line(4)]);
    await delay(1400);
    expect(run.sink.payloads).toEqual([line(1), line(2), line(3), line(4)]);
  });

  it.each([
    ['to nothing', async (log: string) => truncate(log), 'new\n'],
    ['to less', async (log: string) => writeFile(log, 'n\n'), 'new\n'],
    ['to the same size', async (log: string) => writeFile(log, 'other 1\nother 2\n'), 'new\n'],
    ['to more', async (log: string) => writeFile(log, 'other 1\nother 2\nother 3\nother 4\n'), 'new\n'],
  ])('truncation in place %s', async (_title, change, appended) => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, 'first 1\nfirst 2\n');
    await using run = await follow([log]);
    await run.expect(['first 1', 'first 2']);
    await delay(20);
    await change(log);
    await run.notice('file.truncated');
    await appendFile(log, appended);
    const now = (await readFile(log, 'utf8')).trimEnd().split('\n');
    await run.expect(['first 1', 'first 2', ...now]);
  });

  it('truncation under a writer that does not append leaves a hole', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    const writer = await open(log, 'w');
    await writer.write('1'.repeat(5000) + '\n', 0);
    await using run = await follow([log]);
    await until(() => run.sink.records.length === 1, 'the first line');
    await truncate(log);
    await writer.write('2\n', 3_000_000);
    await writer.close();
    await until(() => run.sink.records.length === 2, 'the second line');
    expect(run.sink.payloads[1]).toBe('2');
  });

  it('deletion and creation', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, '1\n');
    await using run = await follow([log]);
    await run.expect(['1']);
    for (let i = 2; i < 6; i++) {
      await unlink(log);
      if (i % 2 === 0) await delay(30);
      await writeFile(log, `${i}\n`);
      await until(() => run.sink.records.length === i, `record ${i}`);
    }
    await run.expect(['1', '2', '3', '4', '5']);
  });

  it('replacement by a file with the same beginning, as editors save', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    const line = (i: number): string => `line number ${i} of a log that is edited`;
    await writeFile(log, `${line(1)}\n${line(2)}\n`);
    await using run = await follow([log]);
    await run.expect([line(1), line(2)]);
    await writeFile(folder.file('.a.swp'), `${line(1)}\n${line(2)}\n${line(3)}\n`);
    await rename(folder.file('.a.swp'), log);
    await run.expect([line(1), line(2), line(3)]);
  });

  it('a symbolic link that is switched', async () => {
    await using folder = await temporaryFolder();
    await mkdir(folder.file('data'));
    await writeFile(folder.file('data/monday'), '1\n');
    await symlink(folder.file('data/monday'), folder.file('current'));
    await using run = await follow([folder.file('current')]);
    await run.expect(['1']);
    await appendFile(folder.file('data/monday'), '2\n');
    await run.expect(['1', '2']);
    await writeFile(folder.file('data/tuesday'), '3\n');
    await symlink(folder.file('data/tuesday'), folder.file('next'));
    await rename(folder.file('next'), folder.file('current'));
    await run.expect(['1', '2', '3']);
    await appendFile(folder.file('data/tuesday'), '4\n');
    await run.expect(['1', '2', '3', '4']);
  });

  it('takes up new files that fit a pattern, in new folders too', async () => {
    await using folder = await temporaryFolder();
    await using run = await follow([folder.file('**/*.log')]);
    expect(run.sink.codes).toEqual(['glob.empty']);
    await writeFile(folder.file('a.log'), '1\n');
    await run.expect(['1']);
    await writeFile(folder.file('a.txt'), 'no\n');
    await mkdir(folder.file('deep'));
    await writeFile(folder.file('deep/b.log'), '2\n');
    await run.expect(['1', '2']);
  });
});
