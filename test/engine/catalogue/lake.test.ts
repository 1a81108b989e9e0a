import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitPath } from '../../../engine/catalogue/commit.ts';
import { ConflictError, Lake, LateError } from '../../../engine/catalogue/lake.ts';
import { LocalFiles } from '../../../engine/catalogue/local-files.ts';
import { clean } from '../../../engine/catalogue/maintain.ts';
import { add, fileOf, FOLDER, payloads } from './lake-fixtures.ts';

let folder: string;
let files: LocalFiles;
let lake: Lake;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-lake-'));
  files = new LocalFiles(join(folder, 'lake'));
  lake = new Lake(files);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const paths = async (of = lake): Promise<string[]> => [...(await of.snapshot()).files.keys()];

describe('a lake', () => {
  it('has the commits of all writers, each at once', async () => {
    expect(await lake.exists()).toBe(false);
    const writers = Array.from({ length: 4 }, () => new Lake(files));
    await Promise.all(
      writers.map(async (writer, i) => {
        for (let step = 0; step < 10; step++) await add(writer, fileOf([`${i}.${step}`]), fileOf([`${i}.${step}b`]));
      }),
    );
    const snapshot = await lake.snapshot();
    expect(snapshot.number).toBe(41);
    expect(new Set(await payloads(files, snapshot)).size).toBe(80);
    expect((await new Lake(files).snapshot()).files).toEqual(snapshot.files);
  });

  it('adopts a folder of files without a log, and leaves those of others alone', async () => {
    const path = join(folder, 'lake', FOLDER, 'old.parquet');
    mkdirSync(dirname(path), { recursive: true });
    const { bytes, entry } = fileOf(['old', 'older'], { time: 5n });
    writeFileSync(path, bytes);
    writeFileSync(join(folder, 'lake', 'foreign.parquet'), 'PAR1');
    await Promise.all([lake.adopt(), new Lake(files).adopt()]);
    await add(lake, fileOf(['new']));
    const { files: there } = await lake.snapshot();
    expect(there.get(`${FOLDER}/old.parquet`)).toEqual({
      ...entry,
      path: `${FOLDER}/old.parquet`,
      bytes: bytes.length,
      unused: expect.arrayContaining([...entry.unused]) as unknown,
    });
    expect(await payloads(files, await lake.snapshot())).toEqual(['new', 'old', 'older']);
  });

  it('has the same files when its log was shortened, for whoever knew it before and who did not', async () => {
    const quick = new Lake(files, { graceMs: 0 });
    for (let step = 0; step < 30; step++) await add(quick, fileOf([String(step)]));
    await quick.replace('expire', (await paths(quick)).slice(0, 5));
    const before = await paths();
    for (let step = 0; step < 3; step++) await clean(quick);
    expect((await readdir(join(folder, 'lake', '_log'))).length).toBeLessThan(3);
    await add(quick, fileOf(['more']));
    expect((await paths()).slice(0, -1)).toEqual(before);
    expect(await paths(new Lake(files))).toEqual(await paths());
    expect((await readdir(join(folder, 'lake', FOLDER))).length).toBe(26);
  });

  it('enters a change whose answer was lost once', async () => {
    await add(lake, fileOf(['1']));
    const [path = ''] = await paths();
    const entry = (await lake.snapshot()).files.get(path);
    expect(await lake.append({ files: entry === undefined ? [] : [entry], writtenMs: Date.now() })).toBe(2);
    expect((await lake.snapshot()).number).toBe(2);
  });

  it('takes away what is there, and once', async () => {
    await add(lake, fileOf(['1']), fileOf(['2']));
    const all = await paths();
    await lake.replace('expire', all.slice(0, 1));
    await expect(new Lake(files).replace('compact', all)).rejects.toThrow(ConflictError);
    expect(await paths()).toEqual(all.slice(1));
  });

  it('takes no files that others may have removed', async () => {
    await add(lake, fileOf(['1']));
    const [path = ''] = await paths();
    const entry = { ...((await lake.snapshot()).files.get(path) as NonNullable<unknown>), path: `${FOLDER}/late.parquet` } as never;
    await expect(lake.append({ files: [entry], writtenMs: Date.now() - 3_000_000 })).rejects.toThrow(LateError);
    await new Lake(files).abandon([`${FOLDER}/late.parquet`]);
    await expect(lake.append({ files: [entry], writtenMs: Date.now() })).rejects.toThrow(LateError);
    await expect(lake.abandon([path])).rejects.toThrow(ConflictError);
  });

  it('does not believe a commit of a program that was halted until its place in the log was gone', async () => {
    await add(lake, fileOf(['1']));
    const others = new Lake(files, { graceMs: 0 });
    class Halted extends LocalFiles {
      override async create(path: string, bytes: Uint8Array): Promise<boolean> {
        if (path !== commitPath(3)) return super.create(path, bytes);
        for (let step = 0; step < 25; step++) await add(others, fileOf([`other ${step}`]));
        for (let step = 0; step < 3; step++) await clean(others);
        await delay(10);
        return super.create(path, bytes);
      }
    }
    const halted = new Lake(new Halted(join(folder, 'lake')), { graceMs: 10 });
    await expect(add(halted, fileOf(['2']))).rejects.toThrow('took too long');
    expect((await payloads(files, await lake.snapshot())).length).toBe(26);
  });
});
