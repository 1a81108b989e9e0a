import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { setSection } from '../../config/edit.ts';
import { parseConfig, type LoadedConfig } from '../../config/load.ts';
import { formatProblem } from '../../config/problems.ts';
import type { FilterConfig, InputConfig, Origin } from '../../config/schema/sections.ts';
import type { PipelineConfig } from '../../config/sections.ts';
import type { SectionData } from '../../config/toml-write.ts';
import { EngineError } from '../../base/errors.ts';
import { scriptFolder } from '../../service/script-folder.ts';
import { scriptOptions } from '../../service/script-options.ts';
import { bundledNames } from '../../plugins/catalog.ts';
import type { FilterTemplate } from './templates.ts';
import type { DecoderChoice } from '../../api/types.ts';
import { WORKSTATION_PREFIX } from './workstation.ts';

type OpenableInput = Exclude<InputConfig, { type: 'SandboxInput' }>;

/** A source that the workspace file lists. */
export interface ListedSource {
  readonly input: OpenableInput;
  /** null: the decoder is detected. */
  readonly decoder: DecoderChoice | null;
  /** Whether it was opened in the window: then it is opened again on request, not at every start. */
  readonly remembered: boolean;
  /** Further inputs that make up one source with it. */
  readonly parts: readonly ListedPart[];
}

type ListedPart = Pick<ListedSource, 'input' | 'decoder'>;

export interface WorkspaceContent {
  readonly templates: readonly FilterTemplate[];
  readonly sources: readonly ListedSource[];
  /** Saved queries by name. */
  readonly queries: Readonly<Record<string, string>>;
  /** Problems of the file, one line each, with file and line number. Sections without problems apply. */
  readonly problems: readonly string[];
  /** Valid sections that the window does not run, in the same form. */
  readonly unused: readonly string[];
}

/** Prefix of the name of a section that holds a file opened in the window. */
export const FILE_PREFIX = 'file:';
/** Prefix of the name of a section that holds the decoder chosen for such a file. */
export const DECODER_PREFIX = 'decoder of ';

/** Reads the text of a workspace file. @param path of the file, for the texts of problems */
export function parseWorkspace(text: string, path: string): LoadedConfig {
  return parseConfig(text, path, { bundled: { decoder: bundledNames('decoder'), filter: bundledNames('filter') } });
}

/** Selects the parts of a workspace file that the window uses. */
export function workspaceContent({ config, problems }: LoadedConfig): WorkspaceContent {
  return {
    templates: config.filters.map((filter) => templateOf(filter, config)),
    sources: sourcesOf(config),
    queries: config.queries,
    problems: problems.map(formatProblem),
    unused: unusedSections(config),
  };
}

/** Lists the sections of script inputs, managers and outputs: the window has no outputs and changes its filters itself. */
function unusedSections({ inputs, managers, rules, outputs }: PipelineConfig): string[] {
  const scripts = inputs.filter(({ type }) => type === 'SandboxInput');
  return [...scripts, ...managers, ...rules, ...outputs].map(({ name: section, type, origin }: UnusedSection) =>
    formatProblem({ code: 'config.section', ...origin, section, key: '', text: `the window runs no ${type}`, hint: 'sluicebox run does' }),
  );
}

interface UnusedSection {
  readonly name: string;
  readonly type: string;
  readonly origin: Origin;
}

function templateOf(filter: FilterConfig, { service }: PipelineConfig): FilterTemplate {
  const { name, plugin, filename = '', message_matcher: matcher, message_signer: signer, ticker_interval: ticker } = filter;
  return {
    name,
    matcher,
    ticker,
    ...scriptOptions(filter, service),
    signer,
    inputs: filter.inputs,
    stoppedFor: filter.stopped_for,
    script: plugin ?? resolve(scriptFolder(service, filter.origin), filename),
    builtIn: plugin !== undefined,
  };
}

function sourcesOf(config: PipelineConfig): ListedSource[] {
  const listed = config.inputs.flatMap((input): ListedSource[] => {
    if (input.type === 'SandboxInput') return [];
    const decoder = 'decoder' in input ? decoderOf(input.decoder, config) : null;
    return [{ input, decoder, remembered: input.name.startsWith(FILE_PREFIX), parts: [] }];
  });
  const [first, ...parts] = listed.filter(({ input }) => isStatistic(input));
  const others = listed.filter(({ input }) => !isStatistic(input));
  return first === undefined ? others : [...others, { ...first, parts: parts.map(({ input, decoder }) => ({ input, decoder })) }];
}

/** Whether an input belongs to the source that shows the statistics of this machine. */
export const isStatistic = ({ type, name }: InputConfig): boolean => type === 'FilePollingInput' && name.startsWith(WORKSTATION_PREFIX);

/** Whether two sources are the same, regardless of the lines of their sections. */
export function saysTheSame(before: ListedSource, after: ListedSource): boolean {
  const withoutPlaces = ({ input, decoder, remembered, parts }: ListedSource): object => ({
    input: { ...input, origin: null },
    decoder,
    remembered,
    parts: parts.map((part) => ({ ...part, input: { ...part.input, origin: null } })),
  });
  return isDeepStrictEqual(withoutPlaces(before), withoutPlaces(after));
}

/**
 * The source that one section describes.
 * @throws {EngineError} `source.section` when the section is invalid
 */
export function sourceOf(name: string, section: SectionData): ListedSource {
  const { config, problems } = parseWorkspace(setSection('', name, section), name);
  const [source] = sourcesOf(config);
  if (source === undefined) throw new EngineError('source.section', problems.map(formatProblem).join('; '));
  return source;
}

/** The decoder of an input by its name; null: it is detected, or there is nothing to decode. */
function decoderOf(name: string | undefined, { decoders, service }: PipelineConfig): DecoderChoice | null {
  if (name === undefined) return null;
  const section = decoders.find((decoder) => decoder.name === name);
  if (!section && (name === 'protobuf' || name === 'auto')) return null;
  const by = name.startsWith(DECODER_PREFIX) ? 'user' : 'configuration';
  if (!section) return { name, config: {}, by, confidence: 1 };
  const script = section.plugin ?? resolve(scriptFolder(service, section.origin), section.filename ?? '');
  const { config, limits, modules, folder } = scriptOptions(section, service);
  const { memory, instructions, output } = limits;
  return { name: script, config, limits: { memory, instructions, output }, modules, folder, by, confidence: 1 };
}
