import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { BUNDLED_PLUGINS, isBundled } from '../../../../engine/base/product/bundled.ts';
import { Grants } from '../../../../engine/workspace/common/grants.ts';
import { AllowedScripts } from '../../../../engine/workspace/scripts/allowed-scripts.ts';

let folder: string;
let outside: string;
let grants: Grants;
let scripts: AllowedScripts;

beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'sluicebox-scripts-'));
  [folder, outside] = [join(root, 'scripts'), join(root, 'outside')];
  mkdirSync(folder);
  mkdirSync(outside);
  writeFileSync(join(folder, 'mine.js'), '// mine\n');
  writeFileSync(join(outside, 'theirs.js'), '// theirs\n');
  grants = new Grants();
  scripts = new AllowedScripts(folder, grants, () => [join(outside, 'used.js')]);
});

describe('scripts of the window', () => {
  it('are read and written in the folder', async () => {
    const path = join(folder, 'mine.js');
    expect(await scripts.read('filter', path)).toEqual({ path, name: 'mine.js', text: '// mine\n' });
    expect(await scripts.write('mine.js', path, '// new\n')).toEqual({ path, before: '// mine\n' });
    expect(await scripts.write('other.ts', null, '// other\n')).toEqual({ path: join(folder, 'other.ts'), before: null });
    expect(readdirSync(folder).sort()).toEqual(['mine.js', 'other.ts']);
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
  });

  it('are read elsewhere when they were chosen, but not written', async () => {
    const path = join(outside, 'theirs.js');
    await expect(scripts.read('filter', path)).rejects.toMatchObject({ code: 'script.foreign' });
    grants.add('script', path);
    expect(await scripts.read('filter', path)).toMatchObject({ text: '// theirs\n' });
    await expect(scripts.write('theirs.js', path, '// changed\n')).rejects.toMatchObject({ code: 'script.place' });
    await expect(scripts.write('used.js', join(outside, 'used.js'), '')).rejects.toMatchObject({ code: 'script.place' });
    expect(readFileSync(path, 'utf8')).toBe('// theirs\n');
  });

  it.each([
    ['a link to a file', 'link.js'],
    ['a link to nothing', 'nothing.js'],
    ['a link around in a circle', 'circle.js'],
    ['a file behind a link to a folder', 'away/theirs.js'],
  ])('are none through %s', async (_what, name) => {
    symlinkSync(join(outside, 'theirs.js'), join(folder, 'link.js'));
    symlinkSync(join(outside, 'missing.js'), join(folder, 'nothing.js'));
    symlinkSync(join(folder, 'circle.js'), join(folder, 'circle.js'));
    symlinkSync(outside, join(folder, 'away'));
    const path = join(folder, name);
    await expect(scripts.read('filter', path)).rejects.toMatchObject({ code: expect.stringMatching(/^script\.(foreign|unreadable)$/) });
    await scripts.write(name, path, '// changed\n').catch(() => undefined);
    expect(readdirSync(outside)).toEqual(['theirs.js']);
    expect(readFileSync(join(outside, 'theirs.js'), 'utf8')).toBe('// theirs\n');
  });

  it('are written past a link in the place of a draft', async () => {
    symlinkSync(join(outside, 'theirs.js'), join(folder, 'mine.js.new'));
    await scripts.write('mine.js', join(folder, 'mine.js'), '// changed\n');
    expect(readFileSync(join(outside, 'theirs.js'), 'utf8')).toBe('// theirs\n');
  });

  it.runIf(process.platform !== 'win32')('are not pipes, which would be waited for', async () => {
    const path = join(folder, 'pipe.js');
    execFileSync('mkfifo', [path]);
    await expect(scripts.read('filter', path)).rejects.toMatchObject({
      code: 'script.unreadable',
      message: expect.stringContaining('it is a pipe, not a regular file'),
    });
  });

  it('are not paths with steps back, which could pass through the folder of bundled scripts', () => {
    const path = `${BUNDLED_PLUGINS}../${'../'.repeat(20)}${folder.slice(1)}/mine.js`;
    expect(() => scripts.checkOwn(path)).toThrow(/not a script of this workspace/);
    expect(isBundled(path)).toBe(false);
    expect(isBundled(join(BUNDLED_PLUGINS, 'filters', 'http_status.ts'))).toBe(true);
  });
});
