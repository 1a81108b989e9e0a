import { execFileSync, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { probe } from '../../../../engine/inputs/probe.ts';
import { readRecords, TextSource, type ReadOptions } from '../../../../engine/inputs/shared/read.ts';
import { MAX_BATCH_RECORDS } from '../../../../engine/inputs/splitter.ts';
import type { InputNotice } from '../../../../engine/inputs/types.ts';
import { recordsOf, temporaryFolder, type Delivered } from '../harness.ts';

async function readAll(source: string | Readable, options: ReadOptions = {}): Promise<Delivered[]> {
  const records: Delivered[] = [];
  for await (const batch of readRecords(source, options)) records.push(...recordsOf(batch));
  return records;
}

const payloads = (records: readonly Delivered[]): string[] => records.map(({ payload }) => payload);

describe('reading a source once', () => {
  it('a file, with headers and line numbers', async () => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('a.log'), 'one\n\nthree');
    const records = await readAll(folder.file('a.log'), { hostname: 'box', type: 'nginx' });
    expect(records).toEqual(
      ['one', '', 'three'].map((payload, i) => ({ payload, logger: folder.file('a.log'), type: 'nginx', hostname: 'box', line: i + 1 })),
    );
  });

  it('a long file in batches, in bounded memory', async () => {
    await using folder = await temporaryFolder();
    const line = `${'x'.repeat(99)}\n`;
    await writeFile(folder.file('a.log'), line.repeat(200_000));
    let count = 0;
    let next = 1;
    for await (const { batch, firstLine } of readRecords(folder.file('a.log'))) {
      expect(firstLine).toBe(next);
      next += batch.length;
      count += batch.length;
      expect(batch.length).toBeLessThanOrEqual(MAX_BATCH_RECORDS);
    }
    expect(count).toBe(200_000);
  });

  it('stops reading when the reader leaves', async () => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('a.log'), 'line\n'.repeat(500_000));
    await writeFile(folder.file('a.log.gz'), gzipSync('line\n'.repeat(500_000)));
    for (const name of ['a.log', 'a.log.gz']) {
      for await (const { batch } of readRecords(folder.file(name))) {
        expect(batch.length).toBeGreaterThan(0);
        break;
      }
    }
  });

  it.each([
    ['chunks that end anywhere', ['on', 'e\ntw', '', 'o\r', '\nthree']],
    ['a mark in two chunks', [Buffer.from([0xef]), Buffer.from([0xbb, 0xbf]), 'one\ntwo\nthree\n']],
    ['UTF-16 in odd chunks', [...Buffer.from(`${String.fromCharCode(0xfeff)}one\ntwo\nthree\n`, 'utf16le')].map((byte) => Buffer.of(byte))],
    ['packed', [gzipSync('one\ntwo\nthree').subarray(0, 10), gzipSync('one\ntwo\nthree').subarray(10)]],
    ['packed twice', [gzipSync(zstdCompressSync('one\ntwo\nthree'))]],
  ])('a stream: %s', async (_title, chunks) => {
    const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk as string)));
    expect(payloads(await readAll(stream))).toEqual(['one', 'two', 'three']);
  });

  it('a stream as it comes', async () => {
    const stream = new PassThrough();
    const batches = readRecords(stream);
    stream.write('one\ntw');
    expect(recordsOf((await batches.next()).value!).map(({ payload }) => payload)).toEqual(['one']);
    stream.end('o');
    expect(recordsOf((await batches.next()).value!).map(({ payload }) => payload)).toEqual(['two']);
    expect((await batches.next()).done).toBe(true);
  });

  it('a quiet stream of a regular expression is not one record late', async () => {
    const stream = new PassThrough();
    const batches = readRecords(stream, { split: { kind: 'regex', pattern: ';+' } });
    const first = batches.next();
    stream.write('one;');
    await delay(50);
    expect(recordsOf((await first).value!).map(({ payload }) => payload)).toEqual(['one']);
    stream.end('two;');
    expect(recordsOf((await batches.next()).value!).map(({ payload }) => payload)).toEqual(['two']);
  });

  it('a pipe by its name', async () => {
    await using folder = await temporaryFolder();
    execFileSync('mkfifo', [folder.file('pipe')]);
    spawn('sh', ['-c', `printf 'one\\ntwo' > ${folder.file('pipe')}`]);
    expect(payloads(await readAll(folder.file('pipe')))).toEqual(['one', 'two']);
  });

  it('whole, and by a regular expression', async () => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('a.log'), 'one\n more\ntwo\n');
    const path = folder.file('a.log');
    expect(payloads(await readAll(path, { split: { kind: 'none' } }))).toEqual(['one\n more\ntwo\n']);
    const parts = await readAll(path, { split: { kind: 'regex', pattern: '\\n(\\w)', delimiterEol: false } });
    expect(parts.map(({ payload, line }) => [payload, line])).toEqual([
      ['one\n more', 1],
      ['two\n', 2],
    ]);
  });

  it('tells encodings and cut records once', async () => {
    const notices: InputNotice[] = [];
    const data = Buffer.from('gr\xfcn\nbla\xfc\nlong and longer\nvery long too\n', 'latin1');
    const records = await readAll(Readable.from([data]), { maxRecord: 5, notice: (notice) => notices.push(notice) });
    expect(payloads(records)).toEqual(['grün', 'blaü', 'long ', 'very ']);
    expect(notices.map(({ code }) => code)).toEqual(['file.encoding', 'record.truncated']);
  });

  it.each([
    ['file.missing', (path: string) => Promise.resolve(path)],
    ['file.directory', (path: string) => mkdir(path)],
    ['file.binary', (path: string) => writeFile(path, Buffer.from([1, 2, 0, 3, 0, 4]))],
    ['file.binary', (path: string) => writeFile(path, gzipSync(Buffer.from([1, 2, 0, 3, 0, 4])))],
    ['file.damaged', (path: string) => writeFile(path, gzipSync('one\n'.repeat(1000)).subarray(0, 30))],
  ])('what cannot be read is an error: %s', async (code, make) => {
    await using folder = await temporaryFolder();
    await make(folder.file('x'));
    await expect(readAll(folder.file('x'))).rejects.toMatchObject({
      name: 'InputError',
      code,
      message: expect.stringContaining(folder.file('x')) as string,
    });
  });

  it('a damaged packed stream gives what can be unpacked', async () => {
    const text = Array.from({ length: 50_000 }, (_, i) => `line ${i} ${Math.sin(i)}`).join('\n');
    const packed = gzipSync(text);
    const records: Delivered[] = [];
    const read = async (): Promise<void> => {
      for await (const batch of readRecords(Readable.from([packed.subarray(0, packed.length / 2)]))) records.push(...recordsOf(batch));
    };
    await expect(read()).rejects.toMatchObject({ code: 'file.damaged' });
    expect(records.length).toBeGreaterThan(10_000);
    expect(payloads(records)).toEqual(text.split('\n').slice(0, records.length));
  });

  describe('of a packed source that is damaged at its end', () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `line ${i} ${Math.sin(i)}`);
    const packed = gzipSync(lines.join('\n'));
    const wrong = Buffer.concat([packed.subarray(0, -8), Buffer.alloc(4), packed.subarray(-4)]);
    const cases: [title: string, bytes: Buffer][] = [
      ['a wrong checksum', wrong],
      ['a missing checksum', packed.subarray(0, -8)],
      ['something behind it', Buffer.concat([packed, Buffer.from('more')])],
      ['a second member that ends too early', Buffer.concat([packed, packed.subarray(0, 5)])],
    ];
    const small = gzipSync('one\ntwo');

    it.each(cases)('all is read, and its beginning can be looked at: %s', async (_title, bytes) => {
      const records: Delivered[] = [];
      const source = new TextSource(Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)]));
      const heads: string[] = [];
      for await (const batch of source.headLines({ bytes: 64 << 20, lines: 1, most: 64 << 20 })) heads.push(...payloads(recordsOf(batch)));
      expect(heads[0]).toBe(lines[0]);
      const read = async (): Promise<void> => {
        for await (const batch of source.records()) records.push(...recordsOf(batch));
      };
      await expect(read()).rejects.toMatchObject({ code: 'file.damaged' });
      // The last line has no end, so it may be only the beginning of one.
      expect(payloads(records).slice(0, 29_999)).toEqual(lines.slice(0, -1));
    });

    it('members of which each byte comes alone are read', async () => {
      const bytes = Buffer.concat([small, gzipSync('\nthree\n'), small, Buffer.alloc(20)]);
      const records: Delivered[] = [];
      for await (const batch of readRecords(Readable.from([...bytes].map((byte) => Buffer.of(byte))))) records.push(...recordsOf(batch));
      expect(payloads(records)).toEqual(['one', 'two', 'three', 'one', 'two']);
    });
  });
});

