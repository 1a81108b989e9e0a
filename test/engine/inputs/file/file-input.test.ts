import { appendFile, chmod, mkdir, readdir, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { execFileSync } from 'node:child_process';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MAX_BATCH_RECORDS } from '../../../../engine/inputs/splitter.ts';
import type { TextValues } from '../../../../engine/message/batch/columns.ts';
import { TextPool } from '../../../../engine/message/text-pool.ts';
import { temporaryFolder, TestSink } from '../harness.ts';
import { slowness } from '../../../patience.ts';
import { until } from '../../../until.ts';
import { follow } from './follow.ts';

describe('following a file', () => {
  it('delivers what is there and what is appended, with its headers', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, 'one\ntwo\r\n');
    await using run = await follow([log], { hostname: 'box', logger: 'basename', flushMs: 0 });
    await run.expect(['one', 'two']);
    await appendFile(log, 'three\nfo');
    await appendFile(log, 'ur\n');
    await run.expect(['one', 'two', 'three', 'four']);
    expect(run.sink.records[3]).toEqual({ payload: 'four', logger: 'a.log', type: 'logfile', hostname: 'box', line: 4 });
    expect(run.input.stats()).toEqual({ bytes: 20, records: 4, dropped: 0, totalBytes: 20, gone: false });
    expect(run.sink.batches[0]?.source).toBe(log);
  });

  it.each(['a.log', 'a.log.gz'])(
    'gives back the memory of texts of %s when their records are acknowledged, and not before',
    async (name) => {
      await using folder = await temporaryFolder();
      const log = folder.file(name);
      const text = 'a line that is read in one piece with others\n'.repeat(1000);
      await writeFile(log, name.endsWith('.gz') ? gzipSync(text) : text);
      const sink = new TestSink();
      sink.acknowledges = false;
      await using run = await follow([log], { texts: new TextPool() }, sink);
      await until(() => run.sink.batches.length > 0, 'a batch');
      const [batch] = run.sink.batches;
      const payload = batch?.batch.payload as TextValues;
      expect(payload.latin?.slice(2, 6)).toBe('line');
      batch?.acknowledge();
      expect(() => payload.latin?.bytes).toThrow('given back');
    },
  );

  it('delivers an appended line without waiting for its next look', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, '');
    await using run = await follow([log], { pollMs: 3_600_000 });
    const delays: number[] = [];
    for (let i = 1; i <= 20; i++) {
      await delay(10);
      const started = performance.now();
      await appendFile(log, `line ${i}\n`);
      await until(() => run.sink.records.length === i, 'the line');
      delays.push(performance.now() - started);
    }
    // The quickest one shows what it takes, the others what else the machine did.
    expect(Math.min(...delays)).toBeLessThan(50 * slowness());
  });

  it('notices growth without any hint', async () => {
    await using folder = await temporaryFolder();
    await mkdir(folder.file('real'));
    await writeFile(folder.file('real/a.log'), 'one\n');
    await using run = await follow([folder.file('real/a.log')]);
    await run.expect(['one']);
    // A moved folder takes its watch along, the new one has none yet.
    await rename(folder.file('real'), folder.file('moved'));
    await mkdir(folder.file('real'));
    await writeFile(folder.file('real/a.log'), 'two\n');
    await run.expect(['one', 'two']);
  });

  it('delivers a last line without its end after some silence, and what follows on its own', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, 'one\ntwo');
    await using run = await follow([log], { flushMs: 150 });
    await run.expect(['one', 'two']);
    await appendFile(log, '\nthree\nfour');
    await run.expect(['one', 'two', 'three', 'four']);
    await appendFile(log, ' and more\nfive\n');
    await run.expect(['one', 'two', 'three', 'four', ' and more', 'five']);
    expect(run.sink.records.map(({ line }) => line)).toEqual([1, 2, 3, 4, 4, 5]);
  });

  it('waits longer within a line, unless nothing was written to the file for so long', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, 'one\ntw');
    await using run = await follow([log], { pollMs: 20, flushMs: 50, tornMs: 1500 });
    await delay(400);
    expect(run.sink.payloads).toEqual(['one']);
    await appendFile(log, 'o\nthree');
    await run.expect(['one', 'two']);
    await utimes(log, 1, 1);
    await run.expect(['one', 'two', 'three']);
  });

  it('keeps a last line without its end when it is told so', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, 'one\ntwo');
    await using run = await follow([log], { flushMs: 0 });
    await until(() => run.sink.idles > 0, 'idle');
    expect(run.input.files()).toEqual([{ path: log, size: 7, position: 4, pending: 3 }]);
    await appendFile(log, '!\n');
    await run.expect(['one', 'two!']);
  });

  it('says when it has nothing to read, each time anew', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, 'one\n');
    await using run = await follow([log]);
    await until(() => run.sink.idles === 1, 'the first idle');
    await delay(250);
    expect(run.sink.idles).toBe(1);
    await appendFile(log, 'two\n');
    await until(() => run.sink.idles === 2, 'the second idle');
    expect(run.sink.payloads).toEqual(['one', 'two']);
  });

  it('waits for a sink that takes nothing, and stops all the same', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, 'x\n'.repeat(50_000));
    const sink = new TestSink();
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    sink.gate = () => opened;
    const run = await follow([log], {}, sink);
    await delay(60);
    expect(run.input.stats().records).toBeLessThanOrEqual(MAX_BATCH_RECORDS);
    open();
    await until(() => sink.records.length === 50_000, 'all records');
    sink.gate = () => new Promise(() => undefined);
    await appendFile(log, 'last\n');
    await delay(30);
    await run.input.stop();
    expect(sink.records).toHaveLength(50_000);
  });

  it('reads many files, keeping few of them open', async () => {
    await using folder = await temporaryFolder();
    const names = Array.from({ length: 40 }, (_, i) => folder.file(`${i}.log`));
    for (const name of names) await writeFile(name, `first of ${name}\n`);
    await using run = await follow([folder.file('*.log')], { maxOpenFiles: 5 });
    await until(() => run.sink.records.length === 40, 'the first lines');
    const open = (await readdir('/proc/self/fd').catch(() => [])).length;
    for (const name of names) await appendFile(name, `second of ${name}\n`);
    await until(() => run.sink.records.length === 80, 'the second lines');
    expect((await readdir('/proc/self/fd').catch(() => [])).length).toBeLessThanOrEqual(open + 5);
    expect(new Set(run.sink.payloads)).toEqual(new Set(names.flatMap((name) => [`first of ${name}`, `second of ${name}`])));
  });

  it('starts where it is told for each file, and at the beginning of one that is shorter', async () => {
    await using folder = await temporaryFolder();
    const places = { 'a.log': { position: 4 }, 'b.log': { position: 99 }, 'c.log': 'end', 'd.log': 'beginning' } as const;
    for (const name of Object.keys(places)) await writeFile(folder.file(name), 'old\nnew\n');
    const startAt = (path: string): (typeof places)[keyof typeof places] => places[basename(path) as keyof typeof places];
    await using run = await follow(Object.keys(places).map(folder.file), { startAt });
    await run.expect(['new', 'old', 'new', 'old', 'new']);
  });

  it('starts at the end when it is told so, in the middle of a line too', async () => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('a.log'), 'old\n');
    await writeFile(folder.file('b.log'), 'old\nunfinish');
    await using run = await follow([folder.file('*.log')], { startAt: 'end' });
    await until(() => run.sink.idles > 0, 'idle');
    await appendFile(folder.file('a.log'), 'new a\n');
    await appendFile(folder.file('b.log'), 'ed\nnew b\n');
    await writeFile(folder.file('c.log'), 'new c\n');
    await until(() => run.sink.records.length === 3, 'new lines');
    expect(run.sink.payloads.sort()).toEqual(['new a', 'new b', 'new c']);
    expect(run.sink.records.map(({ line }) => line).sort()).toEqual([0, 0, 1]);
  });
});

