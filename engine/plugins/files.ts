import { resolve } from 'node:path';
import { readTextSync } from '../base/files/regular-file.ts';
import { isBundled } from '../base/product/bundled.ts';
import type { Config, WrongParameter } from './parameters.ts';
import type { PluginMeta, PluginScript } from './types.ts';

/** Most bytes of a file that a parameter names. */
const MAX_BYTES = 1 << 20;

/**
 * Puts the texts of files in the place of their paths, for parameters whose format is `files`: scripts cannot read them. Only bundled scripts may have such
 * parameters, since a script that came from elsewhere could name any file.
 * @param folder where relative paths begin
 * @returns the problems
 */
export function readFiles({ path: script, meta }: PluginScript, config: Config, folder: string): WrongParameter[] {
  const problems: WrongParameter[] = [];
  if (!isBundled(script)) return problems;
  for (const [name, paths] of namedFiles(meta, config)) {
    const texts = paths.map((path) => {
      const text = textOf(resolve(folder, path));
      if (text instanceof Error) problems.push(unreadable(name, path, text));
      return text;
    });
    config[name] = texts.join('\n');
  }
  return problems;
}

/** The files that the parameters of a script name, which the engine reads for it. */
export function filesToRead({ path: script, meta }: PluginScript, config: Readonly<Config>, folder = '.'): string[] {
  return isBundled(script) ? namedFiles(meta, config).flatMap(([, paths]) => paths.map((path) => resolve(folder, path))) : [];
}

/** The parameters whose format is `files`, and the paths in each. */
function namedFiles(meta: PluginMeta | null, config: Readonly<Config>): (readonly [name: string, paths: readonly string[]])[] {
  return Object.entries(meta?.parameters ?? {}).flatMap(([name, { format }]) => {
    const value = config[name];
    if (format !== 'files' || typeof value !== 'string') return [];
    const paths = value.split(',').map((path) => path.trim());
    return [[name, paths.filter((path) => path !== '')] as const];
  });
}

function unreadable(parameter: string, path: string, { message }: Error): WrongParameter {
  const text = `names ${path}, which cannot be read: ${message}`;
  return { parameter, text, hint: '', sentence: `parameter ${parameter} ${text}` };
}

/** The text of a file, or why it cannot be read. */
function textOf(path: string): string | Error {
  try {
    return readTextSync(path, MAX_BYTES);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
