import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inRoot } from './paths.mjs';

/** Lists the pages below a folder of the project, by their paths below it, with slashes. @param {string} folder */
export const pagesBelow = (folder) =>
  readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort();

/** Reads the pages below a folder, by their paths below it. @param {string} folder @returns {Record<string, string>} */
export const readPages = (folder) =>
  Object.fromEntries(pagesBelow(folder).map((name) => [name, readFileSync(inRoot(folder, name), 'utf8')]));

/** Writes the pages of a folder, and removes those that are no longer made. @param {string} folder @param {Readonly<Record<string, string>>} pages by their paths below it */
export function writePages(folder, pages) {
  mkdirSync(inRoot(folder), { recursive: true });
  for (const name of pagesBelow(folder)) if (!(name in pages)) rmSync(inRoot(folder, name));
  for (const [name, text] of Object.entries(pages)) {
    const path = join(inRoot(folder), name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
