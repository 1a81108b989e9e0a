import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isBelow, isReallyBelow } from '../../../../engine/base/files/real-place.ts';
import { TwoFolders } from '../../two-folders.ts';

let folders: TwoFolders;
let folder: string;
let outside: string;
beforeEach(() => {
  folders = new TwoFolders();
  ({ folder, outside } = folders);
});
afterEach(() => folders[Symbol.dispose]());

describe('a place', () => {
  it.each([
    ['/a/b', true],
    ['/a/b/c', true],
    ['/a/..b', true],
    ['/a', false],
    ['/a/', false],
    ['/ab', false],
    ['/a/../b', false],
    ['/', false],
  ])('below /a: %s: %s', (path, below) => {
    expect(isBelow(path, '/a')).toBe(below);
  });

  it.each([
    ['own', true],
    ['missing/deep/file', true],
    ['inner', true],
    ['dangling', true],
    ['link', false],
    ['away/theirs', false],
    ['away/missing', false],
    ['circle', false],
    ['../out/theirs', false],
    ['away/../own', true],
  ])('really below a folder: %s: %s', (name, below) => {
    writeFileSync(join(folder, 'own'), '');
    symlinkSync(join(folder, 'own'), join(folder, 'inner'));
    symlinkSync(join(outside, 'nothing'), join(folder, 'dangling'));
    symlinkSync(join(outside, 'theirs'), join(folder, 'link'));
    symlinkSync(outside, join(folder, 'away'));
    symlinkSync(join(folder, 'circle'), join(folder, 'circle'));
    expect(isReallyBelow(`${folder}/${name}`, folder)).toBe(below);
  });
});