describe('reading once', () => {
  it('reads all files to their end, the last line too', async () => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('b.log'), '1\n2');
    await writeFile(folder.file('a.log'), '3');
    await using run = await follow([folder.file('b.log'), folder.file('a.log')], { follow: false });
    await until(() => run.sink.idles === 1, 'idle');
    expect(run.sink.payloads).toEqual(['1', '2', '3']);
  });

  it('has the files of a pattern from the oldest to the newest', async () => {
    await using folder = await temporaryFolder();
    for (const [i, name] of ['a.log.2', 'a.log.1', 'a.log'].entries()) {
      await writeFile(folder.file(name), `${i}\n`);
      await delay(12);
    }
    await using run = await follow([folder.file('a.log*')], { follow: false });
    await run.expect(['0', '1', '2']);
  });

  it('cuts by regular expression and not at all', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, 'start 1\n more\nstart 2\n');
    await using one = await follow([log], { follow: false, split: { kind: 'regex', pattern: '\\n(start)', delimiterEol: false } });
    await one.expect(['start 1\n more', 'start 2\n']);
    await using two = await follow([log], { follow: false, split: { kind: 'none' } });
    await two.expect(['start 1\n more\nstart 2\n']);
  });
});

describe('encodings', () => {
  const text = 'první řádek\r\ndruhý €🙂\nposlední\n';
  const records = ['první řádek', 'druhý €🙂', 'poslední'];
  const utf16 = (value: string): Buffer => Buffer.from(value, 'utf16le');
  const mark = String.fromCharCode(0xfeff);
  const long = Array.from({ length: 9000 }, (_, i) => `řádek ${i} ${'🙂'.repeat(i % 50)}`);
  const mixed = Buffer.concat([
    utf16(`${mark}první\r\n`),
    Buffer.from('a line of ASCII\n'),
    utf16('druhý €🙂\n'),
    Buffer.from('and\r\none more\n'),
    utf16(`${mark}poslední\n`),
  ]);
  const cases: [string, Uint8Array, string[]][] = [
    ['UTF-8', Buffer.from(text), records],
    ['UTF-8 with a mark', Buffer.from(mark + text), records],
    ['UTF-16LE with a mark', utf16(mark + text), records],
    ['UTF-16BE with a mark', utf16(mark + text).swap16(), records],
    ['UTF-16LE without a mark', utf16('plain text 1\nplain text 2\n'), ['plain text 1', 'plain text 2']],
    ['long UTF-16', utf16(`${mark}${long.join('\n')}\n`), long],
    ['gzip', gzipSync(text), records],
    ['gzip of several members', Buffer.concat([gzipSync(text), gzipSync('and\nmore\n')]), [...records, 'and', 'more']],
    ['zstd of several frames', Buffer.concat([zstdCompressSync(text), zstdCompressSync('and\nmore')]), [...records, 'and', 'more']],
    ['gzip of UTF-16', gzipSync(utf16(mark + text)), records],
    ['carriage returns alone', Buffer.from('one\rtwo\rthree\r'), ['one', 'two', 'three']],
    ['carriage returns alone, behind a mark', Buffer.from(`${mark}one\rtwo\rthree`), ['one', 'two', 'three']],
    ['NUL between lines', Buffer.from('one\0two\0three\0'), ['one', 'two', 'three']],
    ['UTF-16 among ASCII', mixed, ['první', 'a line of ASCII', 'druhý €🙂', 'and', 'one more', 'poslední']],
    ['UTF-16 with a byte of a line feed in its last character', utf16(`${mark}以上\n上`), ['以上', '上']],
    ['a preallocated file', Buffer.concat([Buffer.from('one\ntwo\n'), Buffer.alloc(3000)]), ['one', 'two']],
    ['a hole in front', Buffer.concat([Buffer.alloc(3000), Buffer.from('one\ntwo\n')]), ['one', 'two']],
  ];
  it.each(cases)('%s', async (_title, bytes, wanted) => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('a.log'), bytes);
    await using run = await follow([folder.file('a.log')]);
    await run.expect(wanted);
    expect(run.sink.notices).toEqual([]);
  });

  it('UTF-16 goes on with what is appended', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, utf16(`${mark}1 €\n2`));
    await using run = await follow([log]);
    await run.expect(['1 €']);
    for (const byte of utf16('🙂\n3\n')) await appendFile(log, Uint8Array.of(byte));
    await run.expect(['1 €', '2🙂', '3']);
  });

  it.each([
    ['a carriage return', '\r'],
    ['NUL', '\0'],
  ])('lines that end with %s alone go on with what is appended, also after a stop', async (_title, end) => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, `one${end}`);
    {
      await using run = await follow([log], { stateDirectory: folder.path });
      await run.expect(['one']);
      await appendFile(log, `two${end}th`);
      await run.expect(['one', 'two', 'th']);
    }
    await appendFile(log, `ree${end}four${end}`);
    await using run = await follow([log], { stateDirectory: folder.path });
    await run.expect(['ree', 'four']);
  });

  it('a carriage return at the end of a first line waits for the line feed', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, 'one\r');
    await using run = await follow([log]);
    await appendFile(log, '\ntwo\r\n');
    await run.expect(['one', 'two']);
  });

  it('other encodings are told, and read as windows-1252', async () => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('a.log'), Buffer.from('gr\xfc\xdfe\ntsch\xfc\xdf \x80\n', 'latin1'));
    await using run = await follow([folder.file('a.log')]);
    await run.expect(['grüße', 'tschüß €']);
    expect(run.sink.codes).toEqual(['file.encoding']);
  });
});

