import { EngineError } from '../base/errors.ts';
import { isTable, parseDocument, type Table } from './document.ts';
import { formatProblem } from './problems.ts';
import type { FilterConfig } from './schema/sections.ts';
import { checkSections, type Bundled } from './sections.ts';

/** The section of a filter that is loaded while the service runs, as it was sent. */
export interface ManagedSection {
  /** Its name in the text. */
  readonly name: string;
  readonly values: Table;
}

/**
 * Reads the configuration of a filter that is to be loaded: the first section of a TOML text. Variables of the environment are not
 * replaced, since the sender must not be able to read them.
 * @param file name of the text in errors
 * @throws {EngineError} `manager.config` when it is no TOML or has no section
 */
export function parseManaged(text: string, file: string): ManagedSection {
  const { document, problems } = parseDocument(text, file, null);
  if (problems[0] !== undefined) throw new EngineError('manager.config', formatProblem(problems[0]));
  for (const [name, values] of Object.entries(document.table)) if (isTable(values)) return { name, values };
  throw new EngineError('manager.config', `${file}: there is no section`);
}

/** Parameters that a manager sets over those of a configuration. */
export interface ManagedParameters {
  /** Absolute path of the script. */
  readonly filename: string;
  readonly module_directory?: string;
  readonly memory_limit: number;
  readonly instruction_limit: number;
  readonly output_limit: number;
}

export interface ManagedPlace {
  /** The full name of the filter. */
  readonly name: string;
  /** The file that keeps its configuration. */
  readonly file: string;
}

/**
 * The checked configuration of a filter that a manager loads.
 * @throws {EngineError} `manager.config` when it is another type of plugin or has problems
 */
export function managedFilter(section: ManagedSection, place: ManagedPlace, parameters: ManagedParameters, bundled: Bundled): FilterConfig {
  const type = section.values.type ?? section.name;
  if (type !== 'SandboxFilter') {
    const shown = typeof type === 'string' ? type : JSON.stringify(type);
    throw new EngineError('manager.config', `[${section.name}] must be a SandboxFilter, not ${shown}`);
  }
  const { filename: _ignored, module_directory: _overruled, ...values } = section.values;
  const { filename, ...forced } = parameters;
  const script = values.plugin === undefined ? { filename } : {};
  const table = { [place.name]: { ...values, type, ...script, ...forced, can_exit: true } };
  const origin = { file: place.file, line: 1 };
  const { config, problems } = checkSections({ table, origin: () => origin }, place.file, bundled);
  const [filter] = config.filters;
  if (problems.length === 0 && filter !== undefined) return filter;
  const texts = problems.map((problem) => formatProblem({ ...problem, file: '', line: 0, section: section.name }).replace(/^: /, ''));
  throw new EngineError('manager.config', texts.join('; '));
}
