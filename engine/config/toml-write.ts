import { isTable } from './document.ts';

/** A value that a section can hold. */
export type ConfigData = string | number | boolean | Date | readonly ConfigData[] | { readonly [key: string]: ConfigData };

/** Values of a section to write; tables in it become subsections. */
export type SectionData = Readonly<Record<string, ConfigData>>;

/** Formats a key, in quotes when it needs them. */
export function formatKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : formatText(key, false);
}

export const formatPath = (path: readonly string[]): string => path.map(formatKey).join('.');

/** Formats a value as TOML on one line; tables become inline tables. */
export function formatValue(value: ConfigData): string {
  if (typeof value === 'string') return formatText(value, true);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return formatNumber(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `[${value.map(formatValue).join(', ')}]`;
  const entries = Object.entries(value).map(([key, inner]) => `${formatKey(key)} = ${formatValue(inner)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function formatNumber(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return value.toExponential();
  return Object.is(value, -0) ? '-0.0' : String(value);
}

/** Formats a text, in single quotes where they save escapes, as in matchers, paths and regular expressions. */
function formatText(text: string, literal: boolean): string {
  if (literal && /["\\]/.test(text) && !/['\p{Cc}]/u.test(text)) return `'${text}'`;
  const escaped = text.replace(/["\\\p{Cc}]/gu, (char) => ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `"${escaped}"`;
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Formats a section as TOML lines with line ends: its header, its values, then its tables, each under a header of its own.
 */
export function formatTable(path: readonly string[], values: SectionData, newline: string): string {
  const tables = Object.entries(values).filter((entry): entry is [string, Readonly<Record<string, ConfigData>>] => isTable(entry[1]));
  const plain = Object.entries(values).filter(([, value]) => !isTable(value));
  const lines = [`[${formatPath(path)}]`, ...plain.map(([key, value]) => `${formatKey(key)} = ${formatValue(value)}`)];
  const own = lines.map((line) => line + newline).join('');
  return own + tables.map(([key, table]) => newline + formatTable([...path, key], table, newline)).join('');
}

/** Normalizes data for a comparison: dates by their time, zero without sign. */
export function comparable(value: unknown): unknown {
  if (value instanceof Date) return { date: value.getTime() };
  if (Array.isArray(value)) return value.map(comparable);
  if (isTable(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, comparable(inner)]));
  return value === 0 ? 0 : value;
}
