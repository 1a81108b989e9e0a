import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const names = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));

/** Made by `npm run docs` or by the bench, or a list that only grows. */
const LISTS = ['configuration.md', 'decisions.md', 'errors.md', 'messages.md', 'modules.md', 'performance.md', 'plugin-reference.md'];
const MOST_LINES = 300;
/** The part of a page that is made by `npm run docs`. */
const MADE = /<!-- [^]*? made by [^]*?-->[^]*?<!-- [^]*? end -->/g;

describe('the pages', () => {
  it.each(names)('%s is in the reading order of the README', (name) => {
    expect(read('README.md')).toContain(`(docs/${name})`);
  });

  const written = names.filter((name) => !LISTS.includes(name));

  it.each(['README.md', 'CONTRIBUTING.md', ...written.map((name) => `docs/${name}`)])('%s is short', (path) => {
    expect(read(path).replaceAll(MADE, '').split('\n').length).toBeLessThanOrEqual(MOST_LINES);
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
