import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { APP_PACKAGE } from '../../../scripts/lib/app-package.mjs';
import { inRoot } from '../../../scripts/lib/paths.mjs';

const FOLDER = inRoot('resources/deploy/desktop');
const ENTRY = join(FOLDER, 'sluicebox.desktop');
const METAINFO = join(FOLDER, 'app.sluicebox.desktop.metainfo.xml');

/** First groups of all matches of a pattern in a file. */
const all = (path: string, pattern: RegExp): string[] => [...readFileSync(path, 'utf8').matchAll(pattern)].map(([, found = '']) => found);

/** Runs a validator, where it is installed. */
function complaints(command: string, ...args: string[]): string {
  const { error, status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return error !== undefined || status === 0 ? '' : stdout + stderr;
}

describe('what desktops read of the package', () => {
  it('opens logs and workspaces, which the types know by their endings', () => {
    const types = all(ENTRY, /^MimeType=(.*);$/gm)[0]?.split(';');
    expect(types).toEqual(['application/x-sluicebox-workspace', 'text/x-log']);
    expect(all(join(FOLDER, 'sluicebox-desktop.xml'), /<mime-type type="(.*?)"/g)).toEqual(types);
    expect(all(join(FOLDER, 'sluicebox-desktop.xml'), /<glob pattern="(.*?)"/g)).toEqual(['*.sluicebox', '*.log']);
    expect(all(METAINFO, /<mediatype>(.*?)</g)).toEqual(types);
    // On other systems, too.
    expect(all(inRoot('electron-builder.yml'), /^ {2}- \{ ext: (\w+),/gm)).toEqual(['sluicebox', 'log']);
  });

  it('starts the command of the package with the files', () => {
    expect(all(ENTRY, /^Exec=(.*)$/gm)).toEqual(['sluicebox-desktop %F']);
    expect(all(METAINFO, /<binary>(.*?)</g)).toEqual(['sluicebox-desktop']);
    expect(all(METAINFO, /<launchable type="desktop-id">(.*?)</g).map((name) => existsSync(join(FOLDER, name)))).toEqual([true]);
    // Electron gives its windows the name of the manifest, by which desktops find the entry.
    const { name } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')) as { name: string };
    expect(all(ENTRY, /^StartupWMClass=(.*)$/gm)).toEqual([name]);
  });

  it('passes the validators', () => {
    expect(complaints('desktop-file-validate', ENTRY)).toBe('');
    expect(complaints('appstreamcli', 'validate', '--no-net', METAINFO)).toBe('');
  });

  it('depends on the libraries by all names that they have in releases of Debian', () => {
    expect(APP_PACKAGE.depends).toContain('libgtk-3-0t64 | libgtk-3-0');
  });
});
