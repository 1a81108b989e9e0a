import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUNDLED_PLUGINS, isBundled } from '../base/product/bundled.ts';
import { EngineError, messageOf } from '../base/errors.ts';
import type { SandboxKind } from '../sandbox/contract/types.ts';
import { prepared } from '../base/product/prepared.ts';
import { hint } from '../base/text/suggest.ts';
import { readMeta } from './meta.ts';
import { KINDS, type PluginScript } from './types.ts';

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
  const sources = [...folders.map((folder) => pathToFileURL(`${folder}/`)), new URL('./', import.meta.url)];
  const read = (): string => JSON.stringify(bundledNames(kind).map((name) => findPlugin(kind, name)));
  return JSON.parse(prepared(`${FOLDERS[kind]}.json`, sources, read).text) as PluginScript[];
}

/** Folders whose constants metas use. */
const SHARED_FOLDERS = ['lib', 'base', 'modules'];

/**
 * Finds a script by its bundled name or by its path.
 * @param folder base of relative paths
 * @throws {EngineError} `plugin.unknown`, `plugin.unreadable`, `plugin.kind`, `plugin.meta`
 */
export function findPlugin(kind: SandboxKind, nameOrPath: string, folder = '.'): PluginScript {
  const bundled = /^\w[\w.-]*$/.test(nameOrPath) ? bundledPath(kind, nameOrPath) : null;
  const path = bundled ?? userPath(kind, nameOrPath, folder);
  const meta = readMeta(readScript(path), path);
  if (meta !== null && meta.kind !== kind)
    throw new EngineError('plugin.kind', `${path} is a script for ${FOLDERS[meta.kind]}, not for ${FOLDERS[kind]}`);
  return { name: bundled === null ? (meta?.name ?? nameOrPath) : nameOrPath, path, meta };
}

/**
 * Returns the kind of a script, given by its bundled name or its path; null when it has no meta.
 * @throws {EngineError} `plugin.unknown`, `plugin.unreadable`, `plugin.meta`
 */
export function kindOfScript(nameOrPath: string): SandboxKind | null {
  const bundled = /^\w[\w.-]*$/.test(nameOrPath) ? KINDS.find((kind) => bundledPath(kind, nameOrPath) !== null) : undefined;
  if (bundled !== undefined) return bundled;
  const path = userPath('decoder', nameOrPath, '.');
  return readMeta(readScript(path), path)?.kind ?? null;
}

function bundledPath(kind: SandboxKind, name: string): string | null {
  const paths = EXTENSIONS.map((end) => join(BUNDLED_PLUGINS, FOLDERS[kind], name + end));
  return paths.find((path) => existsSync(path)) ?? null;
}

function userPath(kind: SandboxKind, nameOrPath: string, folder: string): string {
  const path = isAbsolute(nameOrPath) ? nameOrPath : resolve(folder, nameOrPath);
  if (existsSync(path) && statSync(path).isFile()) return path;
  if (/[/\\]|\.[jt]s$/.test(nameOrPath)) throw new EngineError('plugin.unreadable', `there is no script ${path}`);
  const names = bundledNames(kind);
  const known = hint(nameOrPath, names) || `; bundled are: ${names.join(', ')}`;
  throw new EngineError('plugin.unknown', `there is no ${kind} ${nameOrPath}${known}`);
}

function readScript(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new EngineError('plugin.unreadable', `the script ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
