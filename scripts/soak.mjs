#!/usr/bin/env node
// `npm run soak -- --kills 100 [--records 1000000] [--seed N]`: the delivery test. Any Node starts it; it runs on the engine's own Node.
import { spawn } from 'node:child_process';
import { inRoot } from './lib/paths.mjs';
import { nodeRuntime } from './lib/runtime.mjs';

const flags = ['--disable-warning=ExperimentalWarning'];
const child = spawn(nodeRuntime().path, [...flags, inRoot('test', 'soak', 'main.ts'), ...process.argv.slice(2)], { stdio: 'inherit' });
child.on('exit', (code, signal) => {
  process.exitCode = signal === null ? (code ?? 70) : 70;
});
