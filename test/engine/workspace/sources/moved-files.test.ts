import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FileLook, FilePlace } from '../../../../engine/api/types.ts';
import { Engine } from '../engine-fixture.ts';

const LINES = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('');

describe('the files of the session before', () => {
  let folder: string;
  let paths: string[];
  let data: string;

  const inFolder = (name: string): string[] => ['a.log', 'b.log'].map((file) => join(folder, name, file));
  const look = async (engine: Engine, places: FilePlace[] = []): Promise<FileLook[]> =>
    (await engine.ask('source.whereabouts', { paths, places })).files;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluicebox-moved-'));
    mkdirSync(join(folder, 'old'));
    paths = inFolder('old');
    for (const path of paths) writeFileSync(path, LINES);
    const one = new Engine();
    data = one.folder;
    for (const path of paths) {
      const id = await one.open(path);
      await one.settled(id);
      await one.ask('source.shift', { id, seconds: 90 });
    }
    const { rows } = await one.rows();
    await one.ask('mark.set', { record: rows[7]?.id ?? -1, on: true });
    await one.workspace.stop();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('can be opened again when one of them is gone, and when it comes back', async () => {
    const [kept = '', gone = ''] = paths;
    renameSync(gone, join(folder, 'aside'));
    const two = new Engine(data);
    expect((await look(two)).map(({ place }) => place)).toEqual([kept, null]);
    await two.ask('source.open', { paths: [kept] });
    renameSync(join(folder, 'aside'), gone);
    expect((await look(two)).map(({ place }) => place)).toEqual(paths);
    expect((await two.ask('source.open', { paths })).opened).toHaveLength(2);
    expect(two.asked).toEqual([]);
    await two.workspace.stop();
  });

  test('can be opened again when they are many', async () => {
    const many = Array.from({ length: 25 }, (_, i) => join(folder, 'many', `${i}.log`));
    mkdirSync(join(folder, 'many'));
    for (const path of many) writeFileSync(path, LINES);
    const two = new Engine(data);
    await two.grant(join(folder, 'many'), 'open');
    await two.ask('source.open', { paths: [join(folder, 'many')] });
    await two.workspace.stop();
    const three = new Engine(data);
    const { files } = await three.ask('source.whereabouts', { paths: many, places: [] });
    expect(files.map(({ state }) => state)).toEqual(many.map(() => 'here'));
    await three.workspace.stop();
  });

  test('are found in their new folder when one of them was, and keep their marks and time offsets there', async () => {
    renameSync(join(folder, 'old'), join(folder, 'new'));
    const moved = inFolder('new');
    const two = new Engine(data);
    expect((await look(two)).map(({ place }) => place)).toEqual([null, null]);
    const places = [{ path: paths[0] as string, place: moved[0] as string }];
    // Nobody chose it.
    expect((await look(two, places)).map(({ place }) => place)).toEqual([null, null]);
    await two.grant(moved[0] as string, 'open');
    expect(await look(two, places)).toEqual(moved.map((place, i) => ({ path: paths[i], state: 'here', place })));
    const all = moved.map((place, i) => ({ path: paths[i] as string, place }));
    const { opened } = await two.ask('source.open', { paths: moved, moved: all });
    for (const id of opened) await two.settled(id);
    expect(two.asked.map(({ kind, text }) => [kind, text])).toEqual([['open', moved[1]]]);
    expect((await two.ask('engine.state', {})).sources.map(({ timeOffset }) => timeOffset)).toEqual([90, 90]);
    await expect.poll(async () => (await two.ask('mark.list', {})).map(({ record }) => record)).toEqual([expect.any(Number)]);
    await two.workspace.stop();
  });

  test('are not opened elsewhere when nobody confirms it, and nothing is told of other files', async () => {
    renameSync(join(folder, 'old'), join(folder, 'new'));
    const [place = ''] = inFolder('new');
    const two = new Engine(data);
    two.confirms = () => false;
    const request = { paths: [place], moved: [{ path: paths[0] as string, place }] };
    await expect(two.ask('source.open', request)).rejects.toMatchObject({ code: 'consent.refused' });
    expect((await two.ask('source.whereabouts', { paths: [place], places: [] })).files).toEqual([
      { path: place, state: 'missing', place: null },
    ]);
    await two.workspace.stop();
  });
});
