import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { memberAt, openArchive } from '../../../../engine/inputs/archive/archive.ts';
import { leftOutText } from '../../../../engine/inputs/archive/left-out.ts';
import { ARCHIVE_BOUNDS } from '../../../../engine/inputs/archive/types.ts';
import { pax, tarOf, zipOf, type MadeFile } from './make-archives.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-archive-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;

function written(bytes: Buffer): string {
  const path = join(folder, `${made++}.bin`);
  writeFileSync(path, bytes);
  return path;
}

type Make = (files: readonly MadeFile[]) => Buffer;
const FORMS: readonly [title: string, make: Make][] = [
  ['tar', tarOf],
  ['tar.gz', (files) => gzipSync(tarOf(files))],
  ['tar.zst', (files) => zstdCompressSync(tarOf(files))],
  ['zip', zipOf],
];

async function textAt(path: string): Promise<string> {
  const found = await memberAt(path);
  const pieces: Buffer[] = [];
  if (found !== null) for await (const piece of found.archive.read(found.member)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString();
}

const LONG = `${'deep/'.repeat(30)}long.log`;
const LINES = 'line\n'.repeat(300_000);

describe.each(FORMS)('the logs of a %s', (_title, make) => {
  it('are its texts, plain and packed, whatever their names', async () => {
    const files = [
      { name: './app/one.log', text: 'one\n' },
      { name: LONG, text: 'two\n' },
      { name: 'app/three.log.gz', text: gzipSync('three\n') },
      { name: 'big.log', text: LINES },
    ];
    const path = written(make(files));
    const archive = await openArchive(path);
    expect(archive?.members.map(({ name }) => name)).toEqual(['app/one.log', LONG, 'app/three.log.gz', 'big.log']);
    expect(archive?.leftOut).toEqual([]);
    expect(await textAt(`${path}/app/one.log`)).toBe('one\n');
    expect(await textAt(`${path}/${LONG}`)).toBe('two\n');
    expect(await textAt(`${path}/big.log`)).toBe(LINES);
    expect(await memberAt(`${path}/none.log`)).toBeNull();
  });

  it('are not those that lead out of it, nor what is no log, and each is told by name', async () => {
    const before = readdirSync(folder).length;
    const files = [
      { name: '../out.log', text: 'x\n' },
      { name: 'a/../../out.log', text: 'x\n' },
      { name: '/etc/abs.log', text: 'x\n' },
      { name: 'C:/abs.log', text: 'x\n' },
      { name: 'p.png', text: Buffer.from('\x89PNG\r\n', 'latin1') },
      { name: 'wtmp', text: Buffer.alloc(400) },
      { name: 'inner.zip', text: zipOf([{ name: 'x', text: 'x\n' }]) },
      { name: 'inner.tar.gz', text: gzipSync(tarOf([{ name: 'x', text: 'x\n' }])) },
      { name: 'empty.log' },
      { name: 'good.log', text: 'good\n' },
    ];
    const archive = await openArchive(written(make(files)));
    expect(archive?.members.map(({ name }) => name)).toEqual(['good.log']);
    expect(archive?.leftOut.map(({ name, why }) => `${name}: ${why}`)).toEqual([
      '../out.log: its name leads out of the archive (..)',
      'a/../../out.log: its name leads out of the archive (..)',
      '/etc/abs.log: its name is an absolute path',
      'C:/abs.log: its name is an absolute path',
      'p.png: it is a picture',
      'wtmp: it is a binary file',
      'inner.zip: it is a zip archive in an archive',
      'inner.tar.gz: it is a tar archive in an archive',
      'empty.log: it is empty',
    ]);
    expect(readdirSync(folder).length).toBe(before + 1);
  });

  it('are bounded in number and size, and the first that is beyond is told', async () => {
    const files = Array.from({ length: 6 }, (_, i) => ({ name: `${i}.log`, text: LINES }));
    const path = written(make(files));
    const few = await openArchive(path, { ...ARCHIVE_BOUNDS, members: 4 });
    expect(few?.members.length).toBe(4);
    expect(few?.leftOut).toMatchObject([{ name: '4.log', isLoss: true }]);
    const small = await openArchive(path, { ...ARCHIVE_BOUNDS, bytes: 4_000_000 });
    expect(small?.members.length).toBe(2);
    expect(small?.leftOut[0]).toMatchObject({ name: '2.log', isLoss: true });
  });

  it('are those before the end of one that is cut', async () => {
    const whole = make([
      { name: 'one.log', text: 'one\n' },
      { name: 'two.log', text: Buffer.from(Array.from({ length: 900_000 }, (_, i) => 32 + ((Math.imul(i, 2654435761) >>> 24) % 90))) },
    ]);
    const path = written(whole.subarray(0, whole.length >> 1));
    if (make === zipOf) {
      await expect(openArchive(path)).rejects.toMatchObject({ code: 'file.damaged' });
      return;
    }
    const archive = await openArchive(path);
    expect(archive?.members.map(({ name }) => name)).toEqual(['one.log', 'two.log']);
    expect(archive?.leftOut).toMatchObject([{ name: 'two.log', isLoss: true }]);
    expect(await textAt(`${path}/one.log`)).toBe('one\n');
  });
});

describe('a bomb', () => {
  const nuls = Buffer.concat([Buffer.from('text\n'), Buffer.alloc(8 << 20, 65)]);
  const bounds = { ...ARCHIVE_BOUNDS, ratio: 50, freeBytes: 1 << 20 };

  it.each(FORMS.filter(([title]) => title !== 'tar'))('in a %s is cut or left out', async (_title, make) => {
    const archive = await openArchive(
      written(
        make([
          { name: 'small.log', text: 'small\n' },
          { name: 'bomb.log', text: nuls },
        ]),
      ),
      bounds,
    );
    expect(archive?.member('small.log')).not.toBeNull();
    expect(archive?.member('bomb.log')?.size ?? 0).toBeLessThanOrEqual(2 << 20);
    expect(archive?.leftOut).toMatchObject([{ name: 'bomb.log', isLoss: true }]);
  });

  it('that says a smaller size than it has ends there', async () => {
    const path = written(zipOf([{ name: 'a.log', text: 'line\n'.repeat(10_000), size: 100 }]));
    await expect(textAt(`${path}/a.log`)).resolves.toBe('');
    expect((await openArchive(path))?.leftOut).toMatchObject([{ name: 'a.log', isLoss: true }]);
  });
});

describe('an archive', () => {
  it('of tar has names and times by pax, and links are told', async () => {
    const name = 'käfer/ü.log';
    const path = written(
      tarOf([
        pax({ path: name, mtime: '1700000000.5' }),
        { name: 'short', text: 'a\n' },
        { name: 'l', type: '2' },
        { name: 'd/', type: '5' },
      ]),
    );
    const archive = await openArchive(path);
    expect(archive?.members).toEqual([{ name, size: 2, writtenNs: 1_700_000_000_500_000_000n }]);
    expect(archive?.leftOut).toEqual([{ name: 'l', why: 'it is a link', isLoss: false }]);
  });

  it('of tar has the last of the files with one name', async () => {
    const path = written(
      tarOf([
        { name: 'a.log', text: 'old\n' },
        { name: 'a.log', text: 'new\n' },
      ]),
    );
    expect(await textAt(`${path}/a.log`)).toBe('new\n');
  });

  it('of zip tells encrypted files', async () => {
    const archive = await openArchive(
      written(
        zipOf([
          { name: 'a.log', text: 'a\n' },
          { name: 'secret.log', text: 's\n', isEncrypted: true },
        ]),
      ),
    );
    expect(archive?.members.map(({ name }) => name)).toEqual(['a.log']);
    expect(leftOutText('a.zip', archive?.leftOut ?? [])).toBe(
      'a.zip: 1 file was left out: secret.log (it is encrypted; unpack it first, with its password).',
    );
  });

  it('that leave many files out name the first ones of each reason', () => {
    const files = Array.from({ length: 100 }, (_, i) => ({ name: `${i}.log`, why: i < 99 ? 'too many' : 'binary', isLoss: true }));
    expect(leftOutText('a.zip', files)).toBe(
      'a.zip: 100 files were left out: 0.log, 1.log, 2.log and 96 more (too many), 99.log (binary).',
    );
    expect(leftOutText('a.zip', [])).toBeNull();
  });

  it('that is written anew is listed anew', async () => {
    const path = written(tarOf([{ name: 'a.log', text: 'a\n' }]));
    await openArchive(path);
    writeFileSync(
      path,
      tarOf([
        { name: 'b.log', text: 'b and more\n' },
        { name: 'c.log', text: 'c\n' },
      ]),
    );
    expect((await openArchive(path))?.members.map(({ name }) => name)).toEqual(['b.log', 'c.log']);
  });

  it('is no text, no gzip of a text, and no folder', async () => {
    for (const bytes of [Buffer.from('text\n'), gzipSync('text\n'), Buffer.alloc(0)]) expect(await openArchive(written(bytes))).toBeNull();
    expect(await openArchive(folder)).toBeNull();
  });
});
