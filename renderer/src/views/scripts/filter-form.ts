import type { FilterSection, ScriptAbout } from '../../../../engine/api/types.ts';
import { freeName, USUAL_LIMITS, USUAL_MATCHER } from '../../lib/sources/filter-section.ts';
import { configOf, formOf, NUMBER, type ConfigValues, type FormValues } from '../../lib/sources/decoder-form.ts';

/** The values in the form of a filter. Numbers are texts until they are read. */
export interface FilterFields {
  readonly name: string;
  readonly script: string;
  readonly bundled: boolean;
  readonly matcher: string;
  readonly ticker: string;
  /** Sections of inputs; null: all. */
  readonly inputs: readonly string[] | null;
  readonly memory: string;
  readonly instructions: string;
  readonly output: string;
  readonly parameters: FormValues;
  /** Settings that the script does not declare, one per line: `name = value`. */
  readonly others: string;
}

export type FilterCheck =
  { readonly ok: true; readonly filter: FilterSection } | { readonly ok: false; readonly field: string; readonly text: string };

/** A form for a new filter. @param taken existing names */
export function newFields(about: ScriptAbout, bundled: boolean, input: string | null, taken: readonly string[]): FilterFields {
  return {
    name: freeName(nameOf(about.script), taken),
    script: about.script,
    bundled,
    matcher: USUAL_MATCHER,
    ticker: about.ticks ? '60' : '0',
    inputs: input === null ? null : [input],
    ...limitTexts(USUAL_LIMITS),
    parameters: formOf(about.parameters ?? [], {}),
    others: '',
  };
}

/** A form for an existing filter. @param about null: there is no description of its script */
export function fieldsOfSection(section: FilterSection, about: ScriptAbout | null): FilterFields {
  const { name, script, bundled, matcher, ticker, inputs, limits, config } = section;
  const declared = about?.parameters ?? [];
  const others = Object.entries(config).filter(([key]) => !declared.some((one) => one.name === key));
  return {
    name,
    script,
    bundled,
    matcher,
    ticker: String(ticker),
    inputs,
    ...limitTexts(limits),
    parameters: formOf(declared, config),
    others: others.map(([key, value]) => `${key} = ${typeof value === 'string' ? JSON.stringify(value) : value}`).join('\n'),
  };
}

/** Reads a form. */
export function readFields(fields: FilterFields, about: ScriptAbout | null): FilterCheck {
  const { script, bundled, inputs } = fields;
  const name = fields.name.trim();
  if (!/^\w[\w .-]*$/.test(name)) return wrong('name', 'A name has letters, digits, “_”, “-” and “.”.');
  if (fields.matcher.trim() === '') return wrong('matcher', 'A matcher is needed; TRUE selects everything.');
  const ticker = wholeNumber(fields.ticker);
  if (ticker === null) return wrong('ticker', 'The seconds between two ticks are a whole number; 0 is none.');
  if (inputs !== null && inputs.length === 0) return wrong('inputs', 'Choose at least one source, or all of them.');
  const memory = wholeNumber(fields.memory);
  const instructions = wholeNumber(fields.instructions);
  const output = wholeNumber(fields.output);
  if (memory === null || instructions === null || output === null) return wrong('limits', 'Limits are whole numbers; 0 is none.');
  const declared = configOf(about?.parameters ?? [], fields.parameters);
  if (!declared.ok) return wrong(declared.parameter, declared.text);
  const others = readSettings(fields.others);
  if (others === null) return wrong('others', 'Write one setting a line, such as: rows = 1440');
  const config = { ...others, ...declared.config };
  const limits = { memory, instructions, output };
  return { ok: true, filter: { name, script, bundled, matcher: fields.matcher.trim(), ticker, config, inputs, limits } };
}

const wrong = (field: string, text: string): FilterCheck => ({ ok: false, field, text });

function limitTexts({ memory, instructions, output }: FilterSection['limits']): Pick<FilterFields, 'memory' | 'instructions' | 'output'> {
  return { memory: String(memory), instructions: String(instructions), output: String(output) };
}

function wholeNumber(text: string): number | null {
  const digits = text.replaceAll(/[\s_,]/g, '');
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

/** Lines of `name = value`; texts may stand in quotes. null: one of them is no setting */
function readSettings(text: string): ConfigValues | null {
  const config: ConfigValues = {};
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const found = /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(line);
    if (found === null) return null;
    const [, name = '', value = ''] = found;
    config[name] = readValue(value);
  }
  return config;
}

function readValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  if (NUMBER.test(text)) return Number(text);
  if (!/^".*"$/.test(text)) return text.replace(/^'(.*)'$/, '$1');
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}

const nameOf = (script: string): string =>
  script
    .replace(/^.*[\\/]/, '')
    .replace(/\.\w+$/, '')
    .replaceAll(/[^\w.-]/g, '_');
