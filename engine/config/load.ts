import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mergeDocuments, parseDocument, type ParsedDocument } from './document.ts';
import type { Environment } from './environment.ts';
import type { ConfigProblem } from './problems.ts';
import type { SectionTypes } from './schema/sections.ts';
import { checkSections, type Bundled, type PipelineConfig } from './sections.ts';

export interface ConfigOptions {
  /** Values of `%ENV[NAME]`; the environment of the process when absent. */
  readonly environment?: Environment;
  /** Bundled scripts; without them their names are not checked. */
  readonly bundled?: Bundled;
  /** Types that a section may have; those of the service when absent. */
  readonly types?: SectionTypes;
}

/** A configuration and its problems, in the order of the files. It should be run only if there are none. */
export interface LoadedConfig {
  /** The valid sections; those with problems are left out. */
  readonly config: PipelineConfig;
  readonly problems: readonly ConfigProblem[];
}

/** Reads a configuration from a text; problems name it `file`. */
export function parseConfig(text: string, file: string, options: ConfigOptions = {}): LoadedConfig {
  return finish([parseDocument(text, file, options.environment ?? process.env)], file, options);
}

/**
 * Reads a configuration file, or all `*.toml` files of a directory in alphabetical order: sections are merged, and the later file wins
 * where both set a parameter. Never rejects: a file that cannot be read is a problem too.
 */
export async function loadConfig(path: string, options: ConfigOptions = {}): Promise<LoadedConfig> {
  const environment = options.environment ?? process.env;
  try {
    const files = (await stat(path)).isDirectory() ? await tomlFiles(path) : [path];
    return finish(await Promise.all(files.map((file) => parseFile(file, environment))), path, options);
  } catch (error) {
    return finish([{ document: mergeDocuments([]), problems: [unreadable(path, error)] }], path, options);
  }
}

async function tomlFiles(directory: string): Promise<string[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.toml')).sort();
  if (names.length === 0) throw new Error('the directory has no *.toml file');
  return names.map((name) => join(directory, name));
}

async function parseFile(file: string, environment: Environment): Promise<ParsedDocument> {
  try {
    return parseDocument((await readFile(file, 'utf8')).replace(/^\ufeff/, ''), file, environment);
  } catch (error) {
    return { document: mergeDocuments([]), problems: [unreadable(file, error)] };
  }
}

function unreadable(file: string, error: unknown): ConfigProblem {
  const why = error instanceof Error ? error.message : String(error);
  return { file, line: 0, section: '', key: '', text: `cannot be read: ${why}`, hint: '' };
}

function finish(parsed: readonly ParsedDocument[], file: string, options: ConfigOptions): LoadedConfig {
  const document = mergeDocuments(parsed.map((part) => part.document));
  const { config, problems } = checkSections(document, file, options.bundled ?? {}, options.types);
  const all = [...parsed.flatMap((part) => part.problems), ...problems];
  const order = new Map([...new Set(all.map((problem) => problem.file))].sort().map((name, i) => [name, i]));
  return { config, problems: all.sort((a, b) => (order.get(a.file) as number) - (order.get(b.file) as number) || a.line - b.line) };
}
