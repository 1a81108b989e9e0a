import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allChecks, checksOf } from '../../../scripts/lib/checks.mjs';
import { inRoot } from '../../../scripts/lib/paths.mjs';

const names = (...files: string[]): string[] => checksOf(files).map(({ name }) => name);

describe('checksOf', () => {
  it.each<[string, string[], string[]]>([
    ['nothing', [], []],
    ['a page', ['docs/plugins.md'], ['format', 'spelling']],
    ['a setup script', ['scripts/lib/run.mjs'], ['format', 'lint', 'types: tests', 'types: scripts']],
    ['the command', ['bin/launcher.cjs'], ['format', 'lint', 'types: scripts']],
    ['the window', ['renderer/src/App.svelte'], ['format', 'lint', 'types: tests', 'types: window']],
    ['a test', ['test/engine/base/net/tls.test.ts'], ['format', 'lint', 'types: tests']],
  ])('takes for %s what it concerns', (_what, files, wanted) => expect(names(...files)).toEqual(wanted));

  it('checks the types of all that imports the engine', () => {
    const wanted = ['engine', 'tests', 'plugins', 'shell', 'shell on Electron 42', 'window'].map((project) => `types: ${project}`);
    expect(names('engine/base/errors.ts')).toEqual(['format', 'lint', ...wanted]);
  });

  it('checks the types of all when the packages change', () => {
    const types = allChecks()
      .map(({ name }) => name)
      .filter((name) => name.startsWith('types'));
    expect(names('package.json')).toEqual(['format', ...types]);
    expect(types).toHaveLength(7);
  });

  it('knows folders and files that are there', () => {
    for (const file of [
      'engine',
      'bench',
      'plugins',
      'test',
      'renderer',
      'electron',
      'scripts',
      'bin',
      'tsconfig.json',
      'tsconfig.base.json',
    ])
      expect(existsSync(inRoot(file)), file).toBe(true);
  });
});
