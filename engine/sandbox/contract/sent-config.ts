import type { ConfigValue } from './types.ts';

/** Parameters of a script on their way into its isolate, as JSON: a number that JSON does not have is a list of its text. */
export type SentConfig = Readonly<Record<string, ConfigValue | readonly [number: string]>>;

export function sentConfig(config: Readonly<Record<string, ConfigValue>>): SentConfig {
  const known = Object.entries(config).filter(([, value]) => typeof value !== 'object');
  return Object.fromEntries(known.map(([name, value]) => [name, sentValue(value)]));
}

function sentValue(value: ConfigValue): ConfigValue | readonly [string] {
  if (typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0))) return value;
  return [value === 0 ? '-0' : String(value)];
}
