import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readPages } from '../../../scripts/lib/doc-pages.mjs';
import { modulePages } from '../../../scripts/lib/module-pages.mjs';
import { inRoot } from '../../../scripts/lib/paths.mjs';
import { formatted } from '../../docs/formatted.ts';

const pages = modulePages();
const page = Object.values(pages).join('\n');

it('is what the modules say, without further pages (else: npm run docs)', async () => {
  expect(readPages('docs/modules')).toEqual(await formatted('docs/modules', pages));
});

it.each(readdirSync(inRoot('plugins/modules')).map((name) => name.replace('.ts', '')))('says what %s is for', (name) => {
  expect(pages[`${name}.md`]).toMatch(new RegExp(`^# ${name}\n\n\\S.*\n\n\`\`\`ts\n`, 'm'));
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
