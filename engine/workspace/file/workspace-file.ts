import { isUtf8 } from 'node:buffer';
import { dirname, isAbsolute, relative } from 'node:path';
import { readRegularFile, readText, RegularFileError } from '../../base/files/regular-file.ts';
import { makeFolder } from '../../base/files/folders.ts';
import { ConfigEditError, readSection, removeSection, setSection } from '../../config/edit.ts';
import { QUERIES } from '../../config/queries.ts';
import { MOST_BYTES } from '../../config/load.ts';
import { formatProblem } from '../../config/problems.ts';
import type { ConfigData, SectionData } from '../../config/toml-write.ts';
import { EngineError, errorCode } from '../../base/errors.ts';
import { DEFAULT_LIMITS } from '../../sandbox/contract/types.ts';
import { LIMITS as WINDOW_LIMITS } from '../common/limits.ts';
import { DEFAULT_TEMPLATES, type FilterTemplate } from './templates.ts';
import type { DecoderChoice, FilterSection } from '../../api/types.ts';
import { createFile, replaceFile } from '../../base/files/replace-file.ts';
import { Serial } from '../../base/time/serial.ts';
import { DECODER_PREFIX, FILE_PREFIX, isStatistic, parseWorkspace, workspaceContent, type WorkspaceContent } from './workspace-content.ts';
import { WORKSTATION_PREFIX } from './workstation.ts';

/** A change of one section, as the text of the whole file before and after it. */
export interface TextChange {
  readonly section: string;
  readonly before: string;
  readonly after: string;
}

const HEADER = `# The workspace of Sluicebox: its sources and plugins. Edit it as you like; the window changes only what it must.
#
# Every filter runs once for each source, on that source's own time. Inputs are opened at every start, except those whose name begins
# with "file:": these were opened in the window and are opened again when they are asked for. The inputs of type FilePollingInput whose name
# begins with "workstation_" are shown as one source.

`;
/** The workspace's TOML file in the user's data folder. Edits run one after the other and keep what others wrote. */
export class WorkspaceFile {
  readonly path: string;
  readonly #mostFiles: number;
  readonly #edits = new Serial();
  /** Number of edits that were requested. */
  #asked = 0;
  readonly #turns = new Serial();

  /** @param mostFiles that were opened in the window: as many as may be open */
  constructor(path: string, mostFiles: number = WINDOW_LIMITS.sources) {
    this.path = path;
    this.#mostFiles = mostFiles;
  }

  /**
   * Reads the file with all edits that were requested until now; creates it when it is missing. Where that fails, as on a full disk, the default filters
   * apply without it: the first edit tells why it cannot be written.
   */
  async read(): Promise<WorkspaceContent> {
    for (;;) {
      const asked = this.#asked;
      await this.#edits.idle();
      const text = (await this.#text()) ?? (await this.#create().catch(defaultText));
      // A caller that applied the text from before an edit would undo that edit.
      if (asked === this.#asked) return workspaceContent(parseWorkspace(text, this.path));
    }
  }

  /**
   * Runs tasks that edit the file or read it, and apply it, one after the other. Otherwise a task that reads the file between the edit of
   * another one and its application would apply the same edit a second time.
   */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run(work);
  }

  /**
   * Remembers that a file was opened, and its decoder when the user chose one.
   * @throws {ConfigEditError} when the file is no valid TOML
   */
  async rememberFile(path: string, decoder: DecoderChoice | null, timeOffset = 0): Promise<void> {
    await this.#edit((text) => {
      const name = FILE_PREFIX + path;
      const section = {
        type: 'FileInput',
        paths: [path],
        ...(decoder === null ? {} : { decoder: DECODER_PREFIX + path }),
        ...(timeOffset === 0 ? {} : { time_offset: timeOffset }),
      };
      return trimRemembered(setDecoder(setSection(text, name, section), path, decoder), name, this.#mostFiles);
    });
  }

  /**
   * Removes a file that was opened in the window, and its decoder.
   * @throws {ConfigEditError} when the file is no valid TOML
   */
  async forgetFile(path: string): Promise<void> {
    await this.#edit((text) => removeSection(removeSection(text, FILE_PREFIX + path), DECODER_PREFIX + path));
  }

  /**
   * Writes the section of a filter; keys that the window does not show are kept.
   * @throws {EngineError} `workspace.invalid`, `filter.name`
   */
  async setFilter(filter: FilterSection, isNew: boolean): Promise<TextChange> {
    return this.#editFilter(filter.name, (text) => {
      const old = readSection(text, filter.name);
      if (isNew && old !== null) throw new EngineError('filter.name', `${this.path} has a section ${filter.name} already.`);
      return setSection(text, filter.name, filterSection(filter, old ?? {}, this.#placeOf(filter, text)));
    });
  }

