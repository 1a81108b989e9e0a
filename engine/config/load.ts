import { isUtf8 } from 'node:buffer';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { errorCode, messageOf } from '../base/errors.ts';
import { readGivenFile } from '../base/files/given-file.ts';
import {
  isTable,
  mergeDocuments,
  parseDocument,
  unreadDocument,
  type ConfigDocument,
  type ParsedDocument,
  type UnsetVariable,
} from './document.ts';
import { useLookups } from '../lookup/folder.ts';
import type { Environment } from './environment.ts';
import { readWithIncludes, type ReadFiles } from './include.ts';
import type { ConfigProblem } from './problems.ts';
import type { SectionTypes } from './schema/sections.ts';
import { SecretFiles } from './secrets.ts';
import { checkSections, SERVICE_SECTION, type Bundled, type ListedSection, type PipelineConfig } from './sections.ts';

/** Bytes of a file that can be a configuration: parsing a larger one would take minutes, and all memory. */
export const MOST_BYTES = 8 << 20;

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
  /** Every section of a known type, also one with problems. */
  readonly sections: readonly ListedSection[];
  /** The content of all files, for the places of its values. */
  readonly document: ConfigDocument;
  /** Whether a part of it was left out because its text is not valid. */
  readonly incomplete: boolean;
  /** Names of sections that were left out for that. */
  readonly broken: ReadonlySet<string>;
  /** Further remarks, one line each; the configuration can be run all the same. */
  readonly remarks: readonly string[];
  /** Absolute paths and patterns of the files that it is made of besides the named one: those that it includes, and those of its secrets. */
  readonly watched: readonly string[];
}

/** Reads a configuration from a text; problems name it `file`. */
export function parseConfig(text: string, file: string, options: ConfigOptions = {}): LoadedConfig {
  return finish({ parsed: [parseDocument(text, file, options.environment ?? process.env)], patterns: [] }, file, options, null);
}

/**
 * Reads a configuration file, or all `*.toml` files of a directory in alphabetical order, and what they include: sections are merged, and the later
 * file wins where both set a parameter. Never rejects: a file that cannot be read is a problem too.
 */
export async function loadConfig(path: string, options: ConfigOptions = {}): Promise<LoadedConfig> {
  const environment = options.environment ?? process.env;
  try {
    const files = (await stat(path)).isDirectory() ? await tomlFiles(path) : [path];
    const read = await readWithIncludes(files, (file) => parseFile(file, environment), tomlFiles);
    return finish(read, path, options, { secrets: new SecretFiles(environment), folder: dirname(files[0] ?? path) });
  } catch (error) {
    const problem = path === '' ? unreadable("''", 0, 'cannot be read: the name is empty') : unreadable(path, 0, whyNot(error));
    return finish({ parsed: [unreadDocument(problem)], patterns: [] }, path, options, null);
  }
}

async function tomlFiles(directory: string): Promise<string[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.toml')).sort();
  if (names.length === 0) throw new Error('the directory has no *.toml file');
  return names.map((name) => join(directory, name));
}

async function parseFile(file: string, environment: Environment): Promise<ParsedDocument> {
  try {
    // It may be a log or a device: one byte more says whether it goes on.
    const bytes = await readGivenFile(file, MOST_BYTES + 1);
    if (bytes.length > MOST_BYTES)
      return unreadDocument(unreadable(file, 0, 'has more than 8 MiB: it is no configuration', 'a log is read with sluicebox decode FILE'));
    const wrong = wrongEncoding(bytes, file);
    return wrong === null ? parseDocument(bytes.toString('utf8').replace(/^\ufeff/, ''), file, environment) : unreadDocument(wrong);
  } catch (error) {
    return unreadDocument(unreadable(file, 0, whyNot(error)));
  }
}

