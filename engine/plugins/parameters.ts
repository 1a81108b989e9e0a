import { EngineError } from '../base/errors.ts';
import type { ConfigValue } from '../sandbox/contract/types.ts';
import { suggest } from '../base/text/suggest.ts';
import { boundsText, fits } from './bounds.ts';
import { readFiles } from './files.ts';
import type { ParameterMeta, PluginMeta, PluginScript } from './types.ts';

export type Config = Record<string, ConfigValue>;

/** Parameters that every decoder and encoder may have besides those of its meta. */
const COMMON: Readonly<Record<string, ParameterMeta>> = {
  tz: { type: 'string', summary: 'Zone of times without one: UTC, an offset such as +02:00, Local, or an IANA name.' },
};

/** A problem with one parameter. */
export interface WrongParameter {
  readonly parameter: string;
  /** The fault, as the rest of a sentence that begins with the parameter's name. */
  readonly text: string;
  readonly hint: string;
  /** All of that as a sentence of its own; that of the first one covers all that are missing. */
  readonly sentence: string;
}

/** Error about parameters with which a script cannot be started. */
export class ParameterError extends EngineError {
  override readonly name = 'ParameterError';
  readonly problems: readonly WrongParameter[];

  constructor(script: string, problems: readonly WrongParameter[]) {
    const sentences = problems.map(({ sentence }) => sentence).filter((sentence) => sentence !== '');
    super('plugin.parameter', `${script}: ${sentences.join('; ')}`);
    this.problems = problems;
  }
}

/**
 * Converts the texts of a command line to the types that the script declares, and checks them.
 * @throws {ParameterError} as `checkParameters`
 */
export function parseParameters(plugin: PluginScript, texts: Readonly<Record<string, string>>): Config {
  const config: Config = {};
  for (const [name, text] of Object.entries(texts)) {
    const declared = plugin.meta === null ? undefined : declarationOf(plugin.meta, name);
    config[name] = declared === undefined ? guess(text) : parseText(declared, text);
  }
  return checkParameters(plugin, config);
}

/**
 * Checks parameters against the script's declarations; a number given for a text becomes its digits. A script without meta takes any.
 * @returns the parameters
 * @throws {ParameterError} when some are unknown, of the wrong type, out of bounds, or missing
 */
export function checkParameters({ name: script, meta }: PluginScript, given: Readonly<Config>): Config {
  const config: Config = { ...given };
  const problems = meta === null ? [] : [...wrongParameters(meta, config), ...missingParameters(meta, config)];
  const { tz } = config;
  if (typeof tz === 'string') {
    const zone = zoneName(tz);
    if (zone === undefined) problems.push(unknownZone(tz));
    else config['tz'] = zone;
  }
  if (problems.length > 0) throw new ParameterError(script, problems);
  return config;
}

/**
 * Returns the parameters that a script starts with: the given ones, the declared defaults of the others, and the texts of files that they name. Throws as
 * `checkParameters`.
 * @param folder where relative paths of files begin
 */
export function startParameters(plugin: PluginScript, given: Readonly<Config>, folder = '.'): Config {
  const config: Config = {};
  for (const [name, { default: usual }] of Object.entries(plugin.meta?.parameters ?? {})) if (usual !== undefined) config[name] = usual;
  const checked = checkParameters(plugin, { ...config, ...given });
  const problems = readFiles(plugin, checked, folder);
  if (problems.length > 0) throw new ParameterError(plugin.name, problems);
  return checked;
}

/** Converts values to their declared types in place. Returns the problems. */
function wrongParameters(meta: PluginMeta, config: Config): WrongParameter[] {
  const problems: WrongParameter[] = [];
  for (const [name, given] of Object.entries(config)) {
    const declared = declarationOf(meta, name);
    if (declared === undefined) {
      problems.push(unknownParameter(meta, name));
      continue;
    }
    const value = declared.type === 'string' && typeof given === 'number' ? String(given) : given;
    if (fits(declared, value)) config[name] = value;
    else if (!isMissing(declared, value)) {
      const text = `must be ${boundsText(declared)}, not ${JSON.stringify(value)}`;
      problems.push({ parameter: name, text, hint: '', sentence: `parameter ${name} ${text}` });
    }
  }
  return problems;
}

function missingParameters({ parameters }: PluginMeta, config: Readonly<Config>): WrongParameter[] {
  const missing = Object.entries(parameters).filter(([name, declared]) => isMissing(declared, config[name]));
  const list = missing.map(([name, { summary }]) => `${name} (${summary})`).join(', ');
  return missing.map(([parameter, { summary }], i) => {
    const sentence = i > 0 ? '' : `missing parameter${missing.length > 1 ? 's' : ''}: ${list}`;
    return { parameter, text: 'is missing', hint: summary.replace(/\.$/, ''), sentence };
  });
}

/** Tells whether a required parameter is missing; a required text must not be empty. */
const isMissing = ({ type, required }: ParameterMeta, value: ConfigValue | undefined): boolean =>
  required === true && (value === undefined || (type === 'string' && value === ''));

const ZONES = 'Give UTC, Local, an offset such as +02:00, or a name such as Europe/Berlin';

function unknownZone(zone: string): WrongParameter {
  const said = `there is no time zone ${zone}`;
  return { parameter: 'tz', text: said, hint: ZONES.replace('Give', 'give'), sentence: `${said}. ${ZONES}` };
}

/** Returns the zone under a name for the sandbox, which does not know the local zone; undefined when there is no such zone. */
function zoneName(zone: string): string | undefined {
  if (/^(UTC|[+-]\d\d:?\d\d)$/.test(zone)) return zone;
  if (zone === 'Local') return new Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    return undefined;
  }
}

function declarationOf({ parameters }: PluginMeta, name: string): ParameterMeta | undefined {
  const known = { ...COMMON, ...parameters };
  return Object.hasOwn(known, name) ? known[name] : undefined;
}

function unknownParameter({ parameters }: PluginMeta, parameter: string): WrongParameter {
  const names = Object.keys(parameters);
  const list = names.length > 0 ? names.join(', ') : 'none';
  const near = suggest(parameter, names);
  const sentence = `unknown parameter ${parameter}${near === undefined ? ` (it takes ${list})` : `; did you mean ${near}?`}`;
  return { parameter, text: 'is unknown', hint: near === undefined ? `it takes ${list}` : `did you mean ${near}?`, sentence };
}

/** Converts a text to a declared type. An unsuitable text stays a text, and the check refuses it. */
function parseText({ type }: ParameterMeta, text: string): ConfigValue {
  if (type === 'string') return text;
  return (type === 'bool' ? BOOLS[text.trim().toLowerCase()] : numberOf(text)) ?? text;
}

const BOOLS: Readonly<Record<string, boolean>> = { true: true, false: false };

function numberOf(text: string): number | undefined {
  return /^\s*[+-]?(\d[\d_]*\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text.replaceAll('_', '')) : undefined;
}

/** Converts a text whose parameter is not declared, by its form. */
function guess(text: string): ConfigValue {
  return BOOLS[text] ?? numberOf(text) ?? text;
}
