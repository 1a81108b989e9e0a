import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUNDLED_PLUGINS, isBundled } from '../base/product/bundled.ts';
import { EngineError, messageOf } from '../base/errors.ts';
import type { SandboxKind } from '../sandbox/contract/types.ts';
import { prepared, preparedBy } from '../base/product/prepared.ts';
import { hint } from '../base/text/suggest.ts';
import { Recent } from '../base/time/recent.ts';
import { isThere, OutsideError, readScriptFile, realPath } from '../sandbox/code/script-files.ts';
import { readMeta } from './meta.ts';
import type { MetaFiles } from './script-constants.ts';
import { KINDS, type PluginMeta, type PluginScript } from './types.ts';

const EXTENSIONS = ['.ts', '.js', '.mjs'];
const FOLDERS = {
  input: 'inputs',
  decoder: 'decoders',
  filter: 'filters',
  encoder: 'encoders',
  output: 'outputs',
} as const satisfies Record<SandboxKind, string>;

/** The folder where `require` looks for bundled modules. */
export const modulesFolder = (): string => join(BUNDLED_PLUGINS, 'modules');

/** Returns the name of a script in configurations: its bundled name, or its path. */
export const scriptReference = ({ name, path }: PluginScript): string => (isBundled(path) ? name : path);

/** Names of the bundled scripts of a kind, in alphabetical order. */
export function bundledNames(kind: SandboxKind): string[] {
  const folder = join(BUNDLED_PLUGINS, FOLDERS[kind]);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => EXTENSIONS.some((end) => name.endsWith(end)) && !name.endsWith('.d.ts'));
  return names.map((name) => name.replace(/\.\w+$/, '')).sort();
}

/** All bundled scripts of a kind, with their metas, which are read once for all starts. */
export function bundledPlugins(kind: SandboxKind): PluginScript[] {
  const folders = [FOLDERS[kind], ...SHARED_FOLDERS].map((name) => join(BUNDLED_PLUGINS, name)).filter((folder) => existsSync(folder));
  const sources = [...folders.map((folder) => pathToFileURL(`${folder}/`)), ...READERS];
  const read = (): string => JSON.stringify(bundledNames(kind).map((name) => findPlugin(kind, name)));
  return JSON.parse(prepared(`${FOLDERS[kind]}.json`, sources, read).text) as PluginScript[];
}

/** The modules that read metas. */
const READERS = ['meta', 'decoder-meta', 'parameter-meta', 'script-constants', 'script-outline'].map(
  (name) => new URL(`./${name}.ts`, import.meta.url),
);
/** Folders whose constants metas use. */
const SHARED_FOLDERS = ['lib', 'base', 'modules'];

/**
 * Finds a script by its bundled name or by its path.
 * @param folder base of relative paths
 * @param files the files whose constants its meta may use
 * @throws {EngineError} `plugin.unknown`, `plugin.unreadable`, `plugin.kind`, `plugin.meta`
 */
export function findPlugin(kind: SandboxKind, nameOrPath: string, folder = '.', files: MetaFiles = 'folder'): PluginScript {
  const bundled = /^\w[\w.-]*$/.test(nameOrPath) ? bundledPath(kind, nameOrPath) : null;
  const path = bundled ?? userPath(kind, nameOrPath, folder);
  const meta = bundled === null ? readMeta(readScript(path), path, files) : bundledMeta(path);
  if (meta !== null && meta.kind !== kind)
    throw new EngineError('plugin.kind', `${path} is a script for ${FOLDERS[meta.kind]}, not for ${FOLDERS[kind]}`);
  return { name: bundled === null ? (meta?.name ?? nameOrPath) : nameOrPath, path, meta };
}

/** Milliseconds for which the meta of a bundled script is taken to be as it was: it is asked for several times for each source. */
const LOOKED_AT_MS = 1000;
const metas = new Recent<PluginMeta | null>(LOOKED_AT_MS);

/** The meta of a bundled script, which is read once for all starts. */
const bundledMeta = (path: string): PluginMeta | null => metas.get(path, () => readBundledMeta(path));

function readBundledMeta(path: string): PluginMeta | null {
  const { text } = preparedBy(`meta_${basename(dirname(path))}_${basename(path, '.ts')}.json`, [...READERS, pathToFileURL(path)], () => {
    const read = new Set<string>();
    return { text: JSON.stringify(readMeta(readScript(path), path, 'folder', read)), files: read };
  });
  return JSON.parse(text) as PluginMeta | null;
}

/**
 * Returns the kind of a script, given by its bundled name or its path; null when it has no meta.
 * @throws {EngineError} `plugin.unknown`, `plugin.unreadable`, `plugin.meta`
 */
export function kindOfScript(nameOrPath: string): SandboxKind | null {
  const bundled = /^\w[\w.-]*$/.test(nameOrPath) ? KINDS.find((kind) => bundledPath(kind, nameOrPath) !== null) : undefined;
  if (bundled !== undefined) return bundled;
  const path = userPath('decoder', nameOrPath, '.');
  return readMeta(readScript(path), path, 'folder')?.kind ?? null;
}

/**
 * Reads a script in a folder of scripts; it must not be a link that leads out of it.
 * @throws {EngineError} `plugin.unreadable`, `plugin.meta`
 */
export function scriptIn(folder: string, name: string): PluginScript {
  const path = join(folder, name);
  const meta = readMeta(readScript(path, realPath(folder)), path, 'folder');
  return { name: meta?.name ?? path, path, meta };
}

function bundledPath(kind: SandboxKind, name: string): string | null {
  const paths = EXTENSIONS.map((end) => join(BUNDLED_PLUGINS, FOLDERS[kind], name + end));
  return paths.find((path) => existsSync(path)) ?? null;
}

function userPath(kind: SandboxKind, nameOrPath: string, folder: string): string {
  const path = isAbsolute(nameOrPath) ? nameOrPath : resolve(folder, nameOrPath);
  if (isThere(path)) return path;
  if (/[/\\]|\.[jt]s$/.test(nameOrPath)) throw new EngineError('plugin.unreadable', `there is no script ${path}`);
  const names = bundledNames(kind);
  const known = hint(nameOrPath, names) || `; bundled are: ${names.join(', ')}`;
  throw new EngineError('plugin.unknown', `there is no ${kind} ${nameOrPath}${known}`);
}

/** @param roots folders that the script must be in */
function readScript(path: string, roots: readonly string[] | null = null): string {
  try {
    return readScriptFile(path, roots).bytes.toString('utf8');
  } catch (error) {
    if (error instanceof OutsideError)
      throw new EngineError('plugin.unreadable', `the script ${path} is a link that leads out of its folder: copy the script there`);
    throw new EngineError('plugin.unreadable', `the script ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
