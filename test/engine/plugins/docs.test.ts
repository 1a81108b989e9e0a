import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { bundledPlugins } from '../../../engine/plugins/catalog.ts';
import { pluginPages } from '../../../engine/plugins/docs.ts';
import { readPages } from '../../../scripts/lib/doc-pages.mjs';
import { formatted } from '../../docs/formatted.ts';

const scripts = (['decoder', 'filter', 'encoder'] as const).flatMap(bundledPlugins);

describe('the reference of the bundled scripts', () => {
  it('is what the scripts say, without further pages (else: npm run docs)', async () => {
    expect(readPages('docs/bundled')).toEqual(await formatted('docs/bundled', pluginPages()));
  });

  it('has a page of each script', () => {
    const wanted = scripts.map(({ name, meta }) => `${meta?.kind ?? ''}s/${name}.md`);
    expect(Object.keys(pluginPages())).toEqual(['README.md', ...wanted]);
  });

  it.each(scripts.map((script) => [script.meta?.kind, script.name, script]))(
    'has a comment and a summary of the %s %s',
    async (_kind, _name, script) => {
      expect(await readFile(script.path, 'utf8')).toMatch(/^\/\*\*\n \* \w/);
      expect(script.meta?.summary).toMatch(/^[A-Z].*\.$/);
      for (const [name, { summary }] of Object.entries(script.meta?.parameters ?? {})) expect(summary, name).toMatch(/^[A-Z%`'"].*\.$/);
    },
  );
});
