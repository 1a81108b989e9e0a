import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  formatProblem,
  parseConfig,
  removeSection,
  setSection,
  type FilterConfig,
  type InputConfig,
  type PipelineConfig,
  type SectionData,
} from '../config/index.ts';
import { scriptFolder } from '../pipeline/script-folder.ts';
import { bundledNames } from '../plugins/index.ts';
import { DEFAULT_TEMPLATES, type FilterTemplate } from './templates.ts';
import type { DecoderChoice } from './types.ts';

type OpenableInput = Exclude<InputConfig, { type: 'SandboxInput' }>;

/** A source that the workspace file lists. */
export interface ListedSource {
  readonly input: OpenableInput;
  /** null: is detected. */
  readonly decoder: DecoderChoice | null;
  /** It was opened in the window: it is opened again when it is asked for, not at every start. */
  readonly remembered: boolean;
}

export interface WorkspaceContent {
  readonly templates: readonly FilterTemplate[];
  readonly sources: readonly ListedSource[];
  /** What is wrong with the file, one line each with file and line number. The rest of it holds. */
  readonly problems: readonly string[];
}

const HEADER = `# The workspace of Sluicebox: its sources and plugins. Edit it as you like; the window changes only what it must.
#
# Every filter runs once for each source, on that source's own time. Inputs are opened at every start, except those whose name begins
# with "file:": these were opened in the window and are opened again when they are asked for.

`;
const FILE_PREFIX = 'file:';
const DECODER_PREFIX = 'decoder of ';
/** Files that were opened in the window and are kept in mind. */
const MAX_REMEMBERED = 20;

/** The workspace's TOML file in the folder of the user's data. Edits are made one after the other and keep what others wrote. */
export class WorkspaceFile {
  readonly path: string;
  #turn: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** Reads the file; makes it when it is missing. */
  async read(): Promise<WorkspaceContent> {
    const text = (await this.#text()) ?? (await this.#create());
    const bundled = { decoder: bundledNames('decoder'), filter: bundledNames('filter') };
    const { config, problems } = parseConfig(text, this.path, { bundled });
    return {
      templates: config.filters.map((filter) => templateOf(filter, config)),
      sources: sourcesOf(config),
      problems: problems.map(formatProblem),
    };
  }

  /**
   * Keeps in mind that a file was opened, and by which decoder when the user chose it.
   * @throws {ConfigEditError} when the file is no valid TOML
   */
  async rememberFile(path: string, decoder: DecoderChoice | null): Promise<void> {
    await this.#edit((text) => {
      const name = FILE_PREFIX + path;
      const section = { type: 'FileInput', paths: [path], ...(decoder === null ? {} : { decoder: DECODER_PREFIX + path }) };
      return trimRemembered(setDecoder(setSection(text, name, section), path, decoder), name);
    });
  }

  /** @throws {ConfigEditError} when the file is no valid TOML */
  async addListener(name: string, protocol: 'udp' | 'tcp', address: string): Promise<void> {
    const kind = protocol === 'udp' ? { type: 'UdpInput', set_hostname: true } : { type: 'TcpInput' };
    const section = { ...kind, address, decoder: 'syslog' };
    await this.#edit((text) => setSection(text, name, section));
  }

  /** @throws {ConfigEditError} when the file is no valid TOML */
  async remove(name: string): Promise<void> {
    await this.#edit((text) => removeSection(text, name));
  }

  /** Resolves when all edits that were asked for are made. */
  async settled(): Promise<void> {
    await this.#turn;
  }

  async #text(): Promise<string | null> {
    try {
      return await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /** Never writes over a file that somebody else made in the meantime. */
  async #create(): Promise<string> {
    const text = DEFAULT_TEMPLATES.reduce((before, template) => setSection(before, template.name, sectionOf(template)), HEADER);
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    try {
      await writeFile(this.path, text, { mode: 0o600, flag: 'wx' });
      return text;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return readFile(this.path, 'utf8');
    }
  }

  async #edit(change: (text: string) => string): Promise<void> {
    const turn = this.#turn.then(async () => {
      const before = (await this.#text()) ?? (await this.#create());
      const after = change(before);
      if (after !== before) await this.#write(after);
    });
    this.#turn = turn.catch(() => undefined);
    await turn;
  }

  /** In one step, so that a crash leaves the old file or the new one. */
  async #write(text: string): Promise<void> {
    const draft = `${this.path}.new`;
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, this.path);
  }
}

function setDecoder(text: string, path: string, decoder: DecoderChoice | null): string {
  const name = DECODER_PREFIX + path;
  if (decoder === null) return removeSection(text, name);
  const config = Object.keys(decoder.config).length === 0 ? {} : { config: decoder.config };
  return setSection(text, name, { type: 'SandboxDecoder', plugin: decoder.name, ...config });
}

/** Forgets the files that were opened first when there are too many. */
function trimRemembered(text: string, latest: string): string {
  const names = [...text.matchAll(/^\["(file:.*)"\]/gm)]
    .map(([, name]) => JSON.parse(`"${name}"`) as string)
    .filter((name) => name !== latest);
  let trimmed = text;
  for (const name of names.slice(0, Math.max(0, names.length + 1 - MAX_REMEMBERED))) {
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

function templateOf(filter: FilterConfig, { service }: PipelineConfig): FilterTemplate {
  const { name, plugin, filename = '', message_matcher: matcher, message_signer: signer, ticker_interval: ticker, config } = filter;
  return {
    ...{ name, matcher, ticker, config },
    ...(signer === undefined ? {} : { signer }),
    script: plugin ?? resolve(scriptFolder(service, filter.origin), filename),
    builtIn: plugin !== undefined,
    limits: {
      memory: filter.memory_limit,
      instructions: filter.instruction_limit,
      output: filter.output_limit,
      processInject: service.max_process_inject,
      timerInject: service.max_timer_inject,
    },
  };
}

function sourcesOf(config: PipelineConfig): ListedSource[] {
  return config.inputs.flatMap((input) => {
    if (input.type === 'SandboxInput') return [];
    return [{ input, decoder: decoderOf(input.decoder, config), remembered: input.name.startsWith(FILE_PREFIX) }];
  });
}

/** null: it is detected, or there is nothing to decode. */
function decoderOf(name: string | undefined, { decoders, service }: PipelineConfig): DecoderChoice | null {
  if (name === undefined) return null;
  const section = decoders.find((decoder) => decoder.name === name);
  if (!section && name === 'protobuf') return null;
  const by = name.startsWith(DECODER_PREFIX) ? 'user' : 'configuration';
  if (!section) return { name, config: {}, by, confidence: 1 };
  const script = section.plugin ?? resolve(scriptFolder(service, section.origin), section.filename ?? '');
  return { name: script, config: section.config, by, confidence: 1 };
}
