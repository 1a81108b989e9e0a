import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/lib/paths.mjs';

/** The parts of the project whose tests lie in a folder of the same path. */
const PARTS = ['bin', 'electron', 'engine', 'plugins', 'renderer', 'scripts'];

it('every test lies in the folder of what it tests', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'test'], { cwd: root, encoding: 'utf8' });
  const tests = files.split('\n').filter((file) => file.endsWith('.test.ts') && PARTS.includes(file.split('/')[1] as string));
  expect(tests.length).toBeGreaterThan(100);
  expect(tests.filter((file) => !existsSync(join(root, dirname(file).replace(/^test\//, ''))))).toEqual([]);
});
