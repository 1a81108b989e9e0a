import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceFile } from '../../../../engine/base/files/replace-file.ts';
import { TwoFolders } from '../../two-folders.ts';

let folders: TwoFolders;
let folder: string;
let outside: string;
beforeEach(() => {
  folders = new TwoFolders();
  ({ folder, outside } = folders);
});
afterEach(() => folders[Symbol.dispose]());

describe('a file that is replaced', () => {
  it('is for the user alone, and leaves no draft behind', async () => {
    await replaceFile(join(folder, 'a'), 'one');
    await replaceFile(join(folder, 'a'), 'two');
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('two');
    expect(lstatSync(join(folder, 'a')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['a']);
  });

  it('takes the place of a link, and of what it led to nothing changes', async () => {
    symlinkSync(join(outside, 'theirs'), join(folder, 'a'));
    symlinkSync(join(outside, 'theirs'), join(folder, 'a.new'));
    await replaceFile(join(folder, 'a'), 'mine');
    expect(readFileSync(join(outside, 'theirs'), 'utf8')).toBe('theirs');
    expect(lstatSync(join(folder, 'a')).isFile()).toBe(true);
  });

  it('stays as it is when it cannot be replaced, without a draft beside it', async () => {
    mkdirSync(join(folder, 'a'));
    await expect(replaceFile(join(folder, 'a'), 'x')).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(['a']);
  });
});
