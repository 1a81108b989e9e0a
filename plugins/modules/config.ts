/** Parameters of a plugin with their types. A value of another type or a missing one without a default is an error at load. */

/** A text; `fallback` when it is not set. */
export function stringConfig<Fallback extends string | null>(name: string, fallback: Fallback): string | Fallback {
  const value = read_config(name);
  if (value === null) return fallback;
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string`);
  return value;
}

/** A text that must be set. */
export function requiredString(name: string): string {
  const value = stringConfig(name, null);
  if (value === null || value === '') throw new TypeError(`${name} must be set`);
  return value;
}

/** A regular expression. */
export function patternConfig(name: string, fallback: string): RegExp {
  const source = stringConfig(name, fallback);
  try {
    return new RegExp(source);
  } catch (error) {
    throw new TypeError(`${name} is no regular expression: ${source}`, { cause: error });
  }
}

export function boolConfig(name: string, fallback: boolean): boolean {
  const value = read_config(name) ?? fallback;
  if (typeof value !== 'boolean') throw new TypeError(`${name} must be true or false`);
  return value;
}

/** A whole number of at least `minimum`. */
export function uintConfig(name: string, fallback: number, minimum = 0): number {
  const value = read_config(name) ?? fallback;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < minimum) {
    throw new TypeError(`${name} must be a whole number of at least ${minimum}`);
  }
  return value;
}

/** A whole number; `fallback` when it is not set. */
export function intConfig<Fallback extends number | null>(name: string, fallback: Fallback): number | Fallback {
  const value = read_config(name);
  if (value === null) return fallback;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new TypeError(`${name} must be a whole number`);
  return value;
}

/** A whole number of at least `minimum` that must be set. */
export function requiredUint(name: string, minimum: number): number {
  if (read_config(name) === null) throw new TypeError(`${name} must be set`);
  return uintConfig(name, minimum, minimum);
}

/** A number from `minimum` to `maximum`. */
export function numberConfig(name: string, fallback: number, minimum: number, maximum: number): number {
  const value = read_config(name) ?? fallback;
  if (typeof value === 'number' && value >= minimum && value <= maximum) return value;
  throw new TypeError(`${name} must be a number from ${minimum} to ${maximum}`);
}
