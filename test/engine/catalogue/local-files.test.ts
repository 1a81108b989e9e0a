import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalFiles } from '../../../engine/catalogue/local-files.ts';

let root: string;
let files: LocalFiles;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sluicebox-files-'));
  files = new LocalFiles(root);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('a list of files', () => {
  it('has those of all folders below, without drafts and links', async () => {
    await files.create('a/b/one', Buffer.from('1'));
    await files.create('a/two', Buffer.from('2'));
    await files.create('other', Buffer.from('3'));
    writeFileSync(join(root, 'a/.two.part'), 'x');
    symlinkSync(join(root, 'other'), join(root, 'a/link'));
    expect((await files.list('a')).sort()).toEqual(['a/b/one', 'a/two']);
  });

  it.each<[what: string, make: (path: string) => void]>([
    ['a file', (path) => writeFileSync(path, 'x')],
    ['a missing one', () => undefined],
    ['a link to itself', (path) => symlinkSync(path, path)],
  ])('is empty for %s', async (_, make) => {
    make(join(root, 'place'));
    expect(await files.list('place')).toEqual([]);
  });
});

describe('a file', () => {
  it('is made once, and its bytes stay', async () => {
    const made = await Promise.all(['1', '2', '3'].map((text) => files.create('a/one', Buffer.from(text))));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect((await files.read('a/one')).toString()).toBe(String(made.indexOf(true) + 1));
    expect(readFileSync(await files.local('a/one'))).toEqual(await files.read('a/one'));
    expect(readdirSync(join(root, 'a'))).toEqual(['one']);
  });

  it('may be gone when it is removed, and has a code when it is read then', async () => {
    await files.create('one', Buffer.from('1'));
    for (let times = 0; times < 2; times++) await files.remove('one');
    await expect(files.read('one')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(files.ageMs('one')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('cannot be made below another file, which is told by its path', async () => {
    await files.create('one', Buffer.from('1'));
    const refused = { code: 'store.unwritable', message: expect.stringContaining(join(root, 'one/two')) as string };
    await expect(files.create('one/two', Buffer.from('2'))).rejects.toMatchObject(refused);
  });

  it('ages, and drafts are tidied when they are old', async () => {
    mkdirSync(join(root, 'a'));
    for (const name of ['.x.parquet.part', '.y.parquet.part', 'z.parquet']) writeFileSync(join(root, 'a', name), '');
    for (const name of ['.x.parquet.part', 'z.parquet']) utimesSync(join(root, 'a', name), 0, Date.now() / 1000 - 100);
    expect(await files.ageMs('a/z.parquet')).toBeGreaterThan(99_000);
    await files.tidy(60_000);
    expect(readdirSync(join(root, 'a')).sort()).toEqual(['.y.parquet.part', 'z.parquet']);
  });
});
