import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fallback from './electron-fallback.mjs';
import { cacheFolder, inRoot, needFolder } from './paths.mjs';
import { say, SetupError } from './report.mjs';
import { run, tail } from './run.mjs';
import { nodeRuntime } from './runtime.mjs';

/**
 * @typedef {object} Electron
 * @property {string} path the binary
 * @property {string} version
 * @property {boolean} official whether it is Electron's own release
 * @property {NodeJS.ProcessEnv} env what tells electron, electron-vite and Playwright where it is
 */

const DOWNLOAD_HOST = 'https://github.com/electron/electron/releases/download/';
const DAY_MS = 86_400_000;
const PROBE_MS = 5000;
const DOWNLOAD_MS = 900_000;

/**
 * Finds or fetches the Electron binary: the one that the user points at, else the official release that package.json pins, else, where
 * its download host is out of reach, the development fallback. When the fallback is in use, the official one is tried again
 * once a day, or at once with `retry`.
 * @param {{ retry?: boolean }} [options]
 * @returns {Promise<Electron>}
 * @throws {SetupError}
 */
export async function ensureElectron({ retry = false } = {}) {
  const chosen = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (chosen) return at(join(chosen, process.platform === 'win32' ? 'electron.exe' : 'electron'), readVersion(chosen) ?? 'unknown', false);
  const installed = officialElectron();
  if (installed) return installed;
  const failure = join(cacheFolder(), 'electron-download-failed');
  const reason = retry || !isFresh(failure) ? await download(failure) : 'the official release could not be reached';
  const official = officialElectron();
  if (official) return official;
  return fallbackElectron(reason);
}

/** @returns {Electron | undefined} */
function officialElectron() {
  const folder = inRoot('node_modules', 'electron');
  const wanted = pinnedVersion();
  if (readVersion(join(folder, 'dist')) !== wanted || !existsSync(join(folder, 'path.txt'))) return undefined;
  const path = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8'));
  return existsSync(path) ? { path, version: wanted, official: true, env: {} } : undefined;
}

const pinnedVersion = () => JSON.parse(readFileSync(inRoot('node_modules', 'electron', 'package.json'), 'utf8')).version;

/**
 * Fetches the official release with the package's own installer, which checks its checksum; gives the reason when it cannot.
 * @param {string} failure
 */
async function download(failure) {
  const version = pinnedVersion();
  const unreachable = await probe(version);
  if (!unreachable) {
    say(`downloading Electron ${version}`);
    const result = await run(nodeRuntime().path, [inRoot('node_modules', 'electron', 'install.js')], { timeoutMs: DOWNLOAD_MS });
    if (result.code === 0) {
      rmSync(failure, { force: true });
      return undefined;
    }
    remember(failure);
    return result.timedOut
      ? 'the download of the official release took too long'
      : `the download of the official release failed (${tail(result, 1)})`;
  }
  remember(failure);
  return unreachable;
}

/**
 * Asks the download host for one small file, so that a machine that cannot reach it waits seconds, not minutes.
 * @param {string} version
 */
async function probe(version) {
  // The installer takes its own way through mirrors and proxies; what it does there cannot be foretold.
  if (process.env.ELECTRON_MIRROR || process.env.npm_config_electron_mirror || process.env.ELECTRON_GET_USE_PROXY) return undefined;
  try {
    const answer = await fetch(`${DOWNLOAD_HOST}v${version}/SHASUMS256.txt`, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_MS) });
    return answer.ok ? undefined : `the official download answers ${answer.status}`;
  } catch {
    return 'the official release cannot be reached';
  }
}

/** @param {string | undefined} reason @returns {Promise<Electron>} */
async function fallbackElectron(reason) {
  if (!fallback.fitsThisMachine()) {
    throw new SetupError(`Electron ${pinnedVersion()} could not be installed: ${reason}.`, {
      hint: 'Check the connection, or set ELECTRON_MIRROR to a mirror of the Electron releases, then run: npm run setup',
    });
  }
  const folder = await fallback.ensureFallback(join(cacheFolder(), 'electron'), reason);
  return at(join(folder, 'electron'), fallback.VERSION, false);
}

/** @param {string} path @param {string} version @param {boolean} official @returns {Electron} */
const at = (path, version, official) => ({
  path,
  version,
  official,
  env: { ELECTRON_OVERRIDE_DIST_PATH: dirname(path), ELECTRON_EXEC_PATH: path },
});

/** @param {string} folder */
function readVersion(folder) {
  try {
    return readFileSync(join(folder, 'version'), 'utf8').trim().replace(/^v/, '');
  } catch {
    return undefined;
  }
}

/** @param {string} path */
const isFresh = (path) => existsSync(path) && Date.now() - statSync(path).mtimeMs < DAY_MS;

/** @param {string} path */
function remember(path) {
  needFolder(dirname(path));
  writeFileSync(path, '');
}

/**
 * Checks that the binary starts at all and is the version that it should be; once for each binary.
 * @param {Electron} electron
 * @throws {SetupError}
 */
export async function checkElectron({ path, version }) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats)
    throw new SetupError(`there is no Electron at ${path}.`, {
      hint: 'Unset ELECTRON_OVERRIDE_DIST_PATH, or point it at the folder of an Electron.',
    });
  const marker = join(cacheFolder(), 'electron-checked');
  const identity = `${path} ${stats.size} ${stats.mtimeMs}`;
  if (existsSync(marker) && readFileSync(marker, 'utf8') === identity) return;
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const result = await run(path, ['-p', 'process.versions.electron'], { env, timeoutMs: 60_000 });
  const found = result.stdout.trim();
  if (result.code !== 0 || (version !== 'unknown' && found !== version)) {
    throw new SetupError(`Electron at ${path} does not start or is not ${version}: ${found || tail(result, 3)}`, {
      hint: 'Remove that folder, then run: npm run setup',
    });
  }
  needFolder(cacheFolder());
  writeFileSync(marker, identity);
}
