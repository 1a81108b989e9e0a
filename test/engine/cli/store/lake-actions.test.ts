import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Lake } from '../../../../engine/catalogue/lake.ts';
import { LocalFiles } from '../../../../engine/catalogue/local-files.ts';
import { add, fileOf, FOLDER } from '../../catalogue/lake-fixtures.ts';
import { sluicebox } from '../run-cli.ts';

let folder: string;
let lake: Lake;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-lake-'));
  lake = new Lake(new LocalFiles(folder));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function ask(sql: string): Promise<string> {
  const { out, err, code } = await sluicebox(['query', '--format', 'csv', '--store', folder, sql]);
  return code === 0 && err === '' ? out : `${code}: ${err}`;
}

const store = async (...args: string[]): Promise<unknown[]> => (await sluicebox(['store', ...args, '--store', folder])).lines();

describe('a lake', () => {
  it('is asked as a store is, also when workers have named columns differently, and others appear later', async () => {
    await add(lake, fileOf(['number'], { fields: [{ name: 'status', valueType: 2, values: [200n] }] }));
    await add(lake, fileOf(['text'], { fields: [{ name: 'status', valueType: 0, values: ['-'] }] }));
    await add(lake, fileOf(['new'], { fields: [{ name: 'took', valueType: 3, values: [0.5] }] }));
    const everything = 'SELECT Payload, status, status_number, took FROM a ORDER BY 1';
    const rows = 'Payload,status,status_number,took\nnew,,,0.5\nnumber,200,200,\ntext,-,,\n';
    expect(await ask(everything)).toBe(rows);
    expect(await ask('SELECT Payload, status, status_number, took FROM messages ORDER BY 1')).toBe(rows);
    expect(await ask('SELECT count(DISTINCT Uuid) AS n, count(*) AS all FROM messages')).toBe('n,all\n1,3\n');
    expect(await ask('SELECT any_value(typeof(Uuid)) AS u, any_value(typeof(took)) AS t FROM a')).toBe('u,t\nUUID,DOUBLE\n');
    expect(await store('compact')).toEqual([{ merged: 3, files: 1 }]);
    expect(await ask(everything)).toBe(rows);
    expect(await store('list')).toEqual([expect.objectContaining({ type: 'a', rows: 3, files: 1, from: '1970-01-01T00:00:00.000Z' })]);
    expect(await store('check')).toEqual([{ files: 1, damaged: 0 }]);
    const { out } = await sluicebox(['store', 'files', '--store', folder]);
    expect(out.trim().split('\n')).toEqual([expect.stringContaining(join(folder, FOLDER))]);
    expect((await sluicebox(['store', 'remove', 'a.log', '--store', folder])).err).toContain('a lake has none');
    expect(await store('expire', '--size', '0')).toEqual([{ removed: 1, left: 0, bytes: 0 }]);
    expect(await ask('SELECT 1')).toContain('is empty');
  });

  it('is asked before it has a log, too', async () => {
    const path = join(folder, FOLDER, 'old.parquet');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, fileOf(['old', 'older']).bytes);
    expect(await ask('SELECT Payload FROM a')).toBe('Payload\nold\nolder\n');
    expect(await lake.exists()).toBe(false);
    expect(await store('compact')).toEqual([{ merged: 0, files: 1 }]);
    expect(await lake.exists()).toBe(true);
    rmSync(path);
    expect(await ask('SELECT Payload FROM a')).toContain('were replaced meanwhile');
  });
});
