import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, needFolder } from './paths.mjs';
import { run, tail } from './run.mjs';

/** Debian's packages of the servers whose logs are tested. Nothing is installed: they are unpacked into a folder of their own. */
const PACKAGES = ['nginx', 'apache2-bin', 'rsyslog', 'rsyslog-relp', 'mariadb-server-core', 'mariadb-client-core', 'nats-server'];
const TIMEOUT_MS = 120_000;

/** @typedef {{ folder: string, remove: () => void }} Producers the root of the unpacked packages, for everybody to read */

/**
 * Fetches the servers and what they need beside the installed packages, and unpacks them. Packages that were fetched before are kept.
 * @returns {Promise<Producers | { reason: string }>} why there are none
 */
export async function unpackProducers() {
  if (process.platform !== 'linux') return { reason: 'the servers come from Debian, and this is another system' };
  for (const tool of ['apt-get', 'dpkg-deb']) {
    if ((await run(tool, ['--version'])).code !== 0) return { reason: `the servers come from Debian's packages, and there is no ${tool}` };
  }
  const archives = join(cacheFolder(), 'debian-packages');
  needFolder(join(archives, 'partial'));
  const problem = await fetch(archives, []);
  if (problem !== null && (await fetch(archives, await ownLists())) !== null)
    return { reason: `the servers' packages cannot be fetched:\n${problem}` };
  return unpack(archives);
}

/**
 * @param {string} archives
 * @param {readonly string[]} options
 * @returns {Promise<string | null>} what went wrong
 */
async function fetch(archives, options) {
  const settings = [`Dir::Cache::archives=${archives}`, 'Debug::NoLocking=1', 'APT::Sandbox::User=root', 'Acquire::http::Timeout=15'];
  const args = ['-y', '-qq', '--download-only', '--no-install-recommends', ...settings.flatMap((setting) => ['-o', setting]), ...options];
  const result = await run('apt-get', ['install', ...args, ...PACKAGES], { timeoutMs: TIMEOUT_MS });
  return result.code === 0 ? null : tail(result, 4) || 'apt-get did not end in time';
}

/** Options that name lists of packages of our own, fresh ones: those of the system may be old, or not there. */
async function ownLists() {
  const lists = join(cacheFolder(), 'debian-lists');
  needFolder(join(lists, 'partial'));
  const caches = ['Dir::Cache::pkgcache=', 'Dir::Cache::srcpkgcache='];
  const options = [`Dir::State::lists=${lists}`, ...caches, 'APT::Sandbox::User=root'].flatMap((setting) => ['-o', setting]);
  await run('apt-get', ['update', '-qq', '-o', 'Debug::NoLocking=1', '-o', 'Acquire::http::Timeout=15', ...options], {
    timeoutMs: TIMEOUT_MS,
  });
  return options;
}

/**
 * @param {string} archives
 * @returns {Promise<Producers | { reason: string }>}
 */
async function unpack(archives) {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-producers-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  chmodSync(folder, 0o755);
  for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb'))) {
    const result = await run('dpkg-deb', ['-x', join(archives, name), folder]);
    if (result.code === 0) continue;
    // A file that was cut off would stand in the way for ever.
    rmSync(join(archives, name));
    remove();
    return { reason: `${name} cannot be unpacked: ${tail(result, 2)}` };
  }
  if (!existsSync(join(folder, 'usr'))) mkdirSync(join(folder, 'usr'));
  return { folder, remove };
}