describe('what is wrong with files', () => {
  const binary = Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 37) % 256));
  const cases: [title: string, make: (path: string) => Promise<unknown>, code: string, says: RegExp][] = [
    ['missing', () => Promise.resolve(), 'file.missing', /does not exist.*as soon as it appears/],
    ['a folder', (path) => mkdir(path), 'file.directory', /is a folder.*\*\.log/],
    ['empty', (path) => writeFile(path, ''), 'file.empty', /is empty/],
    ['binary', (path) => writeFile(path, binary), 'file.binary', /is a binary file/],
    ['7z', (path) => writeFile(path, Buffer.from('7z\xbc\xaf\x27\x1c\0\x04', 'latin1')), 'file.binary', /7z.*Unpack/],
    ['zip', (path) => writeFile(path, 'PK\x03\x04\x14\0\0\0\x08\0'), 'file.archive', /zip archive.*FILE/],
    ['bzip2, cut', (path) => writeFile(path, 'BZh91AY&SY'), 'file.damaged', /ends too early/],
    ['a journal', (path) => writeFile(path, 'LPKSHHRH\0\0\0'), 'file.binary', /journalctl/],
    ['packed binary data', (path) => writeFile(path, gzipSync(binary)), 'file.binary', /is a binary file/],
    ['a pipe', async (path) => execFileSync('mkfifo', [path]), 'file.special', /sluicebox decode/],
    ['a link to itself', (path) => symlink(path, path), 'file.link-loop', /leads back to itself/],
    ['damaged gzip', (path) => writeFile(path, gzipSync('a\n'.repeat(5000)).subarray(0, 25)), 'file.damaged', /ends too early/],
  ];
  it.each(cases)('%s', async (_title, make, code, says) => {
    await using folder = await temporaryFolder();
    const path = folder.file('a.log');
    await make(path);
    await writeFile(folder.file('good.log'), 'good\n');
    await using run = await follow([path, folder.file('good.log')]);
    expect(await run.notice(code)).toMatch(says);
    await until(() => run.sink.payloads.includes('good'), 'the good file');
    await delay(120);
    expect(run.sink.codes).toEqual([code]);
    // Once it is right, it is read.
    await rm(path, { recursive: true, force: true });
    await writeFile(path, 'right\n');
    await until(
      () => run.sink.payloads.includes('right'),
      () => `the file made right: ${run.sink.codes.join()}`,
    );
  });

  it.runIf(process.platform !== 'win32')('twenty pipes beside five files hold nothing up', async () => {
    await using folder = await temporaryFolder();
    const pipes = Array.from({ length: 20 }, (_, i) => folder.file(`pipe${i}`));
    const files = Array.from({ length: 5 }, (_, i) => folder.file(`file${i}`));
    execFileSync('mkfifo', pipes);
    for (const file of files) await writeFile(file, `${file}\n`);
    const began = performance.now();
    await using run = await follow([...pipes, ...files]);
    await until(() => run.sink.payloads.length === files.length, 'the files');
    expect(run.sink.codes).toEqual(pipes.map(() => 'file.special'));
    await run.input.stop();
    expect(performance.now() - began).toBeLessThan(20_000 * slowness());
  });

  it('unreadable', async () => {
    await using folder = await temporaryFolder();
    const path = folder.file('a.log');
    await chmod(folder.path, 0o755);
    await writeFile(path, 'secret\n', { mode: 0o000 });
    const user = process.geteuid?.() ?? 0;
    if (user === 0) process.seteuid?.(65534);
    try {
      await using run = await follow([path]);
      expect(await run.notice('file.denied')).toMatch(/read permission/);
      if (user === 0) process.seteuid?.(0);
      await chmod(path, 0o644);
      await run.expect(['secret']);
    } finally {
      process.seteuid?.(user);
    }
  });

  it('a vanished file is told, and read again when it comes back', async () => {
    await using folder = await temporaryFolder();
    const path = folder.file('a.log');
    await writeFile(path, '1\n2 unfinished');
    await using run = await follow([path]);
    await until(() => run.sink.records.length > 0, 'the first line');
    await unlink(path);
    expect(await run.notice('file.vanished')).toMatch(/deleted or moved/);
    await writeFile(path, '3\n');
    await run.expect(['1', '2 unfinished', '3']);
  });

  it('the beginning of a file comes in a smaller piece than the rest', async () => {
    await using folder = await temporaryFolder();
    const path = folder.file('a.log');
    await writeFile(path, `${'x'.repeat(255)}\n`.repeat(15_000));
    await using run = await follow([path]);
    await until(() => run.sink.records.length === 15_000, 'all records');
    const pieces = run.sink.batches.map(({ batch }) => batch.length);
    expect([pieces[0], Math.max(...pieces)]).toEqual([2049, 4096]);
  });

  it('a line of 10 MB is cut, once told, and takes no memory', async () => {
    await using folder = await temporaryFolder();
    const path = folder.file('a.log');
    const long = 'x'.repeat(10_000_000);
    await writeFile(path, `before\n${long}\nbetween\n${long}\nafter\n`);
    await using run = await follow([path]);
    await until(() => run.sink.records.length === 5, 'five records');
    expect(run.sink.payloads.map((payload) => payload.length)).toEqual([6, 1 << 20, 7, 1 << 20, 5]);
    expect(run.sink.records.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
    expect(run.sink.codes).toEqual(['record.truncated']);
  });

  it('a growing line of 3 MB is cut once it is too long', async () => {
    await using folder = await temporaryFolder();
    const path = folder.file('a.log');
    await writeFile(path, 'before\n');
    await using run = await follow([path], { maxRecord: 100_000 });
    for (let i = 0; i < 30; i++) await appendFile(path, 'y'.repeat(100_000));
    await appendFile(path, '\nafter\n');
    await until(() => run.sink.records.length === 3, 'three records');
    expect(run.sink.payloads.map((payload) => payload.length)).toEqual([6, 100_000, 5]);
  });

  it('a name with signs of a pattern is a name when there is such a file', async () => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('log[1].txt'), 'one\n');
    await using run = await follow([folder.file('log[1].txt')]);
    await run.expect(['one']);
  });
});