describe('the first bytes of a source', () => {
  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
  it.each([
    ['nothing', '', { kind: 'text', encoding: 'utf-8', bom: 0 }],
    ['text', 'plain\n', { kind: 'text', encoding: 'utf-8', bom: 0 }],
    ['a mark', '\xef\xbb\xbfx', { kind: 'text', encoding: 'utf-8', bom: 3 }],
    ['UTF-16LE', '\xff\xfex\0', { kind: 'text', encoding: 'utf-16le', bom: 2 }],
    ['UTF-16LE with a hole', `\xff\xfe${'\0'.repeat(40)}x\0`, { kind: 'text', encoding: 'utf-16le', bom: 2 }],
    ['UTF-16LE that begins with a NUL', '\xff\xfe\0\0x\0y\0', { kind: 'text', encoding: 'utf-16le', bom: 2 }],
    ['UTF-16BE', '\xfe\xff\0x', { kind: 'text', encoding: 'utf-16be', bom: 2 }],
    ['UTF-16BE without a mark', '\0a\0b\0c\0d\0e\0f\0g\0h', { kind: 'text', encoding: 'utf-16be', bom: 0 }],
    ['gzip', '\x1f\x8b\x08', { kind: 'compressed', format: 'gzip' }],
    ['zstd', '\x28\xb5\x2f\xfd', { kind: 'compressed', format: 'zstd' }],
    ['bzip2', 'BZh91AY&SY', { kind: 'compressed', format: 'bzip2' }],
    ['text that begins as bzip2 does', 'BZh9 is a name\n', { kind: 'text', encoding: 'utf-8', bom: 0 }],
    ['xz', '\xfd7zXZ\0', { kind: 'compressed', format: 'xz' }],
    ['lz4', '\x04\x22\x4d\x18', { kind: 'compressed', format: 'lz4' }],
    ['lz4 of the legacy form', '\x02\x21\x4c\x18', { kind: 'compressed', format: 'lz4' }],
    ['zip', 'PK\x03\x04', { kind: 'archive', format: 'zip' }],
    ['tar', `${'x'.repeat(257)}ustar\0${'00'}`, { kind: 'archive', format: 'tar' }],
    ['a hole', '\0'.repeat(100) + 'text\n', { kind: 'text', encoding: 'utf-8', bom: 0 }],
    ['a hole between lines', `one\n${'\0'.repeat(100)}two\n`, { kind: 'text', encoding: 'utf-8', bom: 0 }],
    ['bytes of TLS in a log', `${'a line of text\n'.repeat(20)}\x16\x03\x01\0\n`, { kind: 'text', encoding: 'utf-8', bom: 0 }],
    [
      'a field of bytes in an export of the journal',
      '__CURSOR=s\nM\n\x01\0\0\0\0\0\0\0\n\n\n',
      { kind: 'text', encoding: 'utf-8', bom: 0 },
    ],
    ['lines that end with NUL', 'text\0more text', { kind: 'text', encoding: 'utf-8', bom: 0, lineEnd: 0 }],
    ['only a hole', '\0'.repeat(100), { kind: 'text', encoding: 'utf-8', bom: 0 }],
  ])('%s', (_title, bytes, found) => expect(probe(latin1(bytes))).toEqual(found));

  it.each([
    ['7z', '7z\xbc\xaf\x27\x1c', /7z/],
    ['SQLite', 'SQLite format 3\0', /SQLite/],
    ['ELF', '\x7fELF\x02', /program/],
    ['UTF-32LE', '\xff\xfe\0\0a\0\0\0', /UTF-32/],
    ['UTF-32BE', '\0\0\xfe\xff\0\0\0a', /UTF-32/],
    ['NUL among control characters', 'text\0\x01\x02\x03\x04\0more text', /binary/],
  ])('%s is binary', (_title, bytes, what) =>
    expect(probe(latin1(bytes))).toMatchObject({ kind: 'binary', what: expect.stringMatching(what) as string }),
  );
});
