import { extname } from 'node:path';
import { z } from 'zod';
import type { End } from '../../api/ends.ts';
import { once } from '../../base/once.ts';
import { script as scriptParameters, shutdownTimer, ticker } from '../../config/schema/sandbox.ts';
import type { FilterConfig } from '../../config/schema/sections.ts';
import { clockOfInputs } from '../../config/clocks.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { ListedSection, PipelineConfig } from '../../config/sections.ts';
import { isTable, type Table } from '../../config/document.ts';
import { FORMS } from '../../outputs/encode.ts';
import { checkParameters, ParameterError, type Config } from '../../plugins/parameters.ts';
import type { PluginScript } from '../../plugins/types.ts';
import { endOf } from '../../sandbox/contract/errors.ts';
import type { SandboxKind, SandboxSpec } from '../../sandbox/contract/types.ts';
import { decoderInstance, encoderInstance } from '../kept-names.ts';
import { SectionScripts } from '../section-scripts.ts';
import { findingOf, type SectionFinding } from './findings.ts';
import { loadFindings, type LoadScript, type ScriptFinding } from './load-script.ts';

/** A script that a configuration starts. */
export interface CheckedScript {
  readonly kind: SandboxKind;
  readonly section: string;
  /** The parameter that names the script. */
  readonly naming: string;
  /** Its parameters, but for those that were found to be wrong already. */
  readonly given: Readonly<Config>;
  /** The parameter that makes `timer_event` be called, if one does. */
  readonly ticking: string | null;
  find(): PluginScript;
  spec(config: Readonly<Config>): SandboxSpec;
}

const schema = z.object({
  ...scriptParameters,
  ...ticker,
  ...shutdownTimer,
  source: z.record(z.string(), z.unknown()).optional(),
  target: z.record(z.string(), z.unknown()).optional(),
});

/** Lists the scripts of a configuration, also those of sections that have other problems. */
export function scriptsOf({ config, sections, broken }: Pick<LoadedConfig, 'config' | 'sections' | 'broken'>): CheckedScript[] {
  const scripts = new ServiceScripts(config);
  const names = new Set([...sections.map(({ name }) => name), ...broken, 'protobuf', 'auto', ...FORMS]);
  return sections.flatMap((section) =>
    section.type.startsWith('Sandbox') ? ownScript(section, scripts) : bundledScript(section, names, scripts),
  );
}

/** The scripts as the service starts them, so that it goes on with those that were checked. */
class ServiceScripts extends SectionScripts {
  readonly #config: PipelineConfig;

  constructor(config: PipelineConfig) {
    super(config, '');
    this.#config = config;
  }

