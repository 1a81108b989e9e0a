// Runs the headless command in this process, which is the Node that the engine needs: bin/sluicebox and the launcher start it.
'use strict';
const { enableCompileCache } = require('node:module');
const { pathToFileURL } = require('node:url');

main().catch((error) => {
  process.stderr.write(`sluicebox: ${error.stack}\n`);
  process.exitCode = 70;
});

async function main() {
  const { compileCache } = await import('../scripts/lib/paths.mjs');
  const compiled = compileCache();
  if (compiled !== undefined) {
    process.env.NODE_COMPILE_CACHE = compiled;
    enableCompileCache(compiled);
  }
  if (process.stderr.isTTY) (await import('../scripts/lib/root-advice.mjs')).adviseRoot();
  const { commandFile } = await import('../scripts/lib/command-file.mjs');
  await import(pathToFileURL(commandFile()).href);
}
