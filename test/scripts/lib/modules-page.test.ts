import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { modulesPage } from '../../../scripts/lib/modules-page.mjs';

const root = join(import.meta.dirname, '../../..');
const file = join(root, 'docs/modules.md');
const page = modulesPage();

it('is what the modules say (else: npm run docs)', async () => {
  expect(readFileSync(file, 'utf8')).toBe(await format(page, { ...(await resolveConfig(file)), filepath: file }));
});

it.each(readdirSync(join(root, 'plugins/modules')).map((name) => name.replace('.ts', '')))('says what %s is for', (name) => {
  expect(page).toMatch(new RegExp(`^## ${name}\n\n\\S.*\n\n\`\`\`ts\n`, 'm'));
});

it('says what each function, class and method does', () => {
  const bare = [...page.matchAll(/^```ts\n((?!interface|type|const).*)\n```\n\n(?=```|#)/gm)].map(([, signature]) => signature);
  const bareMembers = [...page.matchAll(/^- `(?!constructor|static fromSaved|toSaved|restore|clear|get_)([^`]*)`$/gm)].map(
    ([, signature]) => signature,
  );
  expect([...bare, ...bareMembers]).toEqual([]);
});

it('shows examples as code', () => {
  expect(page).not.toContain('@example');
  expect(page).toContain('```ts\nconst hits = new CircularBuffer(1440, 2, 60);\nhits.set_header(');
});

it('shows each form of a function, and not the code behind them', () => {
  expect([...page.matchAll(/^intConfig[<(]/gm)]).toHaveLength(2);
});