  override spec(...[kind, script, name, config]: Parameters<SectionScripts['spec']>): SandboxSpec {
    const clock = clockOfInputs(this.#config.inputs) === 'message' ? 'message' : 'wall';
    return { ...super.spec(kind, script, this.#instanceOf(kind, name), config), clock };
  }

  /** The name of a sandbox: of a decoder or encoder the first one of those that name it. */
  #instanceOf(kind: SandboxKind, name: string): string {
    const { inputs, outputs } = this.#config;
    const input = kind === 'decoder' ? inputs.find((each) => 'decoder' in each && each.decoder === name) : undefined;
    if (input !== undefined) return decoderInstance(name, input.name);
    const output = kind === 'encoder' ? outputs.find((each) => 'encoder' in each && each.encoder === name) : undefined;
    return output === undefined ? name : encoderInstance(name, output.name);
  }
}

function ownScript(section: ListedSection, scripts: ServiceScripts): CheckedScript[] {
  const { kind, name, origin } = section;
  const { success, data } = schema.safeParse(withoutWrong(section));
  if (!success || (data.plugin === undefined) === (data.filename === undefined)) return [];
  // Every kind of script section has these parameters; nothing of its state is read.
  const values = { ...data, name, origin, preserve_data: false } as unknown as FilterConfig;
  return [
    {
      kind,
      section: name,
      naming: data.plugin === undefined ? 'filename' : 'plugin',
      given: data.config,
      ticking: tickingOf(kind, data),
      find: once(() => scripts.find(kind, values)),
      spec: (config) => scripts.spec(kind, { ...values, config }, name),
    },
  ];
}

/** The parameters of a section without those that have problems. */
function withoutWrong({ table, wrong }: ListedSection): Table {
  const values: Record<string, unknown> = { ...table };
  for (const [key, inner] of wrong) {
    const value = values[String(key)];
    if (key === 'config' && inner !== undefined && isTable(value)) {
      const { [String(inner)]: _left, ...rest } = value;
      values[key] = rest;
    } else delete values[String(key)];
  }
  return values;
}

function tickingOf(
  kind: SandboxKind,
  data: { readonly ticker_interval: number; readonly timer_event_on_shutdown: boolean },
): string | null {
  if (kind !== 'filter' && kind !== 'output') return null;
  if (data.ticker_interval > 0) return 'ticker_interval';
  return data.timer_event_on_shutdown ? 'timer_event_on_shutdown' : null;
}

/** The bundled script that an input or output names as its decoder or encoder. @param others names of what is none */
function bundledScript({ kind, name, table, wrong }: ListedSection, others: ReadonlySet<string>, scripts: ServiceScripts): CheckedScript[] {
  const naming = kind === 'input' ? 'decoder' : 'encoder';
  const script = table[naming];
  if (typeof script !== 'string' || script === '' || others.has(script) || wrong.some(([key]) => key === naming)) return [];
  return [
    {
      kind: naming,
      section: name,
      naming,
      given: {},
      ticking: null,
      find: once(() => scripts.find(naming, script)),
      spec: () => scripts.spec(naming, script, script),
    },
  ];
}

/** Finds out what is wrong with a script and its parameters: those that it declares are checked, and it is started without input. */
export async function wrongScript(script: CheckedScript, load: LoadScript): Promise<SectionFinding[]> {
  const { section, naming, ticking } = script;
  let plugin: PluginScript;
  try {
    plugin = script.find();
  } catch (error) {
    return [findingOf(error, section, [naming], 'plugin.unreadable')];
  }
  const { findings: wrong, usable, complete } = declaredFindings(plugin, script);
  const attempt = async (config: Readonly<Config>): Promise<End | null> => {
    try {
      return await load({ ...script.spec(config), ticks: ticking !== null });
    } catch (error) {
      // A required parameter was left out.
      return endOf(error);
    }
  };
  const thrown = complete ? await loadFindings(plugin, usable, attempt) : [];
  return [...wrong, ...thrown.map((finding) => named(finding, plugin))].map(({ parameter, code, text, hint }) => {
    if (parameter === null && code === 'script.timer-missing' && ticking !== null) {
      return { section, path: [ticking], code, text, hint: `define it, or set no ${ticking}` };
    }
    if (parameter === null) return { section, path: [naming], code, text, hint };
    if (naming === 'plugin' || naming === 'filename') return { section, path: ['config', parameter], code, text, hint };
    // A bundled script without a section of its own has no place for parameters.
    const way = `a section of the type Sandbox${naming === 'decoder' ? 'Decoder' : 'Encoder'} sets it`;
    return {
      section,
      path: [naming],
      code,
      text: `${plugin.name}: parameter ${parameter} ${text}${hint === '' ? '' : `: ${hint}`}`,
      hint: way,
    };
  });
}

/** Checks parameters against the declarations of a script, and reads the files that they name. `usable` are those that are right; `complete`: none is missing that must be there. */
function declaredFindings(plugin: PluginScript, script: CheckedScript) {
  const { given } = script;
  const findings: ScriptFinding[] = [];
  let usable: Config = { ...given };
  try {
    checkParameters(plugin, given);
    script.spec(given);
  } catch (error) {
    if (!(error instanceof ParameterError)) throw error;
    for (const { parameter, text, hint } of error.problems) {
      findings.push({ parameter, code: 'plugin.parameter', text, hint });
      const { [parameter]: _left, ...rest } = usable;
      usable = rest;
    }
  }
  const complete = !findings.some(({ parameter }) => plugin.meta?.parameters[parameter ?? '']?.required === true);
  return { findings, usable, complete };
}

const SCRIPTS = ['.js', '.mjs', '.ts', '.mts'];

/** Says of a file that does not parse and is not named like a script that it is none. */
function named(finding: ScriptFinding, { path }: PluginScript): ScriptFinding {
  if (finding.code !== 'script.syntax' || SCRIPTS.includes(extname(path))) return finding;
  return { ...finding, text: `${path} is not a script: ${finding.text}`, hint: 'give a file that ends in .js or .ts' };
}
