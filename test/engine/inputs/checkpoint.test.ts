import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CheckpointFile, type FileCheckpoint } from '../../../engine/inputs/checkpoint.ts';

const at = (offset: number): FileCheckpoint => ({
  ...{ path: '/a.log', log: '/a.log', device: '1', inode: '2', offset, hash: 'h', line: 1, skipping: false, midLine: false },
  ...{ format: 'utf-8', modified: '5', gone: false },
});

let folder: string;
let notices: string[];
const open = (name = 'my input'): CheckpointFile => new CheckpointFile(join(folder, 'deep'), name, ({ code }) => notices.push(code));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluicebox-checkpoint-'));
  notices = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a checkpoint', () => {
  it('is none at first', async () => expect(await open().load()).toEqual([]));

  it('is read as it was written', async () => {
    expect(await open().save([at(7)])).toBe(true);
    expect(await open().load()).toEqual([at(7)]);
  });

  it('is removed with its file, whatever was written without the disk', async () => {
    const file = open();
    await file.save([at(1)]);
    await file.save([at(2)], false);
    rmSync(file.path);
    expect(await open().load()).toEqual([]);
  });

  it('is the one that was written last', async () => {
    const file = open();
    await file.save([at(1)]);
    await file.save([at(2)], false);
    expect(await open().load()).toEqual([at(2)]);
    await file.save([at(3)]);
    expect(await open().load()).toEqual([at(3)]);
    expect(readdirSync(join(folder, 'deep'))).toEqual(['my%20input.json']);
  });

  it('has a file of its own for each input', async () => {
    expect([open('a/b*').path, open('a_b').path].map((path) => path.slice(folder.length))).toEqual([
      '/deep/a%2Fb%2A.json',
      '/deep/a_b.json',
    ]);
    await open('a').save([at(1)]);
    expect(await open('b').load()).toEqual([]);
  });

  it.each([
    ['', 'it is empty'],
    ['{', 'it is not JSON'],
    ['[]', 'it is not a checkpoint'],
    [JSON.stringify({ version: 1, input: 'x', files: [{ ...at(1), offset: -1 }] }), 'its files.0.offset is missing or wrong'],
  ])('is put aside when it is damaged: %s', async (text, why) => {
    const texts: string[] = [];
    mkdirSync(join(folder, 'deep'));
    const file = new CheckpointFile(join(folder, 'deep'), 'x', (notice) => texts.push(notice.text));
    writeFileSync(file.path, text);
    expect(await file.load()).toEqual([]);
    expect(texts).toEqual([expect.stringContaining(`cannot be used (${why}). It was put aside as `)]);
    expect(existsSync(file.path)).toBe(false);
    expect(readdirSync(join(folder, 'deep')).map((name) => readFileSync(join(folder, 'deep', name), 'utf8'))).toEqual([text]);
  });

  it('says once that it cannot be written, and then that it can', async () => {
    writeFileSync(join(folder, 'deep'), '');
    const file = open();
    expect([await file.save([at(1)]), await file.save([at(2)])]).toEqual([false, false]);
    rmSync(join(folder, 'deep'));
    expect(await file.save([at(2)])).toBe(true);
    expect(notices).toEqual(['checkpoint.unwritable', 'checkpoint.written']);
  });
});
