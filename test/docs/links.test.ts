import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { pagesBelow } from '../../scripts/lib/doc-pages.mjs';

const root = resolve(import.meta.dirname, '../..');
const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...pagesBelow('docs').map((name) => `docs/${name}`)];

/** A page without its code, in which brackets are no links. */
const proseOf = (path: string): string =>
  readFileSync(path, 'utf8')
    .replaceAll(/^```[^]*?^```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, 'code');

/** The anchors of a page: its headings in lower case, with hyphens for spaces, without other characters, and numbered where they are the same. */
function anchorsOf(path: string): string[] {
  const counts = new Map<string, number>();
  return [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

/** The links of a page that lead to no file, or to no heading of it. */
function brokenLinks(page: string): string[] {
  const path = join(root, page);
  const targets = [...proseOf(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^https?:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const at = file === '' ? path : join(dirname(path), file);
      return !existsSync(at) || (anchor !== undefined && !anchorsOf(at).includes(anchor));
    })
    .map((target) => `${page}: ${target}`);
}

it('leads with all links of the pages to files and headings that are there', () => {
  expect(pages.flatMap(brokenLinks)).toEqual([]);
});
