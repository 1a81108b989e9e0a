import { chmodSync, lstatSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { whyUntrusted } from '../../../electron/main/data-folder.ts';
import { StateFile } from '../../../electron/main/state-file.ts';

const fresh = (): string => mkdtempSync(join(tmpdir(), 'sluicebox-data-'));

describe('the folder of the user’s data', () => {
  it('is made for the user alone', () => {
    const folder = join(fresh(), 'new');
    expect(whyUntrusted(folder)).toBeNull();
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  });

  it.runIf(process.platform === 'linux')('ends with an error where none can be made', () => {
    expect(() => whyUntrusted('/proc/no/folder')).toThrow(/ENOENT/);
  });

  it.each([
    [0o700, true],
    [0o755, true],
    [0o750, true],
    [0o770, false],
    [0o702, false],
    [0o777, false],
    [0o1777, false],
  ])('with the mode %i is trusted: %s', (mode, isTrusted) => {
    const folder = fresh();
    chmodSync(folder, mode);
    const reason = whyUntrusted(folder);
    if (isTrusted) expect(reason).toBeNull();
    else expect(reason).toMatch(/Others may write into the folder .*chmod go-w/);
  });

  it('is not trusted when it belongs to somebody else, also behind a link', () => {
    const folder = fresh();
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    const { uid } = lstatSync(folder);
    expect(whyUntrusted(link)).toBeNull();
    expect(whyUntrusted(folder, uid + 1)).toMatch(`belongs to another user (number ${uid})`);
    chmodSync(folder, 0o777);
    expect(whyUntrusted(link)).toMatch('Others may write');
  });
});

describe('a state file', () => {
  it.runIf(process.platform === 'linux')('goes on where its folder cannot be made', () => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    new StateFile('/proc/no/folder/window.json', { a: 0 }).save({ a: 1 });
    expect(said.mock.calls.flat().join('')).toContain('window.json was not written');
    said.mockRestore();
  });

  it('follows no link that waits in the place of its draft, or of itself', () => {
    const folder = fresh();
    const outside = join(fresh(), 'outside');
    writeFileSync(outside, 'mine');
    symlinkSync(outside, join(folder, 'window.json.new'));
    symlinkSync(outside, join(folder, 'window.json'));
    new StateFile(join(folder, 'window.json'), { a: 0 }).save({ a: 1 });
    expect(readFileSync(outside, 'utf8')).toBe('mine');
    expect(readFileSync(join(folder, 'window.json'), 'utf8')).toContain('"a": 1');
    expect(lstatSync(join(folder, 'window.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['window.json', 'window.json.new']);
  });
});
