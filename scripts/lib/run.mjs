import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './paths.mjs';

/** After a command's end, its last words have this long to arrive. */
const LAST_WORDS_MS = 5000;

/**
 * @typedef {object} RunResult
 * @property {number} code exit code; 127 when the command does not exist, 128 + n when signal n ended it
 * @property {string} stdout
 * @property {string} stderr
 * @property {boolean} timedOut
 */

/**
 * Runs a command to its end. Nothing is thrown: a command that is missing gives the code 127. What it has started and left behind is not waited for.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, timeoutMs?: number, show?: boolean }} [options] `show`: the output goes to the
 *   terminal instead of into the result
 * @returns {Promise<RunResult>}
 */
export function run(command, args, { env = process.env, cwd = root, timeoutMs, show = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'] });
    let stdout = '';
    let stderr = '';
    let timedOut = false;
    child.stdout?.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text) => (stderr += text));
    const timer = timeoutMs
      ? setTimeout(() => {
          timedOut = true;
          child.kill('SIGKILL');
        }, timeoutMs)
      : undefined;
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ code: 127, stdout, stderr: stderr + error.message, timedOut });
    });
    child.on('exit', () => {
      clearTimeout(timer);
      const late = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, LAST_WORDS_MS);
      child.on('close', () => clearTimeout(late));
    });
    child.on('close', (code, signal) =>
      resolve({ code: code ?? 128 + (signal ? constants.signals[signal] : 0), stdout, stderr, timedOut }),
    );
  });
}

/**
 * The last lines of a command's output, for an error message.
 * @param {RunResult} result
 * @param {number} [lines]
 */
export const tail = ({ stdout, stderr }, lines = 12) => `${stdout}\n${stderr}`.trim().split('\n').slice(-lines).join('\n');