/** Refuses what is no UTF-8. */
function wrongEncoding(bytes: Buffer, file: string): ConfigProblem | null {
  const [first, second] = bytes;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isMarked || (bytes.length > 1 && (first === 0) !== (second === 0))) return unreadable(file, 0, 'is UTF-16', 'save it as UTF-8');
  if (isUtf8(bytes)) return bytes.includes(0) ? unreadable(file, lineOf(bytes, bytes.indexOf(0)), 'is not text: it has a NUL byte') : null;
  return unreadable(file, firstWrongLine(bytes), 'is not valid UTF-8', 'save the file as UTF-8');
}

function firstWrongLine(bytes: Buffer): number {
  for (let start = 0, line = 1; ; line++) {
    const end = bytes.indexOf(0x0a, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}

const lineOf = (bytes: Buffer, offset: number): number => bytes.subarray(0, offset).filter((byte) => byte === 0x0a).length + 1;

function whyNot(error: unknown): string {
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'cannot be read: it does not exist';
    case 'EACCES':
      return 'cannot be read: this user may not read it';
    default:
      return `cannot be read: ${messageOf(error)}`;
  }
}

const unreadable = (file: string, line: number, text: string, hint = ''): ConfigProblem => ({
  code: 'config.unreadable',
  file,
  line,
  section: '',
  key: '',
  text,
  hint,
});

/** The folder of the lookups that matchers name: beside the configuration as the folder of scripts is, or in `share_dir`. */
function lookupsOf(document: ConfigDocument, folder: string): string {
  const service = document.table[SERVICE_SECTION];
  const shared = isTable(service) ? service['share_dir'] : undefined;
  if (typeof shared !== 'string') return resolve(folder, LOOKUPS);
  const origin = document.origin([SERVICE_SECTION, 'share_dir']);
  return resolve(origin === undefined ? folder : dirname(origin.file), shared, LOOKUPS);
}

const LOOKUPS = 'lookups';

/** The secrets and the folder of what is read from files; a text has none. */
interface OwnFiles {
  readonly secrets: SecretFiles;
  readonly folder: string;
}

function finish({ parsed, patterns }: ReadFiles, file: string, options: ConfigOptions, own: OwnFiles | null): LoadedConfig {
  const secrets = own?.secrets ?? null;
  const document = mergeDocuments(parsed.map((part) => part.document));
  if (own !== null) useLookups(lookupsOf(document, own.folder));
  const broken = new Set(parsed.flatMap((part) => [...part.broken]));
  const { config, problems, sections } = checkSections(document, file, options.bundled ?? {}, { types: options.types, broken, secrets });
  const unset = parsed.flatMap((part) => part.unset);
  return {
    config,
    sections,
    document,
    broken,
    watched: [...patterns, ...(secrets?.files ?? [])],
    incomplete: parsed.some((part) => part.problems.length > 0),
    ...withUnset(inOrder([...parsed.flatMap((part) => part.problems), ...problems]), unset),
  };
}

/** Sorts problems by file and line. */
export function inOrder(problems: readonly ConfigProblem[]): ConfigProblem[] {
  const order = new Map([...new Set(problems.map((problem) => problem.file))].sort().map((name, i) => [name, i]));
  return problems.toSorted((a, b) => (order.get(a.file) as number) - (order.get(b.file) as number) || a.line - b.line);
}

/** Names the unset variables: as the reason of the problems of their lines, else as remarks. */
function withUnset(problems: readonly ConfigProblem[], unset: readonly UnsetVariable[]): Pick<LoadedConfig, 'problems' | 'remarks'> {
  const isAt = (problem: ConfigProblem, { file, line }: UnsetVariable): boolean => problem.file === file && problem.line === line;
  return {
    problems: problems.map((problem) => {
      const names = unset.filter((variable) => isAt(problem, variable)).map(({ name }) => `%ENV[${name}]`);
      return names.length === 0 ? problem : { ...problem, hint: `${[...new Set(names)].join(' and ')} is not set` };
    }),
    remarks: unset
      .filter((variable) => !problems.some((problem) => isAt(problem, variable)))
      .map(({ file, line, name }) => `${file}:${line}: %ENV[${name}] is not set, so there is nothing in its place`),
  };
}
