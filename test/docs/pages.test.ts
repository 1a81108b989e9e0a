import { readFileSync, statSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pagesBelow } from '../../scripts/lib/doc-pages.mjs';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const all = pagesBelow('docs');
const names = all.filter((name) => !name.includes('/'));
const indexes = all.filter((name) => /^[^/]+\/README\.md$/.test(name));
/** As much as a reader loads and scrolls through. */
const MOST_BYTES = 40 * 1024;
/** As many decisions as one can read before a change. */
const MOST_DECISIONS = 60;

/** Made by `npm run docs` or by the bench, or a list that only grows. */
const LISTS = ['decisions.md', 'errors.md', 'messages.md', 'notices.md', 'performance.md'];
const MOST_LINES = 300;
/** The part of a page that is made by `npm run docs`. */
const MADE = /<!-- [^]*? made by [^]*?-->[^]*?<!-- [^]*? end -->/g;

/** The pages that a page links to, by their paths in the project. */
const linksOf = (text: string, folder: string): string[] =>
  [...text.matchAll(/\]\(([^)\s#:]+\.md)(?:#[^)]*)?\)/g)].map(([, target = '']) => posix.join(folder, target));

/** The pages under _Read on_. */
const FIRST = linksOf(/\n## Read on\n([^]*?)\n## /.exec(read('README.md'))?.[1] ?? '', '');

/** All pages that links lead to from some, by way of others than the README. */
function reachedFrom(first: readonly string[]): Set<string> {
  const reached = new Set(first);
  // A set that grows while it is gone through gives what is added as well.
  for (const page of reached) {
    if (page !== 'README.md') for (const other of linksOf(read(page), posix.dirname(page))) reached.add(other);
  }
  return reached;
}

describe('the pages', () => {
  it('are named by the README up to ten', () => {
    expect(FIRST).toHaveLength(10);
  });

  const reached = reachedFrom(FIRST);
  it.each([...names, ...indexes])('%s can be reached from those', (name) => {
    expect(reached).toContain(`docs/${name}`);
  });

  it('are at most 40 KB long', () => {
    expect(all.filter((name) => statSync(join(root, 'docs', name)).size > MOST_BYTES)).toEqual([]);
  });

  it.each(indexes)('%s leads to each page of its folder', (index) => {
    const folder = index.replace('README.md', '');
    const others = all.filter((name) => name.startsWith(folder) && name !== index);
    expect(others.filter((name) => !read(`docs/${index}`).includes(`(${name.slice(folder.length)})`))).toEqual([]);
  });

  const written = names.filter((name) => !LISTS.includes(name));

  it.each(['README.md', 'CONTRIBUTING.md', ...written.map((name) => `docs/${name}`)])('%s is short', (path) => {
    expect(read(path).replaceAll(MADE, '').split('\n').length).toBeLessThanOrEqual(MOST_LINES);
  });

  it('the changelog says on one page what the first release does', () => {
    const [, first = ''] = /\n## 1\.0\.0[^\n]*\n([^]*)$/.exec(read('CHANGELOG.md')) ?? [];
    expect([...first.matchAll(/^### (.*)$/gm)].map(([, area]) => area)).toContain('The window');
    expect(first.split('\n').length).toBeLessThanOrEqual(150);
  });

  it.each(written)('%s leads on', (name) => {
    expect(read(`docs/${name}`)).toMatch(/\n## Next\n\n[^]*\]\(\S+\)/);
  });
});

it('the page about security says how a weakness is reported, and how soon the answer comes', () => {
  const [, section = ''] = /\n## Report a weakness\n([^]*?)\n## /.exec(read('docs/security.md')) ?? [];
  expect(section).toContain('Report a vulnerability');
  expect(section).toContain('You get an answer within a week.');
});

describe('the decisions that bind', () => {
  const pages = names.filter((name) => /^decisions-(?!archive)/.test(name));
  const entries = pages.flatMap((name) =>
    read(`docs/${name}`)
      .split(/^(?=## \d)/m)
      .slice(1),
  );

  it('are few', () => {
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.length).toBeLessThanOrEqual(MOST_DECISIONS);
  });

  it('say why, at which cost, and what would change them', () => {
    const parts = /\*\*Context\.\*\*[^]*\*\*Choice\.\*\*[^]*\*\*Cost\.\*\*[^]*\*\*Would\s+change\s+it:\*\*/;
    expect(entries.filter((entry) => !parts.test(entry))).toEqual([]);
  });

  it('are on pages that the index names', () => {
    expect(pages.filter((name) => !read('docs/decisions.md').includes(`(${name})`))).toEqual([]);
  });
});
