import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { inRoot } from './paths.mjs';

/**
 * @typedef {object} Afar sources whose tests stand elsewhere
 * @property {readonly string[]} of sources; a name that ends with `/` means all files below the folder that have no test of their own
 * @property {readonly string[]} by test files, or folders of them
 * @property {string} why
 */

/** @returns {readonly Afar[]} the list of `test/covered-from-afar.json` */
export const coveredFromAfar = () => JSON.parse(readFileSync(inRoot('test/covered-from-afar.json'), 'utf8'));

/** Sources that have tests. */
const SOURCE = /^(?:(?:engine|plugins|electron|renderer\/src)\/.*\.(?:ts|svelte)|scripts\/.*\.mjs)$/;

/** @param {string} file */
export const isSource = (file) => SOURCE.test(file) && !file.endsWith('.d.ts');

/**
 * The test file of a source: `test/a/b.test.ts` for `a/b.ts`.
 * @param {string} source
 */
export const testOf = (source) => `test/${source.replace(/(?:\.svelte)?\.(?:ts|mjs|svelte)$/, '')}.test.ts`;

/**
 * Finds the entries for a source without a test file of its own: those that name it, or the innermost of its folders that is named.
 * @param {string} source
 * @param {readonly Afar[]} list
 */
export function entriesOf(source, list) {
  const length = (/** @type {Afar} */ { of }) =>
    Math.max(...of.map((name) => (name === source || (name.endsWith('/') && source.startsWith(name)) ? name.length : 0)));
  const longest = Math.max(0, ...list.map(length));
  return longest === 0 ? [] : list.filter((entry) => length(entry) === longest);
}

/**
 * Finds the test files that cover these sources: their own, or else those of the list.
 * @param {readonly string[]} files
 * @param {readonly Afar[]} [list]
 * @param {(path: string) => boolean} [exists]
 */
export function testsOf(files, list = coveredFromAfar(), exists = (path) => existsSync(inRoot(path))) {
  const tests = files.filter(isSource).flatMap((source) => {
    if (exists(testOf(source))) return [testOf(source)];
    return entriesOf(source, list).flatMap(({ by }) => by.flatMap(testFilesIn));
  });
  return [...new Set(tests)].sort();
}

/** The test files of a folder, or the file itself. @param {string} path @returns {string[]} */
function testFilesIn(path) {
  if (!statSync(inRoot(path), { throwIfNoEntry: false })?.isDirectory()) return [path];
  const names = readdirSync(inRoot(path), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => `${path}/${name.replaceAll('\\', '/')}`);
}
