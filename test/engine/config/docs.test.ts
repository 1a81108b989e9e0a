import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configurationPages } from '../../../engine/config/docs.ts';
import { parseConfig } from '../../../engine/config/load.ts';
import { SECTION_TYPES } from '../../../engine/config/schema/sections.ts';
import { bundledNames } from '../../../engine/plugins/catalog.ts';
import { readPages } from '../../../scripts/lib/doc-pages.mjs';
import { formatted } from '../../docs/formatted.ts';

const pages = configurationPages();

describe('the configuration reference', () => {
  it('is what the schemas say, without further pages (else: npm run docs)', () => {
    expect(readPages('docs/configuration')).toEqual(pages);
  });

  it('has a page of each type of section', () => {
    expect(Object.keys(pages)).toEqual(expect.arrayContaining(Object.keys(SECTION_TYPES).map((name) => `${name}.md`)));
  });

  it('is formatted as the formatter would', async () => {
    expect(await formatted('docs/configuration', pages)).toEqual(pages);
  });

  it.each(Object.entries(SECTION_TYPES))('has a valid example of %s', (_name, { example }) => {
    const bundled = { decoder: bundledNames('decoder'), filter: bundledNames('filter'), encoder: bundledNames('encoder') };
    expect(parseConfig(example, 'example.toml', { bundled }).problems).toEqual([]);
  });

  it('says something of every parameter', () => {
    const rows = Object.values(pages)
      .flatMap((page) => page.split('\n'))
      .filter((line) => line.startsWith('| `'));
    for (const row of rows)
      expect(row.split(/(?<!\\)\|/).map((cell) => cell.trim())).toEqual([
        '',
        expect.any(String),
        expect.stringMatching(/./),
        expect.any(String),
        expect.stringMatching(/\.$/),
        '',
      ]);
  });
});

it('has valid examples on the page about loading filters', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/managing-filters.md'), 'utf8');
  const examples = [...page.matchAll(/```toml\n([^]*?)```/g)].map(([, example = '']) => example);
  expect(examples).toHaveLength(2);
  for (const example of examples) expect(parseConfig(example, 'example.toml', { environment: { OPS_KEY: 'secret' } }).problems).toEqual([]);
});
