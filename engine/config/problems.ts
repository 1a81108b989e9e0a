import type { z } from 'zod';
import type { EndCode } from '../api/ends.ts';
import type { ErrorCode } from '../api/errors.ts';
import { nearOrAll, suggest } from '../base/text/suggest.ts';

/** Code of a problem: an error's, or, when a script does not load, its end's. */
export type ProblemCode = ErrorCode | EndCode;

/** One thing that is wrong with a configuration. */
export interface ConfigProblem {
  readonly code: ProblemCode;
  readonly file: string;
  /** 1-based line in the file; 0: the problem is the file itself. */
  readonly line: number;
  /** Name of the section; empty outside of all sections. */
  readonly section: string;
  /** The parameter, dotted when it lies in a subsection; empty when the section as a whole is meant. */
  readonly key: string;
  /** Description of the problem, one sentence. */
  readonly text: string;
  /** Suggested remedy; empty when the text says enough. */
  readonly hint: string;
}

/** A problem as one line: `file:line: [section] key: text (hint)`. */
export function formatProblem({ file, line, section, key, text, hint }: ConfigProblem): string {
  const place = line > 0 ? `${file}:${line}` : file;
  const name = [section === '' ? '' : `[${section}]`, key].filter((part) => part !== '').join(' ');
  return `${place}: ${name === '' ? '' : `${name}: `}${text}${hint === '' ? '' : ` (${hint})`}`;
}

/** A problem with the parameter at `path` of a section. */
export interface Finding {
  /** `config.parameter` when it is absent. */
  readonly code?: ProblemCode;
  readonly path: readonly PropertyKey[];
  readonly text: string;
  readonly hint: string;
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'a text in quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a table',
  record: 'a table',
};

/** Joins the values that a parameter may have. */
/** Made when it is needed: what ICU has of a language takes milliseconds to load. */
const oneOf = (choices: readonly string[]): string => new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices);

/** Converts the issues of a schema into findings with our texts. `names` lists the parameters that may stand in a table of the section. */
export function findingsOf(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  names: (path: readonly PropertyKey[]) => readonly string[],
): Finding[] {
  return issues.flatMap((issue): Finding[] => {
    const { path } = issue;
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownName([...path, key], key, names(path)));
    const given = valueAt(value, path);
    switch (issue.code) {
      case 'invalid_type':
        if (given === undefined) return [{ path, text: 'is required', hint: '' }];
        return [{ path, text: `must be ${WORDS[issue.expected] ?? issue.expected}, not ${show(given)}`, hint: '' }];
      case 'invalid_value': {
        const choices = issue.values.map((choice) => (choice === '' ? '""' : String(choice)));
        const near = typeof given === 'string' ? suggest(given, choices) : undefined;
        return [{ path, text: `must be ${oneOf(choices)}, not ${show(given)}`, hint: near ? `did you mean ${near}?` : '' }];
      }
      case 'too_small':
        if (issue.origin === 'array' || issue.origin === 'string') return [{ path, text: 'must not be empty', hint: '' }];
        return [{ path, text: `must be at least ${issue.minimum}, not ${show(given)}`, hint: '' }];
      case 'too_big':
        return [{ path, text: `must be at most ${issue.maximum}, not ${show(given)}`, hint: '' }];
      case 'invalid_key':
        return [{ path, text: issue.issues[0]?.message ?? issue.message, hint: '' }];
      case 'custom': {
        const hint: unknown = issue.params?.hint;
        return [{ path, text: issue.message, hint: typeof hint === 'string' ? hint : '' }];
      }
      default:
        return [{ path, text: issue.message, hint: '' }];
    }
  });
}

function unknownName(path: readonly PropertyKey[], key: string, names: readonly string[]): Finding {
  return { path, text: 'is not a parameter of this section', hint: nearOrAll(key, names) };
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return at;
}

/** Formats a value for an error, shortened. */
export function show(value: unknown): string {
  if (value instanceof Date) return 'a date';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a table';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}
