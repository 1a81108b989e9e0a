/**
 * Parameters of a plugin with their types. Defaults and bounds belong into the parameters of its `meta`; a fallback is for one that has no default there.
 * A value of another type, or none where there is neither, is an error at load.
 */
import { checkString } from '../base/arguments.ts';
import { words } from '../base/fields.ts';
import { HEADERS, NUMBER_HEADERS } from '../base/headers.ts';

/** A text. */
export function stringConfig(name: string): string;
export function stringConfig<Fallback extends string | null>(name: string, fallback: Fallback): string | Fallback;
export function stringConfig(name: string, fallback?: string | null): string | null {
  const value = valueOf(name, fallback);
  if (value !== null && typeof value !== 'string') throw new TypeError(`${name} must be a string`);
  return value;
}

/** A text that must be set. */
export function requiredString(name: string): string {
  const value = stringConfig(name);
  if (value === '') throw new TypeError(`${name} must be set`);
  return value;
}

const TEXTS = HEADERS.filter((name) => !NUMBER_HEADERS.includes(name));
const VARIABLES = [...TEXTS, 'Uuid', 'Timestamp', ...NUMBER_HEADERS, 'raw'];

/** A variable of messages, as `read_message` takes it: a header such as `Hostname`, or `Fields[name]`. */
export function variableConfig(name: string): string;
export function variableConfig<Fallback extends string | null>(name: string, fallback: Fallback): string | Fallback;
export function variableConfig(name: string, fallback?: string | null): string | null {
  const variable = stringConfig(name, fallback as string);
  if (variable === null || VARIABLES.includes(variable) || /^Fields\[.+\]$/s.test(variable)) return variable;
  throw new TypeError(
    `${name} is not a variable of a message: ${JSON.stringify(variable)}; write Fields[name], or one of ${VARIABLES.join(', ')}`,
  );
}

/** A name of a field, as it stands between the brackets of `Fields[name]`. */
export function fieldConfig(name: string): string {
  return fieldName(name, stringConfig(name));
}

/** Names of fields, separated by blanks. */
export function fieldsConfig(name: string, fallback?: string | null): string[] {
  return words(stringConfig(name, fallback as string)).map((word) => fieldName(name, word));
}

function fieldName(parameter: string, name: string): string {
  const inner = /^Fields\[(.*)\]$/s.exec(name)?.[1];
  if (inner === undefined && name !== '') return name;
  throw new TypeError(name === '' ? `${parameter} names no field` : `${parameter}: write ${inner}, not ${name}: it names fields`);
}

/** A regular expression. */
export function patternConfig(name: string, fallback?: string): RegExp {
  const source = stringConfig(name, fallback as string);
  try {
    return new RegExp(source);
  } catch (error) {
    throw new TypeError(`${name} is not a regular expression: ${source}`, { cause: error });
  }
}

/** A parameter that is true or false. */
export function boolConfig(name: string, fallback?: boolean): boolean {
  const value = valueOf(name, fallback);
  if (typeof value !== 'boolean') throw new TypeError(`${name} must be true or false`);
  return value;
}

/** A whole number of at least `minimum`. */
export function uintConfig(name: string, fallback?: number, minimum = 0): number {
  const value = valueOf(name, fallback);
  if (typeof value !== 'number' || !Number.isInteger(value) || value < minimum) {
    throw new TypeError(`${name} must be a whole number of at least ${minimum}`);
  }
  return value;
}

/** A whole number. */
export function intConfig(name: string): number;
export function intConfig<Fallback extends number | null>(name: string, fallback: Fallback): number | Fallback;
export function intConfig(name: string, fallback?: number | null): number | null {
  const value = valueOf(name, fallback);
  if (value !== null && !(typeof value === 'number' && Number.isInteger(value))) throw new TypeError(`${name} must be a whole number`);
  return value;
}

/** A whole number of at least `minimum` that must be set. */
export function requiredUint(name: string, minimum = 0): number {
  return uintConfig(name, undefined, minimum);
}

/** A number from `minimum` to `maximum`. */
export function numberConfig(name: string, fallback?: number, minimum = -Infinity, maximum = Infinity): number {
  const value = valueOf(name, fallback);
  if (typeof value === 'number' && value >= minimum && value <= maximum) return value;
  throw new TypeError(`${name} must be a number${minimum > -Infinity || maximum < Infinity ? ` from ${minimum} to ${maximum}` : ''}`);
}

function valueOf(name: string, fallback: Scalar | null | undefined): Scalar | null {
  checkString('read_config', 1, name);
  const value = read_config(name) ?? fallback;
  if (value === undefined) throw new TypeError(`${name} must be set`);
  return value;
}
