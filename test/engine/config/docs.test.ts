import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { configurationPage } from '../../../engine/config/docs.ts';
import { parseConfig } from '../../../engine/config/load.ts';
import { SECTION_TYPES } from '../../../engine/config/schema/sections.ts';
import { bundledNames } from '../../../engine/plugins/catalog.ts';

const file = join(import.meta.dirname, '../../../docs/configuration.md');

describe('the configuration reference', () => {
  it('is what the schemas say (else: node engine/config/docs.ts > docs/configuration.md)', async () => {
    expect(await readFile(file, 'utf8')).toBe(configurationPage());
  });

  it('is formatted as the formatter would', async () => {
    const page = configurationPage();
    expect(await format(page, { ...(await resolveConfig(file)), filepath: file })).toBe(page);
  });

  it.each(Object.entries(SECTION_TYPES))('has a valid example of %s', (_name, { example }) => {
    const bundled = { decoder: bundledNames('decoder'), filter: bundledNames('filter'), encoder: bundledNames('encoder') };
    expect(parseConfig(example, 'example.toml', { bundled }).problems).toEqual([]);
  });

  it('says something of every parameter', () => {
    const rows = configurationPage()
      .split('\n')
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
