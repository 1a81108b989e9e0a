import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Lake } from '../../../engine/catalogue/lake.ts';
import { LocalFiles } from '../../../engine/catalogue/local-files.ts';
import { Upkeep } from '../../../engine/catalogue/upkeep.ts';
import { until } from '../../until.ts';
import { add, fileOf } from './lake-fixtures.ts';

it('looks after a lake in a thread, and tells a problem once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluicebox-lake-'));
  const place = { path: join(folder, 'lake') };
  const lake = new Lake(new LocalFiles(place.path));
  for (let i = 0; i < 9; i++) await add(lake, fileOf([String(i)]));
  const problems: string[] = [];
  const work = { place, retention: { ageMs: null, bytes: null }, compacts: true, graceMs: 1000, everyMs: 20 };
  const upkeep = new Upkeep(work, (text) => problems.push(text));
  await until(async () => (await lake.snapshot()).files.size === 1, 'one file of all');
  await lake.files.create('_log/000000000012.json', Buffer.from('{}'));
  await until(() => problems.length > 0, 'the problem');
  await upkeep.close();
  expect(problems).toEqual([expect.stringContaining('000000000012.json of the lake is damaged')]);
  await rm(folder, { recursive: true });
});
