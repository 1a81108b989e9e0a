#!/usr/bin/env node
// `npm run soak -- [cluster] --kills 100 [--records 1000000] [--seed N]` and `npm run soak -- rotation`: the delivery tests; `npm run soak -- --all [--minutes 10]`: all faults, for the table of docs/failures.md. Any Node starts them; they run on the engine's own Node.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { inRoot } from './lib/paths.mjs';
import { unpackProducers } from './lib/producers.mjs';
import { runMain, SetupError } from './lib/report.mjs';
import { nodeRuntime } from './lib/runtime.mjs';

await runMain(async () => {
  const [first, ...rest] = process.argv.slice(2);
  if (first === '--all') return soak(['test', 'soak', 'faults', 'main.ts'], rest);
  if (first === 'rotation') return soak(['test', 'soak', 'rotation', 'main.ts'], rest);
  if (first !== 'cluster') return soak(['test', 'soak', 'main.ts'], process.argv.slice(2));
  if (existsSync('/usr/sbin/nats-server')) return soak(['test', 'soak', 'cluster', 'main.ts'], rest);
  const found = await unpackProducers();
  if ('reason' in found)
    throw new SetupError(`nats-server is missing: ${found.reason}.`, { hint: 'Install it: apt-get install nats-server' });
  try {
    return await soak(['test', 'soak', 'cluster', 'main.ts'], rest, { SLUICEBOX_PRODUCERS: found.folder });
  } finally {
    found.remove();
  }
});

/**
 * @param {string[]} path of the test
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<number>} its exit code
 */
function soak(path, args, env = {}) {
  const flags = ['--disable-warning=ExperimentalWarning'];
  const child = spawn(nodeRuntime().path, [...flags, inRoot(...path), ...args], { stdio: 'inherit', env: { ...process.env, ...env } });
  return new Promise((resolve) => child.on('exit', (code, signal) => resolve(signal === null ? (code ?? 70) : 70)));
}
