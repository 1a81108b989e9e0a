// Starts the headless command. Any Node from 20 on runs this; the engine itself runs on the stock Node of node_modules.
'use strict';
const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const { join } = require('node:path');

/** Signals that the engine takes when it is ready: for a report, and to end if nothing gets on. At other times they do nothing. */
const ASKING = process.platform === 'win32' ? [] : ['SIGUSR1', 'SIGUSR2'];
/** Signals that end the engine. */
const ENDING = process.platform === 'win32' ? ['SIGINT', 'SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/**
 * Megabytes of the young generation from the start, for a run that reads what there is and ends, and for commands that print what they read: V8 collects it less
 * often, which saves a twentieth to a tenth of the processor time, and memory, as batches are no longer kept with what is old.
 */
const YOUNG = '--min-semi-space-size=8';
const PRINTING = ['decode', 'encode', 'match', 'cat'];

/** @type {import('node:child_process').ChildProcess | null} */
let engine = null;
/** The engine has handlers for all signals. */
let ready = false;
/** A service takes a hangup for a request to open its files anew: one that comes before it is ready does nothing. */
const isService = process.argv[2] === 'run';

// Before anything else, so that no signal ends this process and leaves the engine behind. One that comes before the engine ends both.
for (const signal of /** @type {NodeJS.Signals[]} */ (ENDING)) {
  process.on(signal, () => {
    if (isService && signal === 'SIGHUP' && !ready) return;
    if (engine === null) endBy(signal);
    else engine.kill(signal);
  });
}
// With its own handler for it, Node opens no debugger on SIGUSR1.
for (const signal of /** @type {NodeJS.Signals[]} */ (ASKING)) process.on(signal, () => void (ready && engine?.kill(signal)));

main().catch((error) => {
  process.stderr.write(`sluicebox: ${error.message}\n${error.hint ? `  ${error.hint}\n` : ''}`);
  process.exitCode = 70;
});

async function main() {
  const { nodeRuntime } = await import('../scripts/lib/runtime.mjs');
  // Not with --disable-sigusr1: no handler hears SIGUSR1 then, and the engine answers it with a report.
  const flags = ['--disable-warning=ExperimentalWarning', ...(reads(process.argv.slice(2)) ? [YOUNG] : [])];
  // The engine ends in order when the channel closes: then this process is gone, however it ended.
  engine = spawn(nodeRuntime().path, [...flags, join(__dirname, 'in-place.cjs'), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  engine.on('message', () => (ready = true));
  engine.on('error', (error) => {
    process.stderr.write(`sluicebox: the Node runtime could not be started: ${error.message}\n`);
    process.exitCode = 70;
  });
  engine.on('exit', (code, signal) => {
    if (signal) endBy(signal);
    else process.exitCode = code ?? 70;
  });
}

/** Whether a command reads what there is. @param {readonly string[]} args */
function reads(args) {
  return args.includes('--until-idle') || PRINTING.includes(args[0] ?? '');
}

/** Ends this process by a signal. @param {NodeJS.Signals} signal */
function endBy(signal) {
  process.removeAllListeners(signal);
  process.exitCode = 128 + constants.signals[signal];
  process.kill(process.pid, signal);
}
