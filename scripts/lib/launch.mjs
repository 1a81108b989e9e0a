import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { sandboxFlags } from './chromium-sandbox.mjs';
import { makeFolder, root } from './paths.mjs';
import { SetupError } from './report.mjs';

const GRACE_MS = 5000;
const ORPHAN_CHECK_MS = 500;
/** @type {readonly NodeJS.Signals[]} */
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs the window until it is closed. Signals are passed on to it; when it does not end on them, it is killed.
 * @param {import('./electron.mjs').Electron} electron
 * @param {readonly string[]} files absolute paths to open
 * @param {NodeJS.ProcessEnv} env beside this process's own
 * @returns {Promise<number>} the exit code
 * @throws {SetupError}
 */
export function runElectron(electron, files, env) {
  needConfigFolder({ ...process.env, ...env });
  const child = spawn(electron.path, [root, ...sandboxFlags(electron.path), ...loggingFlags(), '--', ...files], {
    cwd: root,
    env: cleanEnv(electron.env, env),
    // The window closes when the channel does: then this process is gone, however it ended.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // A group of its own, so that a signal for all of ours (Ctrl+C, timeout) reaches it once and as ours, not its helpers one by one.
    detached: process.platform !== 'win32',
  });
  for (const signal of PASSED_ON) process.on(signal, () => endWith(child, signal));
  if (process.env.npm_lifecycle_event) whenOrphaned(() => endWith(child, 'SIGTERM'));
  return new Promise((resolve, reject) => {
    child.on('error', (cause) =>
      reject(new SetupError(`Electron could not be started: ${cause.message}`, { hint: 'Run: npm run setup', cause })),
    );
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/**
 * Makes the folder in which the window's data will lie. Chromium would end by a signal and without a word where the system refuses its path, as it does
 * one with a name of more than 255 bytes.
 * @param {NodeJS.ProcessEnv} env
 * @throws {SetupError}
 */
export function needConfigFolder({ XDG_CONFIG_HOME: given, HOME: home }) {
  if (process.platform !== 'linux' || !(given || home)) return;
  const folder = resolve(root, given || join(String(home), '.config'));
  if (makeFolder(folder)) return;
  const [name, value] = given ? ['XDG_CONFIG_HOME', given] : ['HOME', home];
  const hint = `${name} is ${JSON.stringify(value)}. Set it to a folder that this user may write to.`;
  throw new SetupError(`the folder for the window's data cannot be made: ${folder}`, { hint });
}

/** Chromium's own complaints (no D-Bus, no graphics card) say nothing about the logs: they are shown on demand only. */
const loggingFlags = () => (process.env.ELECTRON_ENABLE_LOGGING ? [] : ['--log-level=3']);

/** @param {...NodeJS.ProcessEnv} additions */
function cleanEnv(...additions) {
  const env = Object.assign({}, process.env, ...additions);
  // Set in the terminals of some editors; with it the binary would be a plain Node.
  delete env.ELECTRON_RUN_AS_NODE;
  return env;
}

/**
 * npm runs a script in a shell that passes no signal on: that npm or the shell was ended shows only in having no parent any more.
 * @param {() => void} end
 */
function whenOrphaned(end) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, ORPHAN_CHECK_MS);
  timer.unref();
}

/** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal */
function endWith(child, signal) {
  child.kill(signal);
  setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
}