  /** @throws {EngineError} `workspace.invalid` */
  async removeFilter(name: string): Promise<TextChange> {
    return this.#editFilter(name, (text) => removeSection(text, name));
  }

  /**
   * Records that a filter was stopped for an input, or runs again.
   * @throws {ConfigEditError} when the file is no valid TOML
   */
  async setStopped(name: string, input: string, stopped: boolean): Promise<void> {
    await this.#edit((text) => {
      const section = readSection(text, name);
      if (section === null) return text;
      const { stopped_for: listed, ...rest } = section;
      const others = Array.isArray(listed) ? (listed as readonly ConfigData[]).filter((other) => other !== input) : [];
      const inputs = stopped ? [...others, input] : others;
      return setSection(text, name, inputs.length === 0 ? rest : { ...section, stopped_for: inputs });
    });
  }

  /**
   * Saves a query; null removes the one of that name.
   * @throws {EngineError} `query.saved`
   */
  async setQuery(name: string, sql: string | null): Promise<void> {
    await this.#edit((text) => {
      try {
        const { [name]: _old, ...others } = readSection(text, QUERIES) ?? {};
        const queries = sql === null ? others : { ...others, [name]: sql };
        return Object.keys(queries).length === 0 ? removeSection(text, QUERIES) : setSection(text, QUERIES, queries);
      } catch (error) {
        if (!(error instanceof ConfigEditError)) throw error;
        throw new EngineError('query.saved', `${this.path} was not changed: ${error.message}`, { cause: error });
      }
    });
  }

  /**
   * Reverts the change of a section, and keeps later changes of the others.
   * @throws {EngineError} `workspace.invalid`
   */
  async restore({ section, before, after }: TextChange): Promise<void> {
    await this.#editFilter(section, (text) => {
      if (text === after) return before;
      const old = readSection(before, section);
      return old === null ? removeSection(text, section) : setSection(text, section, old);
    });
  }

  /** Edits the section of a filter. A file with problems is not edited, since its meaning is unknown. */
  async #editFilter(section: string, change: (text: string) => string): Promise<TextChange> {
    let done: TextChange | null = null as TextChange | null;
    await this.#edit((before) => {
      const [problem] = parseWorkspace(before, this.path).problems;
      if (problem !== undefined) throw new EngineError('workspace.invalid', `Mend the workspace file first: ${formatProblem(problem)}`);
      const after = change(before);
      const [made] = parseWorkspace(after, this.path).problems;
      if (made !== undefined) throw new EngineError('workspace.invalid', `This makes no valid workspace file: ${formatProblem(made)}`);
      done = { section, before, after };
      return after;
    });
    return done as TextChange;
  }

  /** The path of a script as the file has it: relative for scripts in the folder of the file, so that the folder can be moved. */
  #placeOf({ bundled, script }: FilterSection, text: string): string {
    const way = relative(dirname(this.path), script);
    const moves = bundled || text.includes('share_dir') || way.startsWith('..') || isAbsolute(way);
    return moves ? script : way.replaceAll('\\', '/');
  }

  /**
   * Writes the seconds that are added to the times of an input.
   * @throws {ConfigEditError} when the file is no valid TOML
   */
  async setTimeOffset(name: string, seconds: number): Promise<void> {
    await this.#edit((text) => {
      const { time_offset: _old, ...section } = readSection(text, name) ?? {};
      if (Object.keys(section).length === 0) return text;
      return setSection(text, name, seconds === 0 ? section : { ...section, time_offset: seconds });
    });
  }

  /** @throws {ConfigEditError} when the file is no valid TOML */
  async setSections(sections: Readonly<Record<string, SectionData>>): Promise<void> {
    await this.#edit((text) => Object.entries(sections).reduce((before, [name, section]) => setSection(before, name, section), text));
  }

  /**
   * Removes the inputs and filters that read the statistics of this machine.
   * @throws {ConfigEditError} when the file is no valid TOML
   */
  async removeWorkstation(): Promise<void> {
    await this.#edit((text) => {
      const { inputs, filters } = parseWorkspace(text, this.path).config;
      const names = [...inputs.filter(isStatistic), ...filters.filter(({ name }) => name.startsWith(WORKSTATION_PREFIX))];
      return names.reduce((before, { name }) => removeSection(before, name), text);
    });
  }

  /** @throws {ConfigEditError} when the file is no valid TOML */
  async remove(name: string): Promise<void> {
    await this.#edit((text) => removeSection(text, name));
  }

  /** The text of the file with all edits that were requested until now. */
  async text(): Promise<string> {
    await this.#edits.idle();
    return (await this.#text()) ?? (await this.#create());
  }

  /** Replaces all sections. */
  async replace(text: string): Promise<void> {
    await this.#edit(() => HEADER + text);
  }

  /** Resolves when all requested edits are written. */
  settled(): Promise<void> {
    return this.#edits.idle();
  }

  /** @throws {EngineError} `workspace.invalid` when it is not UTF-8: an edit would change its other letters; or when it is no file, or too large for a configuration */
  async #text(): Promise<string | null> {
    try {
      const { bytes } = await readRegularFile(this.path, MOST_BYTES);
      if (!isUtf8(bytes)) throw new EngineError('workspace.invalid', 'it is not valid UTF-8; save it as UTF-8');
      return bytes.toString('utf8');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      if (!(error instanceof RegularFileError)) throw error;
      const advice = error.isTooLarge ? 'remove the sections that nobody needs' : 'move away what is in its place';
      throw new EngineError('workspace.invalid', `${error.message}; ${advice}`, { cause: error });
    }
  }

  /** Creates the file with the default filters; never overwrites one that another process made in the meantime. */
  async #create(): Promise<string> {
    const text = defaultText();
    await makeFolder(dirname(this.path), 0o700);
    try {
      await createFile(this.path, text);
      return text;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      return readText(this.path, MOST_BYTES);
    }
  }

  #edit(change: (text: string) => string): Promise<void> {
    this.#asked++;
    return this.#edits.run(async () => {
      const before = (await this.#text()) ?? (await this.#create());
      const after = change(before);
      if (after !== before) await replaceFile(this.path, after);
    });
  }
}

