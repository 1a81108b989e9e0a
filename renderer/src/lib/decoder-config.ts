export type ConfigValues = Record<string, string | number | boolean>;

/** A line that is no setting, for the one who wrote it. */
export class ConfigLineError extends Error {
  readonly line: number;

  constructor(line: number, text: string) {
    super(`Line ${line} is no setting: “${text}”. Write key = value.`);
    this.name = 'ConfigLineError';
    this.line = line;
  }
}

/**
 * Reads settings, one `key = value` a line. Whole numbers, decimals, `true` and `false` are what they look like; quotes keep a text a text.
 * @throws {ConfigLineError}
 */
export function parseConfig(text: string): ConfigValues {
  const values: ConfigValues = {};
  for (const [index, line] of text.split('\n').entries()) {
    const bare = line.trim();
    if (bare === '' || bare.startsWith('#')) continue;
    const found = /^([A-Za-z_][\w.-]*)\s*=\s*(.*)$/.exec(bare);
    if (found === null) throw new ConfigLineError(index + 1, bare);
    values[found[1] as string] = readValue(found[2] as string);
  }
  return values;
}

function readValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  const quoted = /^(["'])(.*)\1$/.exec(text);
  return quoted?.[2] ?? text;
}

/** The settings as lines that read back the same. */
export function writeConfig(values: Readonly<ConfigValues>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} = ${typeof value === 'string' && readValue(value) !== value ? `"${value}"` : value}`)
    .join('\n');
}
