import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Lake } from '../../../engine/catalogue/lake.ts';
import { LocalFiles } from '../../../engine/catalogue/local-files.ts';
import { clean, compact, enterOlder, expire, expired, maintain } from '../../../engine/catalogue/maintain.ts';
import { add, entry, fileOf, FOLDER, payloads, snapshotOf } from './lake-fixtures.ts';

let folder: string;
let files: LocalFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-lake-'));
  files = new LocalFiles(folder);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const texts = (count: number): string[] => Array.from({ length: count }, (_, i) => `text ${String(i).padStart(3, '0')}`);
const onDisk = async (): Promise<number> => (await readdir(join(folder, FOLDER))).length;

describe('expired', () => {
  const snapshot = snapshotOf(entry('a/new', 1, 300), entry('a/old', 1, 100), entry('a/middle', 1, 200));
  it.each([
    [null, null, []],
    [800, null, ['a/old']],
    [null, 20, ['a/old']],
    [null, 0, ['a/old', 'a/middle', 'a/new']],
    [800, 10, ['a/old', 'a/middle']],
  ])('of an age of %s and a size of %s', (ageMs, bytes, paths) => expect(expired(snapshot, { ageMs, bytes }, 1000)).toEqual(paths));
});

describe('the upkeep of a lake', () => {
  const keepAll = { retention: { ageMs: null, bytes: null }, compacts: true };

  it('makes one file of small ones, also of workers that have given their columns other names', async () => {
    const lake = new Lake(files);
    const number = fileOf(['number'], { fields: [{ name: 'status', valueType: 2, values: [200n] }] });
    const text = fileOf(['text'], { fields: [{ name: 'status', valueType: 0, values: ['-'] }] });
    await add(lake, number);
    await add(lake, text, fileOf(['none']));
    expect(await compact(lake, true)).toBe(3);
    const snapshot = await lake.snapshot();
    expect(await payloads(files, snapshot)).toEqual(['none', 'number', 'text']);
    const [made] = snapshot.files.values();
    expect(made?.layout.columns.map(({ column, valueType }) => [column, valueType])).toEqual([
      ['status', 2],
      ['status_text', 0],
    ]);
    expect(await compact(lake, true)).toBe(0);
  });

  it('leaves files for queries that began before, and then removes them, and those that were never entered', async () => {
    const lake = new Lake(files);
    await add(lake, ...texts(9).map((text) => fileOf([text])));
    const before = await lake.snapshot();
    await files.create(`${FOLDER}/2026-11-01T000000Z-0123456789ab.lake.parquet`, new Uint8Array(4));
    await files.create(`${FOLDER}/of others.parquet`, new Uint8Array(4));
    await maintain(lake, keepAll);
    expect(await payloads(files, before)).toEqual(texts(9));
    expect(await payloads(files, await lake.snapshot())).toEqual(texts(9));
    expect(await onDisk()).toBe(12);
    const quick = new Lake(files, { graceMs: 0 });
    await clean(quick, 0);
    await clean(quick, 0);
    expect(await onDisk()).toBe(2);
    expect(await payloads(files, await lake.snapshot())).toEqual(texts(9));
  });

  it('enters what workers of an earlier version go on to write, once', async () => {
    const lake = new Lake(files);
    await add(lake, fileOf(['new']));
    const { bytes } = fileOf(['older']);
    await files.create(`${FOLDER}/2026-11-01T000000Z-0123456789ab.parquet`, bytes);
    await clean(lake, 0);
    for (let step = 0; step < 2; step++) await enterOlder(lake);
    expect(await payloads(files, await lake.snapshot())).toEqual(['new', 'older']);
    await compact(lake, true);
    await maintain(lake, keepAll);
    expect(await payloads(files, await lake.snapshot())).toEqual(['new', 'older']);
  });

  it('is left to one program at a time', async () => {
    const lake = new Lake(files);
    await add(lake, ...texts(9).map((text) => fileOf([text])));
    await files.create('_log/lease.json', new Uint8Array(1));
    await maintain(lake, keepAll);
    expect((await lake.snapshot()).files.size).toBe(9);
  });

  it('may be ended anywhere: every message is there once, before and after', async () => {
    class Killed extends LocalFiles {
      left = 0;
      #step(): void {
        if (this.left-- <= 0) throw new Error('killed');
      }
      override async create(path: string, bytes: Uint8Array): Promise<boolean> {
        this.#step();
        const made = await super.create(path, bytes);
        this.#step();
        return made;
      }
      override async remove(path: string): Promise<void> {
        this.#step();
        return super.remove(path);
      }
    }
    const killed = new Killed(folder);
    let kept = 0;
    for (let steps = 0, isWhole = false; !isWhole; steps++) {
      killed.left = Infinity;
      const lake = new Lake(killed, { graceMs: 0 });
      for (let file = 0; file < 3; file++) await add(lake, fileOf([String(kept + file).padStart(4, '0')]));
      kept += 3;
      killed.left = steps;
      const upkeep = async (): Promise<void> => {
        await compact(lake, true);
        await clean(lake, 0);
      };
      isWhole = await upkeep().then(
        () => true,
        () => false,
      );
      const all = Array.from({ length: kept }, (_, i) => String(i).padStart(4, '0'));
      expect(await payloads(files, await new Lake(files).snapshot())).toEqual(all);
      killed.left = Infinity;
      await upkeep();
    }
    expect(kept).toBeGreaterThan(15);
    const lake = new Lake(files, { graceMs: 0 });
    for (let step = 0; step < 2; step++) await clean(lake, 0);
    expect(await onDisk()).toBe(1);
    expect(await expire(lake, { ageMs: null, bytes: 0 })).toBe(1);
    expect((await lake.snapshot()).files.size).toBe(0);
  });
});
