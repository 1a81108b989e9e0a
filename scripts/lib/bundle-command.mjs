// Bundles the headless command: its hundreds of modules take longer to find and to load than most of their code to run.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import MagicString from 'magic-string';
import { BUNDLES, COMMAND, RECORD } from './command-file.mjs';
import { root as project } from './paths.mjs';

/** Packages that become a part of the bundle. Others stay packages: they have binaries, or few commands load them. */
const BUNDLED = ['zod', 'smol-toml', 'acorn', 'estree-walker', 'magic-string', '@jridgewell/sourcemap-codec'];
const ADDRESS = 'import.meta.url';
/** Age from which a former bundle is removed: commands that were started from it may still run. */
const OLD_MS = 7 * 24 * 3600 * 1000;

/**
 * Bundles the command, and makes the bundle the one that is started.
 * @param {string} root absolute path of the project, or of a package of it
 * @param {{ final?: boolean }} [options] `final`: the sources do not change any more
 * @throws when a source has a mistake, or something cannot be read or written
 */
export async function bundleCommand(root = project, { final = false } = {}) {
  const place = join(root, BUNDLES);
  mkdirSync(place, { recursive: true });
  const folder = mkdtempSync(join(place, 'b-'));
  try {
    // Who may read the sources may read it.
    chmodSync(folder, 0o755);
    const modules = await bundle(root, folder);
    record(place, { folder: basename(folder), sources: final ? [] : modules.map((path) => sourceOf(root, path)) });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  removeOld(place, basename(folder));
}

/** Writes the bundle. Returns the files that it is made of. @param {string} root @param {string} folder */
async function bundle(root, folder) {
  const { rolldown } = await import('rolldown');
  /** @type {string[]} */
  const modules = [];
  const made = await rolldown({
    cwd: root,
    input: { main: join(root, COMMAND) },
    platform: 'node',
    tsconfig: false,
    external: (id) => /^[^./]/.test(id) && !isAbsolute(id) && !BUNDLED.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [ownAddresses(folder, modules)],
  });
  await made.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs', sourcemap: 'hidden' });
  await made.close();
  return modules;
}

/**
 * Keeps the addresses of modules: what they start or read lies beside their sources, not beside the bundle. Notes all modules.
 * @param {string} folder of the bundle
 * @param {string[]} modules
 * @returns {import('rolldown').Plugin}
 */
function ownAddresses(folder, modules) {
  return {
    name: 'own-addresses',
    transform(code, id) {
      // Some are made by the bundler.
      if (!isAbsolute(id)) return null;
      modules.push(id);
      if (!code.includes(ADDRESS)) return null;
      const path = relative(folder, id).split(sep).join('/');
      const text = new MagicString(code).replaceAll(ADDRESS, `new URL(${JSON.stringify(path)}, ${ADDRESS}).href`);
      return { code: text.toString(), map: text.generateMap({ hires: true }) };
    },
  };
}

/** @param {string} root @param {string} path @returns {import('./command-file.mjs').Source} */
function sourceOf(root, path) {
  const { size, mtimeMs } = statSync(path);
  return [relative(root, path), size, mtimeMs];
}

/** @param {string} place @param {import('./command-file.mjs').Bundle} bundle */
function record(place, bundle) {
  const part = join(place, `${RECORD}.${bundle.folder}`);
  writeFileSync(part, JSON.stringify(bundle));
  renameSync(part, join(place, RECORD));
}

/** @param {string} place @param {string} current */
function removeOld(place, current) {
  for (const name of readdirSync(place)) {
    const path = join(place, name);
    const isOld = name !== current && name !== RECORD && Date.now() - statSync(path).mtimeMs > OLD_MS;
    if (isOld) rmSync(path, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleCommand();
