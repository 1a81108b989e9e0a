import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetupError } from './report.mjs';

const SCREEN = '1440x900x24';
const START_MS = 60_000;
/** @type {readonly NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Whether windows need a virtual display here: Linux without an X server or a Wayland compositor. */
export const needsVirtualDisplay = () => process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;

/**
 * Starts Xvfb on a free display that only holders of its cookie can use. It ends with this process.
 * @param {{ single?: boolean }} [options] `single`: for one program, with which it ends, also when this process is killed
 * @returns {Promise<{ env: NodeJS.ProcessEnv, stop: () => void }>} what programs need in their environment, and how to end it
 * @throws {SetupError}
 */
export async function startVirtualDisplay({ single = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-display-'));
  const authority = join(folder, 'Xauthority');
  writeFileSync(authority, cookieFile(), { mode: 0o600 });
  const server = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', SCREEN, '-nolisten', 'tcp', '-auth', authority, ...(single ? ['-terminate'] : [])],
    {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      // A signal for this process's whole group must not take the display from a program that is still ending: Electron says `FATAL … Failed to shutdown` then.
      detached: true,
    },
  );
  const stop = () => {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', stop);
  for (const signal of SIGNALS) process.once(signal, () => exitUnlessHandled(signal));
  try {
    const number = await displayNumber(server);
    server.unref();
    return { env: { DISPLAY: `:${number}`, XAUTHORITY: authority }, stop };
  } catch (error) {
    stop();
    throw error;
  }
}

/**
 * A signal that nobody else handles ends this process in the way that runs its exit handlers, so that no display is left behind.
 * @param {NodeJS.Signals} signal
 */
function exitUnlessHandled(signal) {
  if (process.listenerCount(signal) === 0) process.exit(128 + constants.signals[signal]);
}

/**
 * Xvfb writes the number of the display that it took to file descriptor 3.
 * @param {import('node:child_process').ChildProcess} server
 * @returns {Promise<string>}
 */
function displayNumber(server) {
  return new Promise((resolve, reject) => {
    let complaints = '';
    const fail = (/** @type {string} */ what) => reject(new SetupError(`Xvfb ${what}${complaints ? `:\n${complaints.trim()}` : '.'}`));
    const timer = setTimeout(() => fail(`did not start within ${START_MS / 1000} s`), START_MS);
    server.stderr?.setEncoding('utf8').on('data', (text) => (complaints += text));
    server.on('error', (error) => fail(`could not be started (${error.message})`));
    server.on('exit', () => fail('ended at once'));
    const pipe = /** @type {import('node:stream').Readable} */ (server.stdio[3]);
    let answer = '';
    pipe.setEncoding('utf8').on('data', (text) => {
      answer += text;
      if (!answer.includes('\n')) return;
      clearTimeout(timer);
      pipe.destroy();
      server.stderr?.destroy();
      resolve(answer.trim());
    });
  });
}

/** An Xauthority file (see Xsecurity(7)) with one random cookie for any host and display: lengths are big-endian 16-bit. */
function cookieFile() {
  const counted = (/** @type {Buffer | string} */ data) => {
    const bytes = Buffer.from(data);
    return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
  };
  const anyFamily = Buffer.from([0xff, 0xff]);
  return Buffer.concat([anyFamily, counted(''), counted(''), counted('MIT-MAGIC-COOKIE-1'), counted(randomBytes(16))]);
}
