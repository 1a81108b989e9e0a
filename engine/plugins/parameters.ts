import { EngineError } from '../errors.ts';
import type { ConfigValue } from '../sandbox/types.ts';
import { hint } from '../suggest.ts';
import type { ParameterMeta, PluginScript } from './types.ts';

export type Config = Record<string, ConfigValue>;

/** Parameters that every decoder and encoder may have, whatever its meta says. */
const COMMON: Readonly<Record<string, ParameterMeta>> = {
  tz: { type: 'string', summary: 'Zone of times without one: UTC, an offset such as +02:00, Local, or an IANA name.' },
};

/**
 * Gives the texts of a command line the types that the script declares.
 * @throws {EngineError} `plugin.parameter`: one is unknown, wrong or missing
 */
export function parseParameters(plugin: PluginScript, texts: Readonly<Record<string, string>>): Config {
  const config: Config = {};
  for (const [name, text] of Object.entries(texts)) {
    const declared = plugin.meta === null ? undefined : declaration(plugin, name);
    config[name] = declared === undefined ? guess(text) : parseValue(plugin, name, declared, text);
  }
  return checkParameters(plugin, config);
}

/**
 * Checks parameters against what the script declares; a number for a text is its digits. A script without meta takes what it is given.
 * @returns the parameters
 * @throws {EngineError} `plugin.parameter`: one is unknown, of the wrong type, or missing
 */
export function checkParameters(plugin: PluginScript, config: Readonly<Config>): Config {
  if (plugin.meta === null) return withZone(plugin, config);
  const checked: Config = {};
  for (const [name, given] of Object.entries(config)) {
    const { type } = declaration(plugin, name);
    const value = type === 'string' && typeof given === 'number' ? String(given) : given;
    if (!fits(type, value)) throw refuse(plugin, `parameter ${name} must be ${WORDS[type]}, not ${JSON.stringify(value)}`);
    checked[name] = value;
  }
  const missing = Object.entries(plugin.meta.parameters).filter(([name, { required }]) => required === true && !(name in config));
  if (missing.length > 0) {
    const list = missing.map(([name, { summary }]) => `${name} (${summary})`).join(', ');
    throw refuse(plugin, `missing parameter${missing.length > 1 ? 's' : ''}: ${list}`);
  }
  return withZone(plugin, checked);
}

/** A sandbox knows no zone but UTC: `Local` goes in by its name, and a zone that there is not is refused here. */
function withZone(plugin: PluginScript, config: Readonly<Config>): Config {
  const { tz } = config;
  if (typeof tz !== 'string' || /^(UTC|[+-]\d\d:?\d\d)$/.test(tz)) return { ...config };
  if (tz === 'Local') return { ...config, tz: new Intl.DateTimeFormat().resolvedOptions().timeZone };
  try {
    new Intl.DateTimeFormat('en', { timeZone: tz });
  } catch (error) {
    const text = `${plugin.name}: there is no time zone ${tz}. Give UTC, Local, an offset such as +02:00, or a name such as Europe/Berlin`;
    throw new EngineError('plugin.parameter', text, { cause: error });
  }
  return { ...config };
}

const WORDS = {
  string: 'a text',
  bool: 'true or false',
  int: 'a whole number',
  uint: 'a whole number from 0 on',
  number: 'a number',
} as const;

function declaration(plugin: PluginScript, name: string): ParameterMeta {
  const parameters = { ...COMMON, ...plugin.meta?.parameters };
  const declared = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (declared) return declared;
  const names = Object.keys(plugin.meta?.parameters ?? {});
  const known = names.length > 0 ? ` It takes: ${names.join(', ')}.` : ' It takes none.';
  throw refuse(plugin, `unknown parameter ${name}${hint(name, names) || '.'}${known}`);
}

function fits(type: ParameterMeta['type'], value: ConfigValue): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'bool':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number';
    case 'int':
      return Number.isInteger(value);
    case 'uint':
      return Number.isInteger(value) && (value as number) >= 0;
  }
}

function parseValue(plugin: PluginScript, name: string, { type }: ParameterMeta, text: string): ConfigValue {
  const value = type === 'string' ? text : type === 'bool' ? BOOLS[text.trim().toLowerCase()] : numberOf(text);
  if (value === undefined || !fits(type, value)) throw refuse(plugin, `parameter ${name} must be ${WORDS[type]}, not '${text}'`);
  return value;
}

const BOOLS: Readonly<Record<string, boolean>> = { true: true, false: false };

function numberOf(text: string): number | undefined {
  return /^\s*[+-]?(\d[\d_]*\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text.replaceAll('_', '')) : undefined;
}

/** The type of a value whose parameter is not declared. */
function guess(text: string): ConfigValue {
  return BOOLS[text] ?? numberOf(text) ?? text;
}

function refuse(plugin: PluginScript, what: string): EngineError {
  return new EngineError('plugin.parameter', `${plugin.name}: ${what}`);
}
