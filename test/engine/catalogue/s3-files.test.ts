import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileCache } from '../../../engine/catalogue/file-cache.ts';
import { Lake } from '../../../engine/catalogue/lake.ts';
import { clean, compact } from '../../../engine/catalogue/maintain.ts';
import { accessFrom, placeInBucket, S3Files } from '../../../engine/catalogue/s3-files.ts';
import { sluicebox } from '../cli/run-cli.ts';
import { add, fileOf, payloads } from './lake-fixtures.ts';
import { S3Server } from './s3-server.ts';

let server: S3Server;
let files: S3Files;
let folder: string;
let env: Record<string, string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-s3-'));
  server = new S3Server('secret');
  env = { AWS_ENDPOINT_URL: await server.start(), AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', XDG_CACHE_HOME: folder };
  files = new S3Files('s3://bucket/logs/all', accessFrom(env), new FileCache(join(folder, 'cache')));
});

afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

describe('a lake in a bucket', () => {
  it('is written, merged and asked as one in a folder', async () => {
    server.page = 3;
    const writers = [new Lake(files), new Lake(files), new Lake(files)];
    await Promise.all(
      writers.map(async (lake, i) => {
        for (let step = 0; step < 3; step++) await add(lake, fileOf([`${i}.${step}`], { folder: "Type=a b%'(é)/Hour=2026-11-01-00" }));
      }),
    );
    const lake = new Lake(files, { graceMs: 0 });
    const texts = await payloads(files, await lake.snapshot());
    expect(texts).toHaveLength(9);
    expect(await compact(lake, true)).toBe(9);
    for (let step = 0; step < 2; step++) await clean(lake, 0);
    expect(await payloads(files, await lake.snapshot())).toEqual(texts);
    expect([...server.files.keys()].filter((key) => key.endsWith('.parquet'))).toHaveLength(1);
    const query = ['query', '--format', 'csv', '--store', 's3://bucket/logs/all', 'SELECT count(*) AS n FROM a'];
    expect(await sluicebox(query, '', env)).toMatchObject({ code: 0, out: 'n\n9\n', err: '' });
    server.files.clear();
    expect((await sluicebox(query, '', env)).err).toContain('is empty');
  });

  it('fetches a file once, and keeps what is used', async () => {
    await files.create('a/1.parquet', Buffer.from('one'));
    const path = await files.local('a/1.parquet');
    await files.remove('a/1.parquet');
    expect(await files.local('a/1.parquet')).toBe(path);
    await expect(files.local('a/2.parquet')).rejects.toMatchObject({ code: 'ENOENT' });
    const small = new FileCache(join(folder, 'cache'), 0);
    await small.get('other', () => Promise.resolve(new Uint8Array(1)));
    expect(existsSync(path)).toBe(true);
  });

  it('is not begun on a server that would let writers overwrite each other', async () => {
    server.isConditional = false;
    await expect(new Lake(files).adopt()).rejects.toThrow('If-None-Match');
    server.isConditional = true;
    await new Lake(files).adopt();
    expect(await files.create('_log/000000000001.json', new Uint8Array(1))).toBe(false);
  });

  it('waits for a server that is busy, and says what it refuses', async () => {
    server.failures = 1;
    expect(await files.list('')).toEqual([]);
    const wrong = new S3Files('s3://bucket', accessFrom({ ...env, AWS_SECRET_ACCESS_KEY: 'other' }));
    await expect(wrong.list('')).rejects.toThrow('s3://bucket: the server says 403 signature & request differ');
    expect(() => accessFrom({})).toThrow('AWS_ACCESS_KEY_ID');
    expect(accessFrom({ ...env, AWS_ENDPOINT_URL: undefined, AWS_REGION: 'eu-central-1' }).endpoint).toBe(
      'https://s3.eu-central-1.amazonaws.com',
    );
  });

  it.each([
    ['s3://bucket', { bucket: 'bucket', prefix: '' }],
    ['s3://bucket/', { bucket: 'bucket', prefix: '' }],
    ['s3://bucket/a/b/', { bucket: 'bucket', prefix: 'a/b/' }],
  ])('is in %s', (path, expected) => expect(placeInBucket(path)).toEqual(expected));
  it.each(['s3://', 's3:///a', 's3://B_/a'])('is not in %s', (path) => expect(() => placeInBucket(path)).toThrow('s3://BUCKET/PREFIX'));
});
