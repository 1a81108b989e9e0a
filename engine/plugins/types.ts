import type { ConfigValue, SandboxKind } from '../sandbox/types.ts';

export const KINDS = ['input', 'decoder', 'filter', 'encoder', 'output'] as const satisfies readonly SandboxKind[];
export const PARAMETER_TYPES = ['string', 'bool', 'int', 'uint', 'number'] as const;

/** A parameter as a script's meta declares it. */
export interface ParameterMeta {
  readonly type: (typeof PARAMETER_TYPES)[number];
  readonly summary: string;
  /** The value that `read_config` gives when the parameter is not set. */
  readonly default?: ConfigValue;
  readonly required?: boolean;
  /** Bounds of a number, which it may reach. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** The only texts that it may be. */
  readonly values?: readonly string[];
  /** The language of a text. */
  readonly format?: 'regexp';
}

/** How a decoder's files are cut into records; patterns are of RE2 syntax. */
export type SplitMeta =
  | 'line'
  /** The whole file is one record. */
  | 'none'
  /** In front of each line that begins so; `preamble` is the form of lines in front of all records. */
  | { readonly before: string; readonly preamble?: string }
  /** Between records stands this, which is thrown away. */
  | { readonly between: string }
  /** Lines, and line ends in quoted values; the parameter that holds the delimiter. */
  | { readonly csv: string };

/** Forms that need more than patterns: the engine reads them, and finds out the parameters. */
export const LOOK_FORMS = ['nginx_access', 'apache_access', 'json_lines', 'logfmt', 'key_value', 'columns'] as const;
export type LookForm = (typeof LOOK_FORMS)[number];

/** What the files of a decoder look like: all that is given must hold. Patterns are of RE2 syntax. */
export interface LookMeta {
  /** Patterns that all occur in the beginning of the file. */
  readonly text: readonly string[];
  /** Patterns of which none occurs there. */
  readonly without: readonly string[];
  /** Patterns that all occur in a line that has the form. */
  readonly lines: readonly string[];
  /** The same of a record, as the decoder has its files cut. */
  readonly records: readonly string[];
  /** Patterns of which none occurs in a line or record that has the form. */
  readonly not: readonly string[];
  /** The least part of the lines or records that have the form, 0 to 1. */
  readonly least: number;
  /** Lines that there are at least. */
  readonly fewest: number;
  readonly form: LookForm | null;
  /** Parameters that the decoder then has, one set after the other; `{name}` in a text stands for the named group of `text`. */
  readonly configs: readonly Readonly<Record<string, ConfigValue>>[];
  /** Looks of a smaller rank are tried first. */
  readonly rank: number;
}

/** What a script says about itself in `export const meta`. */
export interface PluginMeta {
  readonly name: string;
  readonly kind: SandboxKind;
  readonly summary: string;
  /** Of a decoder: no record depends on those before it. */
  readonly stateless: boolean;
  readonly parameters: Readonly<Record<string, ParameterMeta>>;
  /** Of a decoder: how its files are cut into records; by lines when absent. */
  readonly split?: SplitMeta;
  /** Of a decoder: fields that a table of its records shows, the most telling first; absent: those that the first records have. */
  readonly columns?: readonly string[];
  /** Of a decoder: alternatives; absent: it is never recognised. */
  readonly looks?: readonly LookMeta[];
}

/** A script that can be run. */
export interface PluginScript {
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  /** null: the script says nothing about itself, so its parameters are not checked. */
  readonly meta: PluginMeta | null;
}
