// Bundles the headless command, and the engine of the window: their hundreds of modules take longer to find and to load than most of their code to run.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import MagicString from 'magic-string';
import { BUNDLES, COMMAND, RECORD } from './command-file.mjs';
import { root as project } from './paths.mjs';

/**
 * Modules that are one file each with all that they import: what each command needs, and what reading a log needs beside that. Split by who shares a module,
 * they are 84 files, which Node has to find and to link. The first module itself awaits its end, so that nothing may wait for it.
 */
const TOGETHER = [
  { name: 'first', test: /engine[\\/]cli[\\/](?:command-line|commands|output|signals)\.ts$/, priority: 2 },
  { name: 'reading', test: /engine[\\/]cli[\\/]commands[\\/]search\.ts$/, priority: 1 },
  { name: 'decoding', test: /engine[\\/]cli[\\/]commands[\\/]decode\.ts$/, priority: 0 },
];

/** Packages that become a part of the bundle. Others stay packages: they have binaries, or few commands load them. */
const BUNDLED = ['zod', 'smol-toml', 'acorn', 'estree-walker', 'magic-string', '@jridgewell/sourcemap-codec'];
const ADDRESS = 'import.meta.url';
/** Places at which a module starts another one by its address, in a thread or a process, or loads one when it needs it; else, its own address. */
const ADDRESSES = /new URL\('(\.[^']+\.ts)', import\.meta\.url\)|\brequire\('(\.[^']+\.ts)'\)|import\.meta\.url/g;
/** Imports of modules of Node. */
const OF_NODE = /^import \{([^}]+)\} from '(node:[\w/]+)';/gm;
/** Those that take long to load and that most commands do not use. */
const LATE = ['child_process', 'crypto', 'fs/promises', 'net', 'tty', 'worker_threads', 'zlib'].map((name) => `node:${name}`);
/** Their contents besides functions and classes, and a function that has a form of its own for promises. */
const AT_ONCE = ['execFile', 'parentPort', 'workerData'];
const BEYOND_ASCII = /[^\0-\x7f]/g;
/** In a literal of this kind an escape would not be the character. */
const RAW_BEYOND_ASCII = /String\.raw`[^`]*[^\0-\x7f`]/;
/** Age from which a former bundle is removed: commands that were started from it may still run. */
const OLD_MS = 7 * 24 * 3600 * 1000;

/** The module that the engine of the window begins with, and where its bundles lie, as those of the command do. */
const ENGINE = 'engine/index.ts';
const ENGINE_BUNDLES = 'out/engine';

/**
 * @typedef {object} Options
 * @property {boolean} [final] the sources do not change any more
 * @property {boolean} [whole] what is started in threads and processes is bundled, too, as Node strips no types from sources below a node_modules
 */

/**
 * Bundles the command, and makes the bundle the one that is started.
 * @param {string} root absolute path of the project, or of a package of it
 * @param {Options} [options]
 * @throws when a source has a mistake, or something cannot be read or written
 */
export const bundleCommand = (root = project, options = {}) => bundleFrom(root, COMMAND, BUNDLES, options);

/**
 * Bundles the engine of the window in the same way.
 * @param {string} root
 * @param {Options} [options]
 */
export const bundleEngine = (root = project, options = {}) => bundleFrom(root, ENGINE, ENGINE_BUNDLES, options);

/** @param {string} root @param {string} first @param {string} bundles @param {Options} options */
async function bundleFrom(root, first, bundles, { final = false, whole = false }) {
  const place = join(root, bundles);
  mkdirSync(place, { recursive: true });
  const folder = mkdtempSync(join(place, 'b-'));
  try {
    // Everyone who may read the sources may read the bundle.
    chmodSync(folder, 0o755);
    const modules = await bundle(root, first, folder, whole);
    record(place, { folder: basename(folder), sources: final ? [] : modules.map((path) => sourceOf(root, path)) });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  removeOld(place, basename(folder));
}

/**
 * Writes the bundle. Returns the files that it is made of.
 * @param {string} root @param {string} first @param {string} folder @param {boolean} whole
 */
async function bundle(root, first, folder, whole) {
  const { rolldown } = await import('rolldown');
  /** @type {string[]} */
  const modules = [];
  /** Further modules, by their paths, and the names of their bundles. @type {Map<string, string>} */
  const entries = new Map([[join(root, first), 'main']]);
  const nameOf = (/** @type {string} */ path) => relative(root, path).replace(/\.ts$/, '').replaceAll(sep, '-');
  const started = (/** @type {string} */ path) => {
    if (whole) entries.set(path, nameOf(path));
    return whole ? `${nameOf(path)}.mjs` : null;
  };
  // The loop also visits entries that are added while a bundle is made.
  for (const [path, name] of entries) {
    const made = await rolldown({
      cwd: root,
      input: { [name]: path },
      platform: 'node',
      tsconfig: false,
      // A package that is laid out elsewhere has none.
      resolve: { modules: ['node_modules', join(project, 'node_modules')] },
      external: (id) => /^[^./]/.test(id) && !isAbsolute(id) && !BUNDLED.some((name) => id === name || id.startsWith(`${name}/`)),
      // Modules that one part loads late and another at once are known.
      checks: { ineffectiveDynamicImport: false },
      plugins: [ownAddresses(folder, modules, started), lateModules, asciiOnly],
    });
    await made.write({
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      codeSplitting: { groups: TOGETHER },
      sourcemap: 'hidden',
      comments: { legal: true, annotation: false, jsdoc: false },
    });
    await made.close();
  }
  return modules;
}

/**
 * Keeps the addresses of modules: what they start or read lies beside their sources, not beside the bundle. Notes all modules.
 * @param {string} folder of the bundle
 * @param {string[]} modules
 * @param {(path: string) => string | null} started the file in the folder to start instead of a module; null: the module itself
 * @returns {import('rolldown').Plugin}
 */
function ownAddresses(folder, modules, started) {
  const slashes = (/** @type {string} */ path) => path.split(sep).join('/');
  return {
    name: 'own-addresses',
    transform(code, id) {
      // Some are made by the bundler.
      if (!isAbsolute(id)) return null;
      modules.push(id);
      if (!code.includes(ADDRESS)) return null;
      const own = `new URL(${JSON.stringify(slashes(relative(folder, id)))}, ${ADDRESS}).href`;
      const text = new MagicString(code).replace(ADDRESSES, (found, url, required) => {
        if (url === undefined && required === undefined) return own;
        const bundle = started(join(dirname(id), url ?? required));
        if (bundle === null) return found.replace(ADDRESS, own);
        return url !== undefined
          ? `new URL('./${bundle}', ${ADDRESS})`
          : `require(${JSON.stringify(slashes(relative(dirname(id), join(folder, bundle))))})`;
      });
      return { code: text.toString(), map: text.generateMap({ hires: true }) };
    },
  };
}

/**
 * Takes modules of Node without importing them, as an import asks for each of their exports, which loads further modules; and some only when one of their
 * functions is called.
 * @type {import('rolldown').Plugin}
 */
const lateModules = {
  name: 'late-modules',
  transform(code) {
    const text = new MagicString(code).replace(OF_NODE, (_, /** @type {string} */ list, module) => {
      const names = list.split(',').flatMap((name) => (/^\s*(?:type\s|$)/.test(name) ? [] : [name.trim().split(' as ')]));
      const isLate = LATE.includes(module) && !names.some(([name = '']) => AT_ONCE.includes(name));
      if (isLate) return names.map((pair) => lateExport(pair, module)).join(' ');
      return `const { ${names.map((pair) => pair.join(': ')).join(', ')} } = process.getBuiltinModule('${module}');`;
    });
    return text.hasChanged() ? { code: text.toString(), map: text.generateMap({ hires: true }) } : null;
  },
};

/** @param {readonly string[]} names there, and here when it is another @param {string} module */
function lateExport([name, local = name], module) {
  const late = `process.getBuiltinModule('${module}').${name}`;
  if (name === 'constants') return `const ${local} = new Proxy({}, { get: (_, name) => ${late}[name] });`;
  // A function that is called with `new` returns what it has made.
  return `function ${local}(...args) { return new.target === undefined ? ${late}(...args) : new (${late})(...args); }`;
}

/**
 * Writes other characters than those of ASCII as escapes. V8 holds the text of a bundle for as long as it runs, with two bytes a character when one of
 * them is not ASCII. The bundler would undo that earlier; its map stays right but for columns behind such a character.
 * @type {import('rolldown').Plugin}
 */
const asciiOnly = {
  name: 'ascii-only',
  generateBundle(_options, files) {
    for (const file of Object.values(files)) {
      if (file.type === 'chunk' && !RAW_BEYOND_ASCII.test(file.code)) file.code = file.code.replace(BEYOND_ASCII, escaped);
    }
  },
};

/** @param {string} char */
const escaped = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

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

if (process.argv[1] === fileURLToPath(import.meta.url)) await (process.argv[2] === 'engine' ? bundleEngine() : bundleCommand());
