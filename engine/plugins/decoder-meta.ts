import { messageOf } from '../base/errors.ts';
import { hint } from '../base/text/suggest.ts';
import { compileDelimiter } from '../inputs/splitters/delimiter.ts';
import { compilePattern } from '../matcher/regex/pattern.ts';
import { parseTemplate } from '../message/summary/template.ts';
import type { ConfigValue } from '../sandbox/contract/types.ts';
import { LOOK_FORMS, type LookMeta, type PluginMeta, type SplitMeta } from './types.ts';

/** Default of `least`: share of lines that must match a look. */
const MOST = 0.6;
/** Limits of a meta, whose patterns are compiled and tried on each file. */
const MOST_PATTERNS = 20;
const MAX_PATTERN = 10_000;
const MOST_LOOKS = 20;
const MAX_RANK = 9;

/** Makes the error about a key of the meta. */
type Refuse = (key: string, why: string) => Error;
type DecoderKeys = Pick<PluginMeta, 'split' | 'columns' | 'recordSummary' | 'looks'>;
type Entries = Readonly<Record<string, unknown>>;

/** Reads the keys of a decoder's meta: `split`, `columns`, `recordSummary` and `looks`. Throws the errors that `refuse` makes. */
export function decoderKeys(meta: Entries, refuse: Refuse): DecoderKeys {
  const { kind, split, columns, recordSummary, looks } = meta;
  for (const [key, value] of Object.entries({ split, columns, recordSummary, looks }))
    if (value !== undefined && kind !== 'decoder') throw refuse(key, 'is for decoders alone');
  return {
    ...(split === undefined ? {} : { split: readSplit(split, meta['parameters'], refuse) }),
    ...(columns === undefined ? {} : { columns: texts(columns, 'columns', refuse) }),
    ...(recordSummary === undefined ? {} : { recordSummary: readTemplate(recordSummary, refuse) }),
    ...(looks === undefined ? {} : { looks: readLooks(looks, refuse) }),
  };
}

/** Checks that all patterns compile, which takes longer than reading them. Throws the errors that `refuse` makes. */
export function checkPatterns({ split, looks = [] }: DecoderKeys, refuse: Refuse): void {
  const check = (key: string, compile: () => unknown): void => {
    try {
      compile();
    } catch (error) {
      throw refuse(key, `is not a usable regular expression: ${messageOf(error)}`);
    }
  };
  for (const one of splitCases(split)) checkSplit(one, check);
  for (const [at, look] of looks.entries()) {
    for (const key of PATTERN_KEYS)
      for (const [i, pattern] of look[key].entries()) check(`looks[${at}].${key}[${i}]`, () => compilePattern(pattern));
  }
}

/** The rules that a split may come to. */
function splitCases(split: SplitMeta | undefined): readonly SplitMeta[] {
  if (split === undefined) return [];
  return typeof split === 'object' && 'by' in split ? Object.values(split.cases).flatMap(splitCases) : [split];
}

function checkSplit(split: SplitMeta, check: (key: string, compile: () => unknown) => void): void {
  if (typeof split === 'object' && 'before' in split) {
    const { before, preamble } = split;
    check('split.before', () => compileDelimiter(beforePattern(before)));
    if (preamble !== undefined) check('split.preamble', () => compilePattern(preamble));
  }
  if (typeof split === 'object' && 'between' in split) check('split.between', () => compileDelimiter(split.between));
}

/** Returns the delimiter before each line that begins with a pattern, perhaps behind a byte order mark. */
export const beforePattern = (start: string): string => `\\n((?:\ufeff)?(?:${start}))`;

const WHOLE_RULES = ['line', 'none', 'journal', 'container', 'json', 'octets'] as const;

function readSplit(value: unknown, parameters: unknown, refuse: Refuse): SplitMeta {
  if (WHOLE_RULES.some((rule) => rule === value)) return value as (typeof WHOLE_RULES)[number];
  if (!isRecord(value))
    throw refuse('split', "must be 'line', 'none', 'journal', 'container', 'json', 'octets', or an object with before, between, csv or by");
  if (value['by'] !== undefined) return readCases(value, parameters, refuse);
  const { before, preamble, between, csv, ...others } = value;
  const [other] = Object.keys(others);
  if (other !== undefined) throw refuse(`split.${other}`, `is not known${hint(other, ['before', 'preamble', 'between', 'csv', 'by'])}`);
  if ([before, between, csv].filter((one) => one !== undefined).length !== 1)
    throw refuse('split', 'must have one of before, between and csv');
  if (preamble !== undefined && before === undefined) throw refuse('split.preamble', 'needs before');
  if (csv !== undefined) {
    if (typeof csv !== 'string' || !isRecord(parameters) || !Object.hasOwn(parameters, csv))
      throw refuse('split.csv', 'must name a parameter');
    return { csv };
  }
  if (between !== undefined) return { between: patternOf(between, 'split.between', refuse) };
  return {
    before: patternOf(before, 'split.before', refuse),
    ...(preamble === undefined ? {} : { preamble: patternOf(preamble, 'split.preamble', refuse) }),
  };
}

