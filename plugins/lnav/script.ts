import { datePattern } from './dates.ts';
import { FormatError, type LnavFormat } from './format.ts';
import { SEVERITIES } from './levels.ts';
import { linePattern, type LinePattern } from './patterns.ts';

/** A decoder made from a format. */
export interface LnavScript {
  /** Its text, with the examples in their place. */
  readonly text: (examples: readonly object[]) => string;
  /** Sentences about members that are not translated. */
  readonly notes: readonly string[];
}

/** The words of levels of a format that names none. */
const USUAL_LEVELS: readonly (readonly [pattern: string, severity: number])[] = [
  ['^(?:emerg|panic)', 0],
  ['^alert', 1],
  ['^(?:crit|fatal|[CF]$)', 2],
  ['^(?:err|sev|fail|E$)', 3],
  ['^(?:warn|W$)', 4],
  ['^(?:notice|N$)', 5],
  ['^(?:info|stat|log|I$)', 6],
  ['^(?:debug|trace|verb|fine|config|[DTV]$)', 7],
];
const SHOWN_COLUMNS = 5;
/** Forms of times that lnav knows without being told, besides those of the module any_date. */
const KNOWN_DATES = [
  'HH:mm:ss[.S][,S]',
  'yyyyMMdd HH:mm:ss[.S][,S]',
  'MMdd HH:mm:ss[.S][,S]',
  'yyMMdd HH:mm:ss[.S][,S]',
  'MM/dd HH:mm:ss[.S][,S]',
];

/**
 * Writes the decoder of a format.
 * @param isRe2 whether an expression is of RE2's syntax, which `looks` and `split` have
 * @throws {FormatError} when none of its patterns can be used
 */
export function lnavScript(format: LnavFormat, name: string, isRe2: (expression: string) => boolean): LnavScript {
  const notes = format.unsupported.map((what) => `${what}: has no counterpart and is left out`);
  const patterns = format.json ? [] : usable(format, notes, isRe2);
  const dates = usableDates(format, notes);
  const levels = levelsOf(format, notes);
  const body = format.json ? jsonBody(format) : lineBody(format, patterns);
  return {
    notes,
    text: (examples) => [comment(format), metaOf(format, name, patterns, examples), shared(format, dates, levels), body].join('\n'),
  };
}

