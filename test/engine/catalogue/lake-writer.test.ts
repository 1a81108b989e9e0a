import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Lake, LateError } from '../../../engine/catalogue/lake.ts';
import { LakeWriter } from '../../../engine/catalogue/lake-writer.ts';
import { LocalFiles } from '../../../engine/catalogue/local-files.ts';
import { ValueType } from '../../../engine/message/types.ts';
import type { ColumnKey } from '../../../engine/parquet/column-names.ts';
import { fileOf, FOLDER, payloads } from './lake-fixtures.ts';

let root: string;
let lake: Lake;
let writer: LakeWriter;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sluicebox-writer-'));
  lake = new Lake(new LocalFiles(root));
  writer = new LakeWriter(lake);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const key = (name: string): ColumnKey => ({ name, valueType: ValueType.STRING, representation: null, list: false, nth: 0 });
const steps = { 'the log does not answer': [new Error('away'), 1], 'it took too long': [new LateError('late'), 2] } as const;

it.each(Object.entries(steps))('a step is repeated when %s, and its messages are there once', async (_, [error, written]) => {
  const step = writer.step([fileOf(['1']), fileOf(['2'])]);
  vi.spyOn(lake, 'append').mockRejectedValueOnce(error);
  await expect(step()).rejects.toBe(error);
  expect((await lake.snapshot()).files.size).toBe(0);
  await step();
  expect(await lake.files.list(FOLDER)).toHaveLength(2 * written);
  expect(await payloads(lake.files, await lake.snapshot())).toEqual(['1', '2']);
});

it('a step goes on behind the files that were written', async () => {
  await lake.adopt();
  const create = lake.files.create.bind(lake.files);
  let calls = 0;
  vi.spyOn(lake.files, 'create').mockImplementation((path, bytes) => (++calls === 2 ? Promise.resolve(false) : create(path, bytes)));
  const step = writer.step([fileOf(['1']), fileOf(['2'])]);
  await expect(step()).rejects.toThrow('is there already');
  await step();
  expect(await lake.files.list(FOLDER)).toHaveLength(2);
});

it('names of columns are those of the lake for that type, and stay from file to file', async () => {
  await writer.step([fileOf(['1'], { fields: [{ name: 'user', valueType: ValueType.STRING, values: ['x'] }] })])();
  const names = await new LakeWriter(lake).namesOf('a');
  expect(names.has(key('user'))).toBe(true);
  expect((await writer.namesOf('b')).has(key('user'))).toBe(false);
  expect(await writer.namesOf('a')).toBe(await writer.namesOf('a'));
});

it('names of columns do not fill the memory', async () => {
  const names = await writer.namesOf(null);
  names.name(Array.from({ length: 10_001 }, (_, i) => key(`f${i}`)));
  const others = await writer.namesOf(null);
  expect(others.size).toBe(0);
  for (let i = 0; i < 1000; i++) await writer.namesOf(`type ${i}`);
  expect(await writer.namesOf(null)).not.toBe(others);
});
