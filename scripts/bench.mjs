#!/usr/bin/env node
// `npm run bench [NAME…]`: measures the engine on this machine and prints a table. Any Node starts it; what is measured runs on the
// engine's own Node.
import { spawn } from 'node:child_process';
import { inRoot } from './lib/paths.mjs';
import { nodeRuntime } from './lib/runtime.mjs';

const flags = ['--disable-warning=ExperimentalWarning', '--expose-gc'];
const child = spawn(nodeRuntime().path, [...flags, inRoot('bench', 'main.ts'), ...process.argv.slice(2)], { stdio: 'inherit' });
child.on('exit', (code, signal) => {
  process.exitCode = signal === null ? (code ?? 70) : 70;
});