const defaultText = (): string =>
  DEFAULT_TEMPLATES.reduce((before, template) => setSection(before, template.name, sectionOf(template)), HEADER);

function setDecoder(text: string, path: string, decoder: DecoderChoice | null): string {
  const name = DECODER_PREFIX + path;
  if (decoder === null) return removeSection(text, name);
  const config = Object.keys(decoder.config).length === 0 ? {} : { config: decoder.config };
  return setSection(text, name, { type: 'SandboxDecoder', [isAbsolute(decoder.name) ? 'filename' : 'plugin']: decoder.name, ...config });
}

/** Removes the oldest remembered files when there are too many. */
function trimRemembered(text: string, latest: string, most: number): string {
  const names = [...text.matchAll(/^\["(file:.*)"\]/gm)]
    .map(([, name]) => JSON.parse(`"${name}"`) as string)
    .filter((name) => name !== latest);
  let trimmed = text;
  for (const name of names.slice(0, Math.max(0, names.length + 1 - most))) {
    trimmed = removeSection(removeSection(trimmed, name), DECODER_PREFIX + name.slice(FILE_PREFIX.length));
  }
  return trimmed;
}

function sectionOf({ script, matcher, ticker, config, limits }: FilterTemplate): SectionData {
  return {
    type: 'SandboxFilter',
    plugin: script,
    message_matcher: matcher,
    ticker_interval: ticker,
    ...(limits?.memory === undefined ? {} : { memory_limit: limits.memory }),
    ...(limits?.output === undefined ? {} : { output_limit: limits.output }),
    ...(Object.keys(config).length === 0 ? {} : { config }),
  };
}

/** The values of a filter's section: those that the window shows, and the other keys of `old`. */
function filterSection(filter: FilterSection, old: SectionData, script: string): SectionData {
  const { plugin: _plugin, filename: _filename, config: _config, inputs: _inputs, ...rest } = old;
  const limits = LIMITS.filter(([key, name]) => key in old || filter.limits[name] !== DEFAULT_LIMITS[name]);
  return {
    type: 'SandboxFilter',
    ...(filter.bundled ? { plugin: script } : { filename: script }),
    ...rest,
    message_matcher: filter.matcher,
    ...(filter.ticker === 0 && !('ticker_interval' in old) ? {} : { ticker_interval: filter.ticker }),
    ...(filter.inputs === null ? {} : { inputs: filter.inputs }),
    ...Object.fromEntries(limits.map(([key, name]) => [key, filter.limits[name]])),
    ...(Object.keys(filter.config).length === 0 ? {} : { config: filter.config }),
  };
}

const LIMITS = [
  ['memory_limit', 'memory'],
  ['instruction_limit', 'instructions'],
  ['output_limit', 'output'],
] as const;
