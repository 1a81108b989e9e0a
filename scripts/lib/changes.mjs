import { existsSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { SetupError } from './report.mjs';
import { run } from './run.mjs';

/** @typedef {{ base: string, files: string[] }} Changes changes since a commit: files by their paths from the root, without removed ones */

/** Branches that work begins from; the first one that exists counts. */
const TRUNKS = ['origin/main', 'main'];

/**
 * Lists the files that changed on this branch, committed or not.
 * @returns {Promise<Changes>}
 * @throws {SetupError} when this is no clone
 */
export async function findChanges() {
  const base = await findBase();
  const lists = [await git('diff', '--name-only', base), await git('ls-files', '--others', '--exclude-standard')];
  const files = lists.flatMap((list) => list.split('\n')).filter((file) => file !== '' && existsSync(inRoot(file)));
  return { base, files: [...new Set(files)].sort() };
}

/** Finds the commit where this branch left the trunk, or the last commit on the trunk itself. */
async function findBase() {
  for (const trunk of TRUNKS) {
    const found = await run('git', ['merge-base', 'HEAD', trunk]);
    if (found.code === 0) return found.stdout.trim();
  }
  return 'HEAD';
}

/** @param {...string} args */
async function git(...args) {
  const result = await run('git', args);
  if (result.code === 0) return result.stdout;
  throw new SetupError(`git cannot say what changed: ${result.stderr.trim()}`, { hint: 'Run all checks: npm test' });
}
