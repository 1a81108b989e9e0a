// npm run docs: writes the reference pages, and the list of the bundled scripts, anew from the code.
import { readFileSync, writeFileSync } from 'node:fs';
import { withFloors } from './lib/floors-page.mjs';
import { modulesPage } from './lib/modules-page.mjs';
import { inRoot } from './lib/paths.mjs';
import { runMain, SetupError } from './lib/report.mjs';
import { run, tail } from './lib/run.mjs';
import { nodeRuntime } from './lib/runtime.mjs';

/** @type {readonly (readonly [page: string, source: string])[]} each page and the module that prints it */
const PAGES = [
  ['docs/configuration.md', 'engine/config/docs.ts'],
  ['docs/errors.md', 'engine/base/product/errors-docs.ts'],
  ['docs/messages.md', 'engine/message/docs.ts'],
  ['docs/plugin-reference.md', 'engine/plugins/docs.ts'],
  ['plugins/shipped.json', 'engine/plugins/shipped-list.ts'],
];
const MODULES_PAGE = 'docs/modules.md';

await runMain(async () => {
  const { path } = nodeRuntime();
  for (const [page, source] of PAGES) {
    const printed = await run(path, [inRoot(source)]);
    if (printed.code !== 0) throw new SetupError(`${source} failed:\n${tail(printed, 20)}`);
    writeFileSync(inRoot(page), printed.stdout);
  }
  const architecture = inRoot('docs/architecture.md');
  writeFileSync(architecture, withFloors(readFileSync(architecture, 'utf8')));
  writeFileSync(inRoot(MODULES_PAGE), modulesPage());
  const written = [...PAGES.map(([page]) => page), MODULES_PAGE].map((page) => inRoot(page));
  await run(path, [inRoot('node_modules/prettier/bin/prettier.cjs'), '--write', ...written]);
  return 0;
});
