import type { SplitOptions } from '../inputs/splitters/index.ts';
import { compilePattern, type Pattern } from '../matcher/regex/pattern.ts';
import { beforePattern } from './decoder-meta.ts';
import type { Config } from './parameters.ts';
import type { PluginMeta, PluginScript, SplitMeta } from './types.ts';

/** Values of a delimiter parameter that mean a tab. */
const TABS: ReadonlySet<string> = new Set(['tab', '\\t']);

/** A rule that does not depend on a parameter. */
export type SplitRule = Exclude<SplitMeta, { readonly by: string }>;

/** Returns the rule of a meta that holds with these parameters; by lines when it has none. */
export function splitRule(meta: PluginMeta | null, config: Readonly<Config>): SplitRule {
  const split = meta?.split ?? 'line';
  if (typeof split !== 'object' || !('by' in split)) return split;
  const value = String(config[split.by] ?? meta?.parameters[split.by]?.default ?? '');
  return Object.hasOwn(split.cases, value) ? (split.cases[value] as SplitRule) : 'line';
}

/** Returns the options for cutting a file into records for a decoder with these parameters, from its meta. */
export function decoderSplit({ meta }: Pick<PluginScript, 'meta'>, config: Readonly<Config> = {}): SplitOptions {
  const split = splitRule(meta, config);
  if (typeof split === 'string') return { kind: split };
  if ('between' in split) return { kind: 'regex', pattern: split.between };
  if ('csv' in split) return { kind: 'csv', delimiter: delimiterOf(meta, split.csv, config) };
  const { before, preamble } = split;
  const cut = { kind: 'regex', pattern: beforePattern(before), delimiterEol: false } as const;
  return preamble === undefined ? cut : { ...cut, preamble: new LineForm(preamble) };
}

function delimiterOf(meta: PluginMeta | null, parameter: string, config: Readonly<Config>): string {
  const delimiter = String(config[parameter] ?? meta?.parameters[parameter]?.default ?? ',');
  return TABS.has(delimiter) ? '\t' : delimiter;
}

/** Pattern of a line, compiled at its first use and matched in linear time. */
class LineForm {
  readonly source: string;
  #pattern: Pattern | null = null;

  constructor(source: string) {
    this.source = source;
  }

  test(line: string): boolean {
    this.#pattern ??= compilePattern(this.source);
    return this.#pattern.test(line, 0, line.length);
  }
}
