import { basename, resolve } from 'node:path';
import { readSection, removeSection, setSection } from '../../config/edit.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { formatProblem } from '../../config/problems.ts';
import { SERVICE_SECTION } from '../../config/sections.ts';
import type { ConfigData } from '../../config/toml-write.ts';
import { EngineError } from '../../base/errors.ts';
import { scriptFolder } from '../../service/script-folder.ts';
import { DECODER_PREFIX, FILE_PREFIX, parseWorkspace } from '../file/workspace-content.ts';
import { SCRIPTS } from './manifest.ts';

/** Kinds of sections that a workspace takes along. */
const KINDS: ReadonlySet<string> = new Set(['input', 'decoder', 'filter']);

/**
 * The sections of a workspace file that make sense on another machine: those of filters, queries, and of the sources that are no files, which come on their own.
 * @param path of the file
 * @param live whether the sources come along
 * @param nameOf the name that a script gets in the workspace, by its path
 * @throws {EngineError} `workspace.invalid` for a file with problems
 */
export function portableSections(text: string, path: string, live: boolean, nameOf: (script: string) => string): string {
  const loaded = parseWorkspace(text, path);
  const [problem] = loaded.problems;
  if (problem !== undefined) throw new EngineError('workspace.invalid', `Mend the workspace file first: ${formatProblem(problem)}`);
  const { config, sections } = loaded;
  const left = sections.filter(({ name, kind, type }) => {
    if (!KINDS.has(kind) || type === 'SandboxInput' || name.startsWith(FILE_PREFIX) || name.startsWith(DECODER_PREFIX)) return true;
    return kind === 'input' && !live;
  });
  const managers = [...config.managers, ...config.rules].map(({ name }) => name);
  const gone = [SERVICE_SECTION, ...left.map(({ name }) => name), ...managers];
  const kept = gone.reduce((before, name) => removeSection(before, name), withoutHead(text));
  return [...config.filters, ...config.decoders].reduce((before, { name, filename, origin }) => {
    const section = readSection(before, name);
    if (section === null) return before;
    const { module_directory: _modules, ...rest } = section;
    if (filename === undefined) return setSection(before, name, rest);
    return setSection(before, name, { ...rest, filename: SCRIPTS + nameOf(resolve(scriptFolder(config.service, origin), filename)) });
  }, kept);
}

/** A text without the comment at its beginning, which a new file gets anew. */
const withoutHead = (text: string): string => text.replace(/^(?:#[^\n]*\n)+\s*/, '');

/** Paths of the scripts that sections name. */
export function scriptsOf({ config }: LoadedConfig): string[] {
  const named = [...config.filters, ...config.decoders].flatMap(({ filename, origin }) =>
    filename === undefined ? [] : [resolve(scriptFolder(config.service, origin), filename)],
  );
  return [...new Set(named)];
}

/**
 * Reads the sections of a workspace that comes from anywhere.
 * @param path of the workspace, for the texts of errors
 * @param scripts names of the scripts that it brings
 * @throws {EngineError} `workspace.damaged` when they say what a saved workspace never says
 */
export function checkSections(text: string, path: string, scripts: ReadonlySet<string>): LoadedConfig {
  const loaded = parseWorkspace(text, path);
  const refuse = (why: string): EngineError => new EngineError('workspace.damaged', `${path} cannot be opened: ${why}.`);
  const [problem] = loaded.problems;
  if (problem !== undefined) throw refuse(formatProblem(problem));
  for (const { name, kind, type, table } of loaded.sections) {
    if (!KINDS.has(kind) || type === 'SandboxInput' || type === 'SandboxManagerFilter')
      throw refuse(`it has a section ${name} of type ${type}`);
    if (name.startsWith(FILE_PREFIX) || name.startsWith(DECODER_PREFIX)) throw refuse(`it has a section ${name}`);
    if ('module_directory' in table) throw refuse(`its section ${name} has a module_directory`);
    const { filename } = table;
    if (filename === undefined) continue;
    const script = typeof filename === 'string' ? filename : '';
    if (!script.startsWith(SCRIPTS) || !scripts.has(script.slice(SCRIPTS.length)))
      throw refuse(`its section ${name} names a script ${script}, which it does not bring`);
  }
  if (readSection(text, SERVICE_SECTION) !== null) throw refuse(`it has a section ${SERVICE_SECTION}`);
  return loaded;
}

interface Renames {
  /** Names of scripts as they are on this machine. */
  readonly scripts: ReadonlyMap<string, string>;
  /** Sections of sources as they are on this machine. */
  readonly inputs: ReadonlyMap<string, string>;
}

/** Puts the names of this machine in the place of those of a workspace. */
export function withNames(text: string, { config }: LoadedConfig, { scripts, inputs }: Renames): string {
  const inputOf = (name: unknown): string => inputs.get(String(name)) ?? String(name);
  return [...config.filters, ...config.decoders].reduce((before, { name }) => {
    const section = readSection(before, name);
    if (section === null) return before;
    const renamed: Record<string, ConfigData> = { ...section };
    const { filename } = section;
    if (typeof filename === 'string') renamed['filename'] = SCRIPTS + (scripts.get(basename(filename)) ?? basename(filename));
    for (const key of ['inputs', 'stopped_for']) {
      const value = section[key];
      if (Array.isArray(value)) renamed[key] = value.map(inputOf);
    }
    return setSection(before, name, renamed);
  }, text);
}
