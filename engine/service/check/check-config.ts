import { availableParallelism, hostname, tmpdir } from 'node:os';
import { loadConfig, type LoadedConfig, inOrder } from '../../config/load.ts';
import { formatProblem, type ConfigProblem } from '../../config/problems.ts';
import type { InputConfig } from '../../config/schema/sections.ts';
import type { ServiceConfig } from '../../config/schema/service.ts';
import { problemAt, SERVICE_SECTION, type PipelineConfig } from '../../config/sections.ts';
import { clockWarnings } from '../../config/clocks.ts';
import { unavailableOptions } from '../../config/unavailable.ts';
import { StatHub } from '../../inputs/stats/stat-hub.ts';
import { bundledNames } from '../../plugins/catalog.ts';
import type { SandboxStarter } from '../../plugins/sandboxes.ts';
import { startSandboxes } from '../../plugins/starter.ts';
import type { OwnSeats } from '../../sandbox/ours/seated.ts';
import { makeInput } from '../inputs.ts';
import { busyPorts } from './busy-ports.ts';
import { wrongBuffers } from './check-buffers.ts';
import { wrongKeptNames } from './check-kept-names.ts';
import { wrongLocalAddress } from './check-local-address.ts';
import { flowFindings } from './check-matchers.ts';
import { wrongSectionPaths, wrongServicePaths } from './check-paths.ts';
import { wrongPorts } from './check-ports.ts';
import { checkRules } from './check-rules.ts';
import { scriptsOf, wrongScript, type CheckedScript } from './check-scripts.ts';
import { readScripts, textFindings } from './check-script-text.ts';
import { typeFindings } from './check-script-types.ts';
import { loader } from './load-script.ts';
import { findingOf, type SectionFinding } from './findings.ts';

export interface CheckedConfig {
  readonly config: PipelineConfig;
  /** In the order of the files; empty when the configuration can be run. */
  readonly problems: readonly ConfigProblem[];
  /** Settings without effect here, one line each; the configuration can be run all the same. */
  readonly warnings: readonly string[];
  /** Patterns of the files that it is made of besides the named one. */
  readonly watched: readonly string[];
}

/** Longest name of a section in bytes: files of its state are named by it. */
const LONGEST_NAME = 200;
/** Scripts that are started at once. */
const AT_ONCE = 8;
/** Scripts that are worth a further process, … */
const SCRIPTS_PER_HOST = 16;
/** … up to this number. */
const MOST_HOSTS = 4;

interface CheckOptions {
  /** Seats of scripts besides processes that end with the check. */
  readonly seats?: OwnSeats;
  /** Also finds what may be otherwise when the service runs, and the mistakes in scripts that TypeScript finds: seconds of work. */
  readonly thorough?: boolean;
}

/**
 * Loads a configuration and finds everything for which it could not be run: each script is started without input. Nothing is read, listened to,
 * written or sent.
 * @param starterFor returns the starter of the sandboxes, by the service's parameters; by default processes that end with the check
 */
export async function checkConfig(
  path: string,
  starterFor?: (service: ServiceConfig) => SandboxStarter,
  { seats = {}, thorough = false }: CheckOptions = {},
): Promise<CheckedConfig> {
  const bundled = { decoder: bundledNames('decoder'), filter: bundledNames('filter'), encoder: bundledNames('encoder') };
  const loaded = await loadConfig(path, { bundled });
  const { config, sections, document, remarks } = loaded;
  const scripts = scriptsOf(loaded);
  const rules = thorough ? await checkRules(config.rules) : { findings: [], warnings: [] };
  const findings = [
    ...wrongServicePaths(config.service, SERVICE_SECTION),
    ...sections.flatMap(({ name }) => longName(name)),
    ...wrongKeptNames(config),
    ...wrongBuffers(config),
    ...wrongPorts(sections),
    ...sections.flatMap(wrongLocalAddress),
    ...config.inputs.flatMap(wrongInput),
    ...(await Promise.all(sections.map(wrongSectionPaths))).flat(),
    ...(await wrongScripts(scripts, seats, starterFor?.(config.service))),
    ...rules.findings,
  ];
  const placed = ({ section, ...finding }: SectionFinding): ConfigProblem => problemAt(document, path, section, finding);
  const read = readScripts(scripts);
  const doubtful = [...flowFindings(loaded), ...textFindings(read, sections), ...(thorough ? busyPorts(sections) : [])].map(placed);
  const mistakes = thorough ? typeFindings(read) : [];
  return {
    config,
    watched: loaded.watched,
    problems: inOrder(unique([...loaded.problems, ...nothingToDo(loaded, path), ...findings.map(placed)])),
    warnings: [
      ...remarks,
      ...unavailableOptions(config),
      ...clockWarnings(config),
      ...rules.warnings,
      ...unique([...doubtful, ...mistakes]).map(formatProblem),
    ],
  };
}

/** Without inputs, only the tests of a configuration can be run. A section whose type is not known may be meant as one. */
function nothingToDo({ config, sections, document, incomplete, problems }: LoadedConfig, file: string): ConfigProblem[] {
  if (problems.some(({ code }) => code === 'config.section')) return [];
  if (incomplete || config.tests.length > 0 || sections.some(({ kind }) => kind === 'input')) return [];
  const isEmpty = Object.keys(document.table).length === 0;
  const text = isEmpty ? 'is empty: it has no section' : 'there is no input, so there is nothing to do: add a section such as a FileInput';
  return [{ code: 'config.empty', file, line: 0, section: '', key: '', text, hint: '' }];
}

function longName(section: string): SectionFinding[] {
  const bytes = Buffer.byteLength(section);
  if (bytes <= LONGEST_NAME) return [];
  const text = `the name of the section has ${bytes} bytes: files are named by it, so it may have at most ${LONGEST_NAME}`;
  return [{ section, path: [], code: 'config.section', text, hint: '' }];
}

/** Makes an input without starting it. What is wrong with its address and files is found before, by parameter. */
function wrongInput(input: InputConfig): SectionFinding[] {
  if (input.type === 'SandboxInput') return [];
  try {
    makeInput(input, { hostname: hostname(), stateDirectory: tmpdir(), stats: new StatHub() });
    return [];
  } catch (error) {
    const finding = findingOf(error, input.name, []);
    return finding.code === 'tls.file' || finding.code === 'port.bad-address' ? [] : [finding];
  }
}

async function wrongScripts(scripts: readonly CheckedScript[], seats: OwnSeats, given?: SandboxStarter): Promise<SectionFinding[]> {
  if (scripts.length === 0) return [];
  if (given !== undefined) return findingsOf(scripts, given);
  const hosts = Math.min(MOST_HOSTS, availableParallelism(), Math.ceil(scripts.length / SCRIPTS_PER_HOST));
  const sandboxes = startSandboxes({ ...seats, hosts });
  try {
    return await findingsOf(scripts, sandboxes);
  } finally {
    await sandboxes.close();
  }
}

/** Loads scripts, a few at a time. */
async function findingsOf(scripts: readonly CheckedScript[], starter: SandboxStarter): Promise<SectionFinding[]> {
  const findings: SectionFinding[][] = scripts.map(() => []);
  const load = loader(starter);
  const left = scripts.entries();
  const work = async (): Promise<void> => {
    for (const [i, script] of left) findings[i] = await wrongScript(script, load);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return findings.flat();
}

/** Keeps the first of several problems with the same parameter and words. */
function unique(problems: readonly ConfigProblem[]): ConfigProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ file, section, key, text }) => {
    const id = JSON.stringify([file, section, key, text]);
    return seen.has(id) ? false : seen.add(id) !== undefined;
  });
}
