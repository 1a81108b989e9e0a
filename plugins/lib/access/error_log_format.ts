/**
 * Formats of error logs of Apache's httpd (`ErrorLogFormat`): `[%{u}t] [%-m:%l] [pid %P:tid %T] %7F: %E: [client\ %a] %M% ,\ referer\ %{Referer}i`
 *
 * When an item has no value, the server omits the whole part between two blanks that contains it, except for the message; so most parts of a format
 * are optional. An escaped blank does not end a part, and `% ` ends one without a blank.
 */
import type { Groups } from '../pattern_decoder.ts';

/** A piece of a format. Its groups are the parts of a record; those that are no fields by themselves begin with a `_`. */
interface Item {
  readonly pattern: string;
  /** The server may have no value for it. */
  readonly optional: boolean;
  readonly isMessage: boolean;
}

/** Characters that the name of a group cannot have stand in it as their codes: `$2d_` */
const group = (name: string, pattern: string): string =>
  `(?<${name.replace(/\W/g, (character) => `$${character.charCodeAt(0).toString(16)}_`)}>${pattern})`;
const DAY_TIME = String.raw`\d\d:\d\d:\d\d(?:\.\d+)?`;
const ADDRESS = String.raw`(?:\[[^\]\s]*\])?[^\s\]]+`;
const ID = String.raw`[\w@+/-]+`;
const NAME = String.raw`[^\s\]]+`;

const DIRECTIVES: Readonly<Record<string, string>> = {
  a: group('_client', ADDRESS),
  A: group('_server', ADDRESS),
  E: String.raw`\((?:OS |EAI )?${group('error_code', String.raw`\d+`)}\)${group('error', '.*?')}`,
  F: String.raw`${group('source', String.raw`[^\s()]+`)}\(${group('source_line', String.raw`\d+`)}\)`,
  k: group('connection_requests', String.raw`\d+`),
  l: group('level', 'emerg|alert|crit|error|warn|notice|info|debug|trace[1-8]'),
  L: group('request_log_id', ID),
  m: group('module', String.raw`[\w-]+`),
  M: group('message', `(?:${group('code', String.raw`AH\d{5}`)}:)?.*?`),
  P: group('process', String.raw`\d+`),
  t: group('time', timeForm('')),
  T: group('tid', String.raw`\d+`),
  v: group('server_name', NAME),
  V: group('server_name', NAME),
};
/** Directives that always have a value. */
const ALWAYS = 'MPlt';

/** Directives with an argument. Undefined for an argument that is not known. */
const ARGUMENT_DIRECTIVES: Readonly<Record<string, (argument: string) => string | undefined>> = {
  a: (argument) => (argument === 'c' ? group('_peer', ADDRESS) : undefined),
  e: (name) => group(`env_${name}`, '.+?'),
  i: (name) => group(`http_${name.toLowerCase().replaceAll('-', '_')}`, '.+?'),
  L: (argument) => (argument === 'c' || argument === 'C' ? group('connection_log_id', ID) : undefined),
  n: (name) => group(`module_${name}`, '.+?'),
  t: (options) => (/^[ucz]*$/.test(options) ? group('time', timeForm(options)) : undefined),
  T: (argument) => (argument === 'g' ? DIRECTIVES['T'] : undefined),
};

function timeForm(options: string): string {
  const date = options.includes('c')
    ? String.raw`\d{4}-\d\d-\d\d ${DAY_TIME}`
    : String.raw`[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d ${DAY_TIME} \d{4}`;
  return options.includes('z') ? String.raw`${date} [+-]\d{4}` : date;
}

/** The end of a part, an escaped character, a directive with its modifiers, or other characters. */
const ITEM =
  /(?<blank>%? )|\\(?<escaped>[^])|%(?<modifiers>[-+\d]*)(?:\{(?<argument>[^}]+)\})?(?<letter>[a-zA-Z%])|(?<literal>[^% \\]+|[^])/g;
const ESCAPES: Readonly<Record<string, string>> = { r: '\r', t: '\t' };
const NEWLINE: Item = { pattern: String.raw`\r?\n`, optional: false, isMessage: false };
/** The whole directive; its scope does not matter here. */
const DIRECTIVE = /^\s*ErrorLogFormat\s+(?:(?:connection|request)\s+)?"(?<format>(?:[^"\\]|\\.)*)"\s*$/i;

/**
 * The forms of lines of the given formats: one in each line of the text, alone or as its whole directive.
 * @throws SyntaxError for a directive that is not known
 */
export function errorLogForms(text: string): RegExp[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.map((line) => formOf(DIRECTIVE.exec(line)?.groups?.['format'] ?? line));
}

/** The groups of a match, under the names of their fields. */
export function namedGroups(groups: Groups): Groups {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [nameOf(name), value]));
}

function nameOf(group: string): string {
  return group.replace(/\$([\da-f]+)_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The line ends at the end of a format, which splitters take off the lines. */
const LAST_NEWLINES = /(?:\\[rn])+$/;

function formOf(format: string): RegExp {
  const seen = new Set<string>();
  const source = partsOf(format.replace(LAST_NEWLINES, '')).map(partPattern).join('');
  const once = source.replace(/\(\?<([^>]+)>/g, (start, name: string) => {
    if (seen.has(name)) return '(?:';
    seen.add(name);
    return start;
  });
  if (seen.size === 0) throw new SyntaxError(`log_format has no directive such as %M: ${format}`);
  return new RegExp(`^${once}$`, 's');
}

/** The items from each blank of the format to the next. */
function partsOf(format: string): Item[][] {
  let part: Item[] = [];
  const parts = [part];
  for (const { 0: source, groups = {} } of format.matchAll(ITEM)) {
    const { blank, escaped, modifiers = '', argument, letter, literal = '' } = groups;
    if (blank !== undefined) parts.push((part = blank === ' ' ? [plain(' ')] : []));
    else if (escaped === 'n') part.push(NEWLINE);
    else if (escaped !== undefined) part.push(plain(ESCAPES[escaped] ?? escaped));
    else if (letter === undefined || letter === '%') part.push(plain(letter ?? literal));
    else part.push(directive(source, letter, argument, modifiers));
  }
  return parts;
}

const plain = (text: string): Item => ({ pattern: text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), optional: false, isMessage: false });

function directive(source: string, letter: string, argument: string | undefined, modifiers: string): Item {
  const pattern = argument === undefined ? own(DIRECTIVES, letter) : own(ARGUMENT_DIRECTIVES, letter)?.(argument);
  if (pattern === undefined) throw new SyntaxError(`log_format: unknown directive ${source}`);
  const hyphen = modifiers.includes('-');
  // A plus leaves out the whole line, a number what is less severe.
  const optional = /\d/.test(modifiers) || !(hyphen || modifiers.includes('+') || ALWAYS.includes(letter));
  return { pattern: hyphen ? `(?:${pattern}|-)` : pattern, optional, isMessage: letter === 'M' };
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function partPattern(items: readonly Item[]): string {
  const patternOf = (some: readonly Item[]): string => some.map(({ pattern }) => pattern).join('');
  if (!items.some(({ optional }) => optional)) return patternOf(items);
  const message = items.findIndex(({ isMessage }) => isMessage);
  if (message < 0) return `(?:${patternOf(items)})?`;
  // The message is always written.
  return `(?:${patternOf(items.slice(0, message))})?${items[message]?.pattern ?? ''}(?:${patternOf(items.slice(message + 1))})?`;
}
