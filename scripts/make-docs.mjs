// npm run docs: writes the reference pages, and the list of the bundled scripts, anew from the code.
import { readFileSync, writeFileSync } from 'node:fs';
import { writePages } from './lib/doc-pages.mjs';
import { withFloors } from './lib/floors-page.mjs';
import { modulePages } from './lib/module-pages.mjs';
import { withSection } from './lib/page-section.mjs';
import { inRoot } from './lib/paths.mjs';
import { runMain, SetupError } from './lib/report.mjs';
import { run, tail } from './lib/run.mjs';
import { nodeRuntime } from './lib/runtime.mjs';

/** @type {readonly (readonly [page: string, source: string])[]} each page and the module that prints it */
const PAGES = [
  ['docs/errors.md', 'engine/base/product/errors-docs.ts'],
  ['docs/messages.md', 'engine/message/docs.ts'],
  ['docs/notices.md', 'engine/base/product/notices-docs.ts'],
  ['plugins/shipped.json', 'engine/plugins/shipped-list.ts'],
];
/** @type {readonly (readonly [folder: string, source: string])[]} each folder of pages and the module that prints them as JSON */
const FOLDERS = [
  ['docs/bundled', 'engine/plugins/docs.ts'],
  ['docs/configuration', 'engine/config/docs.ts'],
];
/** @type {readonly (readonly [page: string, name: string, source: string])[]} lists between two marks of a page, and the modules that print them */
const SECTIONS = [
  ['docs/architecture-scripts.md', 'seats', 'engine/sandbox/ours/seating-docs.ts'],
  ['docs/terminal.md', 'settings', 'engine/cli/view/preferences-docs.ts'],
];
const MODULES_FOLDER = 'docs/modules';

await runMain(async () => {
  for (const [page, source] of PAGES) writeFileSync(inRoot(page), await printed(source));
  for (const [folder, source] of FOLDERS) writePages(folder, JSON.parse(await printed(source)));
  writePages(MODULES_FOLDER, modulePages());
  for (const [page, name, source] of SECTIONS)
    writeFileSync(inRoot(page), withSection(readFileSync(inRoot(page), 'utf8'), name, await printed(source)));
  const architecture = inRoot('docs/architecture.md');
  writeFileSync(architecture, withFloors(readFileSync(architecture, 'utf8')));
  const written = [...PAGES, ...FOLDERS, [MODULES_FOLDER]].map(([path = '']) => inRoot(path));
  await run(nodeRuntime().path, [inRoot('node_modules/prettier/bin/prettier.cjs'), '--write', ...written]);
  return 0;
});

/** Output of a module of the engine that is run. @param {string} source */
async function printed(source) {
  const result = await run(nodeRuntime().path, [inRoot(source)]);
  if (result.code !== 0) throw new SetupError(`${source} failed:\n${tail(result, 20)}`);
  return result.stdout;
}
