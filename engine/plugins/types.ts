import type { ConfigValue, SandboxKind } from '../sandbox/contract/types.ts';

export const KINDS = ['input', 'decoder', 'filter', 'encoder', 'output'] as const satisfies readonly SandboxKind[];
export const PARAMETER_TYPES = ['string', 'bool', 'int', 'uint', 'number'] as const;

/** Declaration of a parameter in a script's meta. */
export interface ParameterMeta {
  readonly type: (typeof PARAMETER_TYPES)[number];
  readonly summary: string;
  /** The value that `read_config` gives when the parameter is not set. */
  readonly default?: ConfigValue;
  readonly required?: boolean;
  /** Inclusive bounds of a number. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** The only allowed texts. */
  readonly values?: readonly string[];
  /** The language of a text; `files`: paths, whose texts the script gets (bundled scripts only). */
  readonly format?: 'regexp' | 'files';
}

/** Rule that cuts a decoder's files into records; patterns use RE2 syntax. */
export type SplitMeta =
  | 'line'
  /** The whole file is one record. */
  | 'none'
  /** Entries of `journalctl -o export`. */
  | 'journal'
  /** Lines of logs of containers, those in pieces together. */
  | 'container'
  /** Objects of JSON, over several lines or several in one. */
  | 'json'
  /** Messages of syslog with counts of octets. */
  | 'octets'
  /** A record begins at each line that begins with `before`; `preamble` matches lines before all records. */
  | { readonly before: string; readonly preamble?: string }
  /** Records are separated by matches of a pattern, which are dropped. */
  | { readonly between: string }
  /** Lines with possible line ends in quoted values; `csv` names the parameter that holds the delimiter. */
  | { readonly csv: string }
  /** One rule for each value of a parameter, `by`. */
  | { readonly by: string; readonly cases: Readonly<Record<string, SplitMeta>> };

/** Forms that patterns cannot describe: the engine recognises them and finds the parameters. */
export const LOOK_FORMS = ['nginx_access', 'apache_access', 'json_lines', 'logfmt', 'key_value', 'columns'] as const;
export type LookForm = (typeof LOOK_FORMS)[number];

/** Description of a decoder's files, by which they are recognised: all given conditions must hold. Patterns use RE2 syntax. */
export interface LookMeta {
  /** Patterns that all occur in the beginning of the file. */
  readonly text: readonly string[];
  /** Patterns of which none occurs there. */
  readonly without: readonly string[];
  /** Patterns that all occur in a matching line. */
  readonly lines: readonly string[];
  /** Patterns that all occur in a matching record, cut by the decoder's `split`. */
  readonly records: readonly string[];
  /** Patterns of which none occurs in a matching line or record. */
  readonly not: readonly string[];
  /** Required share of matching lines or records, 0 to 1. */
  readonly least: number;
  /** Fewest non-empty lines of the sample. */
  readonly fewest: number;
  readonly form: LookForm | null;
  /** Sets of parameters to try, in order; `{name}` in a text stands for that named group of `text`. */
  readonly configs: readonly Readonly<Record<string, ConfigValue>>[];
  /** Looks of a smaller rank are tried first. */
  readonly rank: number;
}

/** Self-description of a script, its `export const meta`. */
export interface PluginMeta {
  readonly name: string;
  readonly kind: SandboxKind;
  readonly summary: string;
  /** For a decoder: no record depends on earlier ones. */
  readonly stateless: boolean;
  /** For a decoder: records that it passes on as they are, are the header or comments of a file. */
  readonly comments?: boolean;
  readonly parameters: Readonly<Record<string, ParameterMeta>>;
  /** For a decoder: rule that cuts its files into records; by lines when absent. */
  readonly split?: SplitMeta;
  /** For a decoder: fields shown as table columns, the most telling first; absent: those of the first records. */
  readonly columns?: readonly string[];
  /** For a decoder: template of the summaries of its records (see `parseTemplate`); absent: their text or, without one, their fields. */
  readonly recordSummary?: string;
  /** For a decoder: alternative descriptions of its files; absent: they are never recognised. */
  readonly looks?: readonly LookMeta[];
}

/** A script that can be run. */
export interface PluginScript {
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  /** null when the script has no meta; its parameters are then not checked. */
  readonly meta: PluginMeta | null;
}
