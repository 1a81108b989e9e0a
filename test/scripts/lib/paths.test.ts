import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cacheFolder, compileCache, inRoot, makeFolder, needFolder } from '../../../scripts/lib/paths.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluicebox-paths-'));
  writeFileSync(join(folder, 'file'), '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

it('knows the folder of the project', () => {
  expect(JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))).toMatchObject({ name: 'sluicebox' });
});

describe.runIf(process.platform === 'linux')('the cache', () => {
  it.each([
    ['/own', '/xdg', '/own'],
    ['', '/xdg', '/xdg/sluicebox'],
    ['', 'relative', join(homedir(), '.cache/sluicebox')],
    ['', '', join(homedir(), '.cache/sluicebox')],
  ])('SLUICEBOX_CACHE=%s XDG_CACHE_HOME=%s', (own, xdg, path) => {
    vi.stubEnv('SLUICEBOX_CACHE', own);
    vi.stubEnv('XDG_CACHE_HOME', xdg);
    expect(cacheFolder()).toBe(path);
  });

  it('of compiled code is in it, unless another one is named or there can be none', () => {
    vi.stubEnv('NODE_COMPILE_CACHE', undefined);
    vi.stubEnv('SLUICEBOX_CACHE', join(folder, 'cache'));
    expect(compileCache()).toBe(join(folder, 'cache/compiled'));
    expect(existsSync(join(folder, 'cache/compiled'))).toBe(true);
    vi.stubEnv('SLUICEBOX_CACHE', join(folder, 'file'));
    expect(compileCache()).toBeUndefined();
    vi.stubEnv('NODE_COMPILE_CACHE', '/given');
    expect(compileCache()).toBe('/given');
  });
});

it('makes folders, and those above them', () => {
  expect([makeFolder(join(folder, 'a/b/c')), makeFolder(join(folder, 'a/b')), existsSync(join(folder, 'a/b/c'))]).toEqual([
    true,
    true,
    true,
  ]);
  expect([makeFolder(join(folder, 'file')), makeFolder(join(folder, 'file/a')), makeFolder('/proc/none/a')]).toEqual([false, false, false]);
  expect(() => needFolder(join(folder, 'd'))).not.toThrow();
  expect(() => needFolder(join(folder, 'file/a'))).toThrow(`the folder ${folder}/file/a cannot be made.`);
});
