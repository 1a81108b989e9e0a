import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needConfigFolder } from '../../../scripts/lib/launch.mjs';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'sluicebox-config-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.runIf(process.platform === 'linux')('the folder for the window’s data', () => {
  it.each([
    ['a name of more than 255 bytes', { HOME: `/tmp/${'a'.repeat(300)}` }, 'HOME is'],
    ['a path that is too long', { HOME: `/tmp${'/abc'.repeat(2000)}` }, 'HOME is'],
    ['a folder that takes nothing', { HOME: '/root', XDG_CONFIG_HOME: '/proc/x' }, 'XDG_CONFIG_HOME is'],
  ])('is told when it cannot be made: %s', (_what, env, hint) => {
    expect(() => needConfigFolder(env)).toThrow(
      expect.objectContaining({ message: expect.stringContaining('cannot be made'), hint: expect.stringContaining(hint) }),
    );
  });

  it('is made, or left to Chromium where nothing names it', () => {
    needConfigFolder({ HOME: folder });
    expect(existsSync(join(folder, '.config'))).toBe(true);
    needConfigFolder({ HOME: '/proc', XDG_CONFIG_HOME: join(folder, 'a/b') });
    expect(existsSync(join(folder, 'a/b'))).toBe(true);
    needConfigFolder({});
  });
});
