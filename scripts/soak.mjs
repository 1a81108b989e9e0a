#!/usr/bin/env node
// `npm run soak -- --kills 100 [--records 1000000] [--seed N]`, `npm run soak -- cluster --faults 60`, `npm run soak -- rotation` and `npm run soak -- lake [--minutes 10]`: the delivery tests; `npm run soak -- upgrade FOLDER…`: other versions on one base_dir; `npm run soak -- growth`: the memory of a service; `npm run soak -- --all [--minutes 10]`: all faults, for the table of docs/failures.md. Any Node starts them; they run on the engine's own Node.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { inRoot } from './lib/paths.mjs';
import { unpackProducers } from './lib/producers.mjs';
import { runMain, SetupError } from './lib/report.mjs';
import { nodeRuntime } from './lib/runtime.mjs';

/** Soaks that need no server. */
const ALONE = new Set(['upgrade', 'growth', 'rotation', 'lake']);

await runMain(async () => {
  const [first = '', ...rest] = process.argv.slice(2);
  if (first === '--all') return withNats((env) => soak(['test', 'soak', 'faults', 'main.ts'], rest, env));
  if (ALONE.has(first)) return soak(['test', 'soak', first, 'main.ts'], rest);
  if (first !== 'cluster' && first !== '--cluster') return soak(['test', 'soak', 'main.ts'], process.argv.slice(2));
  return withNats((env, reason) => {
    if (reason !== null) throw new SetupError(`nats-server is missing: ${reason}.`, { hint: 'Install it: apt-get install nats-server' });
    return soak(['test', 'soak', 'cluster', 'main.ts'], rest, env);
  });
});

/**
 * Runs something with a server of NATS, which is unpacked from Debian's packages where it is not installed.
 * @param {(env: Record<string, string>, reason: string | null) => Promise<number>} work called with the variables that say where it is, or why there is none
 */
async function withNats(work) {
  if (existsSync('/usr/sbin/nats-server')) return work({}, null);
  const found = await unpackProducers();
  if ('reason' in found) return work({}, found.reason);
  try {
    return await work({ SLUICEBOX_PRODUCERS: found.folder }, null);
  } finally {
    found.remove();
  }
}

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
