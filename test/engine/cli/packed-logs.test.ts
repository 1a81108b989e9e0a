import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { tarOf, zipOf } from '../inputs/archive/make-archives.ts';
import { packed, TEXT } from '../inputs/packed/fixtures.ts';
import { sluicebox } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-packed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LINES = 40;
const inTar = tarOf([
  { name: 'app/app.log', text: TEXT },
  { name: '../evil.log', text: TEXT },
]);
const FORMS: readonly [name: string, bytes: Buffer, log: string][] = [
  ['app.log.gz', gzipSync(TEXT), 'app.log.gz'],
  ['app.log.zst', zstdCompressSync(TEXT), 'app.log.zst'],
  ['app.log.bz2', packed('bzip2'), 'app.log.bz2'],
  ['app.log.xz', packed('xz'), 'app.log.xz'],
  ['app.log.lz4', packed('lz4'), 'app.log.lz4'],
  ['app.tar', inTar, 'app.tar/app/app.log'],
  ['app.tar.gz', gzipSync(inTar), 'app.tar.gz/app/app.log'],
  ['app.tar.zst', zstdCompressSync(inTar), 'app.tar.zst/app/app.log'],
  [
    'app.zip',
    zipOf([
      { name: 'app/app.log', text: packed('xz') },
      { name: '../evil.log', text: TEXT },
    ]),
    'app.zip/app/app.log',
  ],
];

describe.each(FORMS)('a log in %s', (name, bytes, log) => {
  const path = join(folder, name);
  const place = join(folder, log);
  writeFileSync(path, bytes);
  const isArchive = name !== log;
  const says = (err: string): void => {
    if (isArchive) expect(err).toContain(`${path}: 1 file was left out: ../evil.log (its name leads out of the archive (..)).`);
    else expect(err).not.toContain('left out');
  };

  it('is decoded, recognised, searched and asked', async () => {
    const decoded = await sluicebox(['decode', path]);
    expect(decoded.code).toBe(0);
    expect(decoded.lines().map(({ Logger, Payload }) => [Logger, typeof Payload])).toEqual(Array(LINES).fill([place, 'string']));
    says(decoded.err);
    const recognised = await sluicebox(['detect', '--json', path]);
    expect(recognised.lines()).toMatchObject([{ file: place, decoder: 'program_log' }]);
    const found = await sluicebox(['search', '-n', 'request 7 ', path]);
    expect([found.code, found.out]).toEqual([
      0,
      `${isArchive ? `${place}:` : ''}8:2026-03-01T10:00:07.000Z INFO request 7 served in 49 ms\n`,
    ]);
    const records = await sluicebox(['search', '--decode', 'request 7 ', path]);
    expect(records.lines()).toHaveLength(1);
    const asked = await sluicebox(['query', path, 'SELECT count(*) AS n FROM app', '--format', 'json']);
    expect(asked.lines()).toEqual([{ n: LINES }]);
    says(asked.err);
  });

  it('is imported once', async () => {
    const store = join(folder, `store-${name}`);
    const count = async (): Promise<unknown> =>
      (await sluicebox(['query', '--store', store, 'SELECT count(*) AS n FROM app', '--format', 'json'])).lines()[0];
    expect((await sluicebox(['import', '--store', store, path])).code).toBe(0);
    expect(await count()).toEqual({ n: LINES });
    expect((await sluicebox(['import', '--store', store, path])).code).toBe(0);
    expect(await count()).toEqual({ n: LINES });
  });

  it.runIf(isArchive)('is named where one file is asked for', async () => {
    const whole = await sluicebox(['match', 'TRUE', path]);
    expect(whole.code).toBe(2);
    expect(whole.err).toContain(`Name a file in it (${path}/FILE)`);
    const piped = await sluicebox(['decode', '-'], bytes);
    expect([piped.code, piped.err]).toEqual([2, expect.stringContaining('Give the name of the archive in place of standard input.')]);
  });

  it.skipIf(isArchive)('that is cut is read as far as can be, and told', async () => {
    const cut = join(folder, `cut-${name}`);
    writeFileSync(cut, Buffer.concat([bytes, bytes.subarray(0, -2)]));
    const { code, lines, err } = await sluicebox(['decode', cut]);
    expect(code).toBe(2);
    expect(lines().length).toBeGreaterThanOrEqual(LINES);
    expect(err).toContain('ends too early');
  });
});

describe('a folder', () => {
  it('stands for its files and those in its archives, and tells what it leaves out', async () => {
    const place = join(folder, 'logs');
    mkdirSync(join(place, 'below'), { recursive: true });
    writeFileSync(join(place, 'a.log.bz2'), packed('bzip2'));
    writeFileSync(
      join(place, 'b.tar'),
      tarOf([
        { name: 'b.log', text: TEXT },
        { name: 'p.png', text: Buffer.from('\x89PNG', 'latin1') },
      ]),
    );
    symlinkSync('nowhere', join(place, 'dead'));
    const { code, lines, err } = await sluicebox([
      'query',
      place,
      'SELECT "table", count(*) AS n FROM messages GROUP BY 1 ORDER BY 1',
      '--format',
      'json',
    ]);
    expect([code, lines()]).toEqual([
      0,
      [
        { table: 'a', n: LINES },
        { table: 'b', n: LINES },
      ],
    ]);
    expect(err).toContain(`${join(place, 'b.tar')}: 1 file was left out: p.png (it is a picture).`);
    expect(err).toContain(
      '2 files were left out: below (it is a folder: name it, too, or all below by a pattern with **), dead (it leads nowhere).',
    );
    const byPattern = await sluicebox(['search', '-F', 'request 7 ', join(place, '*')]);
    expect(byPattern.out.split('\n').map((line) => line.slice(0, line.indexOf(':')))).toEqual([
      join(place, 'a.log.bz2'),
      join(place, 'b.tar/b.log'),
      '',
    ]);
  });

  it('in an archive stands for the logs below it; what is not there is told', async () => {
    const path = join(folder, 'two.zip');
    writeFileSync(
      path,
      zipOf([
        { name: 'a/x.log', text: TEXT },
        { name: 'b/y.log', text: TEXT },
      ]),
    );
    const { lines } = await sluicebox(['detect', '--json', `${path}/a`]);
    expect(lines()).toMatchObject([{ file: `${path}/a/x.log` }]);
    const none = await sluicebox(['decode', `${path}/c`]);
    expect([none.code, none.err]).toEqual([2, expect.stringContaining(`${path} has no log c, nor one below it.`)]);
  });
});
