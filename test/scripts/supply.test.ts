import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

interface Entry {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
}

const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
const packages = Object.entries((JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> }).packages).filter(
  ([path]) => path !== '',
);

describe('packages', () => {
  it.each(['dependencies', 'devDependencies', 'optionalDependencies'])('in %s are pinned exactly', (kind) => {
    const loose = Object.entries(manifest[kind] ?? {}).filter(
      ([, version]) => !/^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+(?:-r\.\d+)?$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  it('are all locked with a checksum, and come from a registry', () => {
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
    expect(packages.filter(([, { resolved = 'https:' }]) => !resolved.startsWith('https:')).map(([path]) => path)).toEqual([]);
  });

  it('run no scripts when they are installed, and need none', () => {
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
    // isolated-vm would compile what it ships compiled; electron-winstaller chooses an archiver for installers of Windows, which are not made.
    expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path)).toEqual([
      'node_modules/electron-winstaller',
      'node_modules/isolated-vm',
    ]);
  });
});