function readCases({ by, cases, ...others }: Entries, parameters: unknown, refuse: Refuse): SplitMeta {
  const [other] = Object.keys(others);
  if (other !== undefined) throw refuse(`split.${other}`, 'is not known beside by');
  if (typeof by !== 'string' || !isRecord(parameters) || !Object.hasOwn(parameters, by)) throw refuse('split.by', 'must name a parameter');
  if (!isRecord(cases) || Object.keys(cases).length === 0) throw refuse('split.cases', `must have a rule for each value of ${by}`);
  const read = Object.entries(cases).map(([name, one]): [string, SplitMeta] => {
    if (isRecord(one) && one['by'] !== undefined) throw refuse(`split.cases.${name}`, 'must not have cases itself');
    return [name, readSplit(one, parameters, (key, why) => refuse(key.replace(/^split/, `split.cases.${name}`), why))];
  });
  return { by, cases: Object.fromEntries(read) };
}

const PATTERN_KEYS = ['text', 'without', 'lines', 'records', 'not'] as const;
const LOOK_KEYS: readonly string[] = [...PATTERN_KEYS, 'least', 'fewest', 'form', 'config', 'rank'];

function readLooks(value: unknown, refuse: Refuse): LookMeta[] {
  if (!Array.isArray(value) || value.length > MOST_LOOKS) throw refuse('looks', `must be a list of ${MOST_LOOKS} at most`);
  return value.map((look: unknown, at) => readLook(look, (key, why) => refuse(`looks[${at}]${key === '' ? '' : '.'}${key}`, why)));
}

function readLook(value: unknown, refuse: Refuse): LookMeta {
  if (!isRecord(value)) throw refuse('', 'must be an object');
  const other = Object.keys(value).find((key) => !LOOK_KEYS.includes(key));
  if (other !== undefined) throw refuse(other, `is not known${hint(other, LOOK_KEYS)}`);
  const { least = MOST, fewest = 1, rank = 0, form } = value;
  if (typeof least !== 'number' || !(least > 0 && least <= 1)) throw refuse('least', 'must be a part, above 0 and 1 at most');
  if (!isWhole(fewest) || fewest < 1) throw refuse('fewest', 'must be a whole number from 1 on');
  if (!isWhole(rank) || rank < 0 || rank > MAX_RANK) throw refuse('rank', `must be a whole number, 0 to ${MAX_RANK}`);
  const known = form === undefined ? null : LOOK_FORMS.find((one) => one === form);
  if (known === undefined)
    throw refuse('form', `must be one of ${LOOK_FORMS.join(', ')}${typeof form === 'string' ? hint(form, LOOK_FORMS) : ''}`);
  const [text, without, lines, records, not] = PATTERN_KEYS.map((key) => patternsOf(value[key], key, refuse)) as [
    string[],
    string[],
    string[],
    string[],
    string[],
  ];
  if (known === null && text.length + lines.length + records.length === 0)
    throw refuse('', 'must have text, lines, records or form: else it would fit every file');
  return { text, without, lines, records, not, least, fewest, form: known, configs: configsOf(value['config'], refuse), rank };
}

function patternsOf(value: unknown, key: string, refuse: Refuse): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [patternOf(value, key, refuse)];
  if (value.length > MOST_PATTERNS) throw refuse(key, `must be a list of ${MOST_PATTERNS} at most`);
  return value.map((one: unknown, i) => patternOf(one, `${key}[${i}]`, refuse));
}

/** Flags of JavaScript that RE2 has too. */
const FLAGS = /^[ims]*$/;

function patternOf(value: unknown, key: string, refuse: Refuse): string {
  const source = value instanceof RegExp ? value.source : value;
  if (typeof source !== 'string' || source === '') throw refuse(key, 'must be a regular expression, or its text');
  if (source.length > MAX_PATTERN) throw refuse(key, `is longer than ${MAX_PATTERN} characters`);
  if (!(value instanceof RegExp) || value.flags === '') return source;
  if (!FLAGS.test(value.flags)) throw refuse(key, `has the flags ${value.flags}; only i, m and s are known`);
  return `(?${value.flags}:${source})`;
}

function configsOf(value: unknown, refuse: Refuse): Readonly<Record<string, ConfigValue>>[] {
  if (value === undefined) return [{}];
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (all.length === 0 || !all.every(isConfig)) throw refuse('config', 'must be an object of texts, numbers and flags, or a list of such');
  return [...all];
}

function isConfig(value: unknown): value is Readonly<Record<string, ConfigValue>> {
  return isRecord(value) && Object.values(value).every((one) => ['string', 'number', 'boolean'].includes(typeof one));
}

function texts(value: unknown, key: string, refuse: Refuse): string[] {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) throw refuse(key, 'must be a list of texts');
  return value;
}

/** The text of a template that can be read. */
function readTemplate(value: unknown, refuse: Refuse): string {
  if (typeof value !== 'string')
    throw refuse('recordSummary', "must be a text with names of fields in braces, such as '{request} {status}'");
  try {
    parseTemplate(value);
  } catch (error) {
    throw refuse('recordSummary', messageOf(error));
  }
  return value;
}

const isWhole = (value: unknown): value is number => Number.isInteger(value);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RegExp);
