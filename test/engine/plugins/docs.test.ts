import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { bundledPlugins } from '../../../engine/plugins/catalog.ts';
import { pluginPage } from '../../../engine/plugins/docs.ts';

const file = join(import.meta.dirname, '../../../docs/plugin-reference.md');
const scripts = (['decoder', 'filter', 'encoder'] as const).flatMap(bundledPlugins);

describe('the reference of the bundled scripts', () => {
  it('is what the scripts say (else: npm run docs)', async () => {
    const page = await format(pluginPage(), { ...(await resolveConfig(file)), filepath: file });
    expect(await readFile(file, 'utf8')).toBe(page);
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