function usable({ name, patterns, timeField }: LnavFormat, notes: string[], isRe2: (expression: string) => boolean): LinePattern[] {
  const found = patterns.flatMap((pattern) => {
    try {
      return [linePattern(pattern, timeField, isRe2)];
    } catch (error) {
      notes.push(`a regex is left out, ${pattern}: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  });
  if (found.length === 0) throw new FormatError(`${name} has no regex that can be used`);
  if (found.some(({ look }) => look === null))
    notes.push('its files are not recognised by themselves: a regex has no counterpart in the syntax of RE2');
  return found;
}

function usableDates({ timeFormats }: LnavFormat, notes: string[]): string[] {
  return timeFormats.flatMap((format) => {
    try {
      const { pattern } = datePattern(format);
      return pattern === null ? [] : [pattern];
    } catch (error) {
      notes.push(`timestamp-format ${format} is left out: ${error instanceof Error ? error.message : ''} has no counterpart`);
      return [];
    }
  });
}

function levelsOf({ levels }: LnavFormat, notes: string[]): string[] {
  if (levels.length === 0) return USUAL_LEVELS.map(([pattern, severity]) => `  [/${pattern}/i, ${severity}],`);
  return levels.flatMap(([level, pattern]) => {
    const severity = SEVERITIES.get(level);
    if (severity === undefined) {
      notes.push(`level.${level}: is not a level with a severity and is left out`);
      return [];
    }
    try {
      return [`  [${regexp(linePattern(pattern, '', () => false).source)}, ${severity}],`];
    } catch (error) {
      notes.push(`level.${level} is left out: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  });
}

function comment({ name, title, description, url }: LnavFormat): string {
  const safe = (text: string): string => text.replaceAll('*/', '* /').replace(/\s+/g, ' ').trim();
  const about = [title === name ? '' : safe(title), safe(description), url === '' ? '' : `See ${safe(url)}`].filter(Boolean);
  return `/**\n * Decodes the format ${name}, as lnav has it.${about.map((line) => `\n *\n * ${line}`).join('')}\n */`;
}

function metaOf(format: LnavFormat, name: string, patterns: readonly LinePattern[], examples: readonly object[]): string {
  const columns = format.values.filter(({ identifier, hidden }) => identifier && !hidden).map((value) => fieldName(value.name));
  const own = columns.filter((column) => ![format.timeField, format.levelField, format.bodyField].includes(column));
  const lines = [
    `  name: ${quoted(name)},`,
    `  kind: 'decoder',`,
    `  stateless: true,`,
    `  summary: ${quoted(`Decodes the format ${format.name} of lnav${format.title === format.name ? '' : ` (${format.title})`}.`)},`,
    splitOf(format, patterns),
    own.length === 0 ? '' : `  columns: [${own.slice(0, SHOWN_COLUMNS).map(quoted).join(', ')}],`,
    looksOf(format, patterns),
    `  parameters: {`,
    `    tz: { type: 'string', summary: 'Zone of times without one: UTC, an offset such as +02:00, Local, or an IANA name.', default: 'UTC' },`,
    `    type: { type: 'string', summary: 'Type of the messages.', default: ${quoted(name)} },`,
    `  },`,
    examples.length === 0 ? `  examples: [],` : `  examples: [\n${examples.map((example) => `    ${literal(example)},`).join('\n')}\n  ],`,
  ];
  return `export const meta: PluginMeta = {\n${lines.filter(Boolean).join('\n')}\n};\n`;
}

/** Lines that none of the patterns matches belong to the record before them. */
function splitOf({ multiline, json }: LnavFormat, patterns: readonly LinePattern[]): string {
  if (json || !multiline) return '';
  const starts = patterns.map(({ before, look }) => before ?? (look === null ? null : withoutEnd(look).replace(/^\^/, '')));
  return starts.includes(null)
    ? ''
    : `  split: { before: ${raw(starts.length === 1 ? (starts[0] as string) : starts.map((start) => `(?:${start})`).join('|'))} },`;
}

/** An expression without the mark of the end. */
const withoutEnd = (look: string): string => look.replace(/(?<=(?<!\\)(?:\\\\)*)\$$/, '');

function looksOf({ json, multiline, timeField, bodyField, values }: LnavFormat, patterns: readonly LinePattern[]): string {
  if (json) {
    const members = [
      timeField,
      ...values.filter(({ identifier }) => identifier).map((value) => value.name),
      ...(values.some((value) => value.name === bodyField) ? [bodyField] : []),
    ];
    const known = [...new Set(members.map(last))]
      .slice(0, 4)
      .map((member) => raw(`"${member.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}"\\s*:`));
    return `  looks: [{ lines: [${[raw('^\\s*\\{'), ...known].join(', ')}], rank: 2 }],`;
  }
  const looks = patterns.map(({ look }) => look);
  if (looks.includes(null)) return '';
  // Behind the first line of a record others may follow.
  const known = looks.map((look) => (multiline ? withoutEnd(look as string) : (look as string)));
  return `  looks: [{ ${multiline ? 'records' : 'lines'}: ${raw(known.length === 1 ? (known[0] as string) : known.map((look) => `(?:${look})`).join('|'))} }],`;
}

function shared(format: LnavFormat, dates: readonly string[], levels: readonly string[]): string {
  const { values, divisor } = format;
  const numbers = values.filter(({ kind }) => kind === 'integer' || kind === 'float');
  const json = values.filter(({ kind }) => kind === 'json');
  const scaled = format.json && divisor > 0;
  const pattern = (date: string): string => `new DatePattern(${quoted(date)}, now, clock)`;
  const readers =
    dates.length > 0 ? [...dates.map(pattern), 'new AnyDate(now, clock)'] : ['new AnyDate(now, clock)', ...KNOWN_DATES.map(pattern)];
  return `type Clock = object;
type DateReader = { parse(text: string): bigint | null };
const { WallClock } = require('time_zone') as { WallClock: new (zone: string) => Clock };
const { AnyDate } = require('any_date') as { AnyDate: new (now: () => number, clock: Clock) => DateReader };
const { DatePattern } = require('date_pattern') as { DatePattern: new (pattern: string, now: () => number, clock: Clock) => DateReader };
const { fieldValue } = require('json') as { fieldValue: (value: number | bigint | boolean) => number | bigint | boolean | string };

const now = (): number => read_message('Timestamp') ?? 0;
const clock = new WallClock(String(read_config('tz')));
const type = String(read_config('type'));
/** The readers of the ways in which times are written; the first that fits counts. */
const DATES: readonly DateReader[] = [${readers.join(', ')}];
/** Severities by the text of the level. */
const LEVELS: readonly (readonly [RegExp, number])[] = [
${levels.join('\n')}
];
/** Fields that are numbers, and their units. */
const NUMBERS = new Map<string, string>([${numbers.map(({ name, unit }) => `[${quoted(fieldName(name))}, ${quoted(unit)}]`).join(', ')}]);
${format.json || json.length > 0 ? `/** Fields that are JSON. */\nconst JSON_FIELDS = new Set<string>([${json.map((value) => quoted(fieldName(value.name))).join(', ')}]);\n` : ''}${format.hideExtra ? `/** The format names all fields; others are left out. */\nconst KNOWN = new Set<string>([${values.map((value) => quoted(fieldName(value.name))).join(', ')}]);\n` : ''}
function timeOf(text: string): bigint | null {
${scaled ? epochLines(divisor) : ''}  for (const date of DATES) {
    const ns = date.parse(text);
    if (ns !== null) return ns;
  }
  return null;
}

/** The severity of a level; undefined for a level that is not known. */
function severityOf(level: string): number | undefined {
  return LEVELS.find(([pattern]) => pattern.test(level))?.[1]${format.levels.length > 0 ? ' ?? 6' : ''};
}

function fieldOf(name: string, text: string): FieldInput {
${format.json || json.length > 0 ? `  if (JSON_FIELDS.has(name)) return { value: text, representation: 'json' };\n` : ''}  const unit = NUMBERS.get(name);
  if (unit === undefined || !/^[+-]?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?$/.test(text)) return text;
  // A number does not hold all digits of long integers.
  const value = /^[+-]?\\d{16,30}$/.test(text) ? fieldValue(BigInt(text)) : Number(text);
  return unit === '' ? value : { value, representation: unit };
}
`;
}

/** Numbers since 1970 in units of a part of a second: exact where a nanosecond is a whole part of the unit. */
function epochLines(divisor: number): string {
  const unit = 1e9 / divisor;
  const exact = `(BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9))) / ${divisor}n`;
  const rounded = `BigInt(Math.round((Number(text) / ${divisor}) * 1e6)) * 1000n`;
  return `  const [, whole, fraction = ''] = /^(\\d+)(?:\\.(\\d+))?$/.exec(text) ?? [];
  if (whole !== undefined) return ${Number.isInteger(unit) && Number.isInteger(divisor) ? exact : rounded};
`;
}

function lineBody({ timeField, levelField, bodyField, moduleField, hideExtra }: LnavFormat, patterns: readonly LinePattern[]): string {
  const own = isLevel(levelField);
  return `const PATTERNS = [
${patterns.map(({ source }) => `  ${regexp(source)},`).join('\n')}
];
/** Groups that become headers. */
const HEADERS = new Set([${[timeField, bodyField, moduleField, ...(own ? [levelField] : [])].filter(Boolean).map(quoted).join(', ')}]);

export function process_message(): ProcessStatus {
  const record = String(read_message('Payload') ?? '').replace(/[\\r\\n]+$/, '');
  const end = record.search(/\\r?\\n/);
  const line = end < 0 ? record : record.slice(0, end);
  const groups = groupsOf(line);
  if (groups === null) return [-1, 'none of the patterns matches'];
  const time = groups[${quoted(timeField)}];
  const ns = time === undefined ? null : timeOf(time);
  if (time !== undefined && ns === null) return [-1, \`\${time} is not a time that can be read\`];

  const body = groups[${quoted(bodyField)}];
  const message: InjectMessage = { Type: type, Payload: body === undefined ? record : body + record.slice(line.length) };
  if (ns !== null) message.Timestamp = ns;
  const fields: Record<string, FieldInput> = {};
  for (const [name, text] of Object.entries(groups)) {
    if (text !== undefined && text !== '' && !HEADERS.has(name)${hideExtra ? ' && KNOWN.has(name)' : ''}) fields[name] = fieldOf(name, text);
  }
  const level = groups[${quoted(levelField)}];
  const severity = level === undefined ? undefined : severityOf(level);
  if (severity !== undefined) message.Severity = severity;
${own ? `  else if (level !== undefined && level !== '') fields[${quoted(levelField)}] = level;\n` : ''}${moduleField === '' ? '' : `  const logger = groups[${quoted(moduleField)}];\n  if (logger !== undefined) message.Logger = logger;\n`}  inject_message({ ...message, Fields: fields });
  return 0;
}

/** The named groups of the first pattern that matches; null when none does. */
function groupsOf(line: string): Record<string, string | undefined> | null {
  for (const pattern of PATTERNS) {
    const found = pattern.exec(line);
    if (found !== null) return found.groups ?? {};
  }
  return null;
}
`;
}

function jsonBody(format: LnavFormat): string {
  const { timeField, levelField, bodyField, moduleField, hideExtra, line } = format;
  const rendered = line.length > 0 && !format.values.some(({ name }) => name === bodyField);
  const header = [timeField, bodyField, moduleField].filter(Boolean).map(fieldName);
  const own = isLevel(levelField);
  return `type Json = string | number | bigint | boolean | null | readonly Json[] | { readonly [name: string]: Json };
const { jsonText, parseExactly } = require('json') as {
  jsonText: (value: Json) => string;
  parseExactly: (text: string) => { readonly [name: string]: Json } | null;
};

/** Members that become headers. */
const HEADERS = new Set([${header.map(quoted).join(', ')}]);
const MAX_DEPTH = 20;

export function process_message(): ProcessStatus {
  const record = parseExactly(String(read_message('Payload') ?? ''));
  if (record === null) return [-1, 'no JSON object'];
  const values = new Map<string, Json>();
  collect(record, '', values, 0);
  const time = values.get(${quoted(fieldName(timeField))});
  const ns = time === undefined ? null : timeOf(String(time));
  if (ns === null) return [-1, ${quoted(`${timeField} is not a time that can be read`)}];

  const level = values.get(${quoted(fieldName(levelField))});
  const severity = level === undefined ? undefined : severityOf(String(level));
  const message: InjectMessage = { Type: type, Timestamp: ns };
  if (severity !== undefined) message.Severity = severity;
${rendered ? `  message.Payload = lineOf(values);\n` : `  const body = values.get(${quoted(fieldName(bodyField))});\n  if (body !== undefined) message.Payload = String(body);\n`}${moduleField === '' ? '' : `  const logger = values.get(${quoted(fieldName(moduleField))});\n  if (logger !== undefined) message.Logger = String(logger);\n`}
  const fields: Record<string, FieldInput> = {};
  for (const [name, value] of values) {
    if (HEADERS.has(name)${own ? ` || (severity !== undefined && name === ${quoted(fieldName(levelField))})` : ''}${hideExtra ? ' || !KNOWN.has(name)' : ''}) continue;
    const field = valueOf(name, value);
    if (field !== null) fields[name] = field;
  }
  inject_message({ ...message, Fields: fields });
  return 0;
}

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Members by their names, those of inner objects with points between them. */
function collect(object: { readonly [name: string]: Json }, prefix: string, values: Map<string, Json>, depth: number): void {
  for (const [name, value] of Object.entries(object)) {
    if (isObject(value) && !JSON_FIELDS.has(prefix + name) && depth < MAX_DEPTH) collect(value, \`\${prefix}\${name}.\`, values, depth + 1);
    else if (value !== null) values.set(prefix + name, value);
  }
}

function valueOf(name: string, value: Json): FieldInput | null {
  if (typeof value === 'object') return { value: jsonText(value), representation: 'json' };
  if (typeof value === 'string') return value === '' ? null : fieldOf(name, value);
  const held = fieldValue(value);
  const unit = NUMBERS.get(name) ?? '';
  return unit === '' ? held : { value: held, representation: unit };
}
${rendered ? lineFunction(format) : ''}`;
}

/** The text that lnav shows of a record, without time and level. */
function lineFunction({ line }: LnavFormat): string {
  const parts = line.filter((part) => typeof part === 'string' || !/^__(?:timestamp|level)__$/.test(part.field));
  const texts = parts.map((part) => {
    if (typeof part === 'string') return `  text += ${quoted(part)};`;
    const cased = { uppercase: '.toUpperCase()', lowercase: '.toLowerCase()' }[part.transform] ?? '';
    return `  text += shown(values.get(${quoted(fieldName(part.field))}), ${quoted(part.prefix)}, ${quoted(part.suffix)}, ${quoted(part.otherwise)})${cased};`;
  });
  return `
/** The line that shows the record, without its time and level. */
function lineOf(values: ReadonlyMap<string, Json>): string {
  let text = '';
${texts.join('\n')}
  return text.trim();
}

function shown(value: Json | undefined, prefix: string, suffix: string, otherwise: string): string {
  if (value === undefined) return otherwise;
  return prefix + (typeof value === 'object' ? jsonText(value) : String(value)) + suffix;
}
`;
}

/** Whether the field is for levels alone; others, such as a status, stay fields. */
const isLevel = (field: string): boolean => /level|severity|prio|lvl/i.test(field);

/** The name of an inner member alone. */
const last = (path: string): string => path.split('/').at(-1) ?? path;

/** lnav separates the names of inner members by slashes. */
function fieldName(path: string): string {
  return path.replace(/^\//, '').replaceAll('/', '.');
}

function quoted(text: string): string {
  return `'${text
    .replace(/[\\']/g, String.raw`\$&`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')}'`;
}

/** A text with backslashes, as readable as it can be. */
function raw(text: string): string {
  return /[`\n\r]|\$\{|\\$/.test(text) ? quoted(text) : `String.raw\`${text}\``;
}

function regexp(source: string): string {
  return `/${new RegExp(source).source}/`;
}

/** A value as it stands in a script. */
function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Object.keys(value).length === 0) return '{}';
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name)}: ${literal(member)}`)
    .join(', ')} }`;
}
