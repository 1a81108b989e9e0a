/** Log formats of Apache's httpd: `%h %l %u %t "%r" %>s %b …` */
import { ClfDate, EpochDate, offsetAt } from '../../base/dates.ts';
import { exactTime } from '../../base/instant.ts';
import {
  BYTES,
  FRACTION,
  HEXADECIMAL,
  HOST,
  INTEGER,
  MICROSECONDS,
  MILLISECONDS,
  PROTOCOL,
  REQUEST_METHOD,
  STATUS,
  WHOLE_SECONDS,
  clfDateField,
  dateField,
  freeText,
  textField,
  type FieldType,
} from '../format/log_fields.ts';
import { escapedBytes } from '../syslog/byte_escapes.ts';
import { isField, textAfter, type LogItem } from '../format/log_format.ts';
import { oneOf } from '../../base/scan.ts';
import { FormatDate } from '../../base/strftime.ts';
import { WallClock } from '../../modules/time_zone.ts';

/** A field that a directive stands for; without a type it is text. */
interface Directive {
  readonly name: string;
  readonly type?: FieldType;
}

const TIMESTAMP = 'Timestamp';

const DIRECTIVES: Readonly<Record<string, Directive>> = {
  a: { name: 'remote_addr', type: HOST },
  A: { name: 'server_addr', type: HOST },
  b: { name: 'body_bytes_sent', type: BYTES },
  B: { name: 'body_bytes_sent', type: BYTES },
  D: { name: 'request_time', type: MICROSECONDS },
  f: { name: 'request_filename' },
  h: { name: 'remote_addr', type: HOST },
  H: { name: 'server_protocol', type: PROTOCOL },
  I: { name: 'request_length', type: BYTES },
  k: { name: 'connection_requests', type: INTEGER },
  l: { name: 'remote_user' },
  L: { name: 'request_log_id' },
  m: { name: 'request_method', type: REQUEST_METHOD },
  O: { name: 'response_length', type: BYTES },
  p: { name: 'server_port', type: INTEGER },
  P: { name: 'pid', type: INTEGER },
  q: { name: 'query_string' },
  r: { name: 'request' },
  R: { name: 'request_handler' },
  s: { name: 'status', type: STATUS },
  S: { name: 'total_length', type: BYTES },
  T: { name: 'request_time', type: WHOLE_SECONDS },
  u: { name: 'remote_user' },
  U: { name: 'uri' },
  v: { name: 'server_name', type: HOST },
  V: { name: 'server_name', type: HOST },
  X: { name: 'connection_status', type: textField(oneOf(['X', '+', '-'])) },
  '^FB': { name: 'first_byte_time', type: MICROSECONDS },
};

const PORTS: Readonly<Record<string, string>> = { canonical: 'server_port', local: 'server_port', remote: 'remote_port' };

const UNITS: Readonly<Record<string, FieldType>> = { s: WHOLE_SECONDS, ms: MILLISECONDS, us: MICROSECONDS };

const PROCESSES: Readonly<Record<string, Directive>> = {
  pid: { name: 'pid', type: INTEGER },
  tid: { name: 'tid', type: INTEGER },
  hextid: { name: 'tid', type: HEXADECIMAL },
};

const TIMES: Readonly<Record<string, Directive>> = {
  sec: { name: TIMESTAMP, type: dateField(new EpochDate(0)) },
  msec: { name: TIMESTAMP, type: dateField(new EpochDate(3)) },
  usec: { name: TIMESTAMP, type: dateField(new EpochDate(6)) },
  msec_frac: { name: 'sec_frac', type: FRACTION },
  usec_frac: { name: 'sec_frac', type: FRACTION },
};

/** Directives with an argument, as in `%{Referer}i`. Undefined for an argument that is not known. */
const ARGUMENT_DIRECTIVES: Readonly<Record<string, (argument: string, clock: WallClock) => Directive | undefined>> = {
  a: () => ({ name: 'remote_addr', type: HOST }),
  h: () => ({ name: 'remote_addr', type: HOST }),
  C: (name) => ({ name: `cookie_${name}` }),
  e: (name) => ({ name: `env_${name}` }),
  i: (name) => ({ name: `http_${headerName(name)}` }),
  n: (name) => ({ name: `module_${name}` }),
  o: (name) => ({ name: `sent_http_${headerName(name)}` }),
  '^ti': (name) => ({ name: `trailer_${headerName(name)}` }),
  '^to': (name) => ({ name: `sent_trailer_${headerName(name)}` }),
  x: (name) => ({ name: name.toLowerCase() }),
  c: (name) => ({ name: `ssl_${name.toLowerCase()}` }),
  p: (kind) => (Object.hasOwn(PORTS, kind) ? { name: PORTS[kind] as string, type: INTEGER } : undefined),
  P: (kind) => (Object.hasOwn(PROCESSES, kind) ? PROCESSES[kind] : undefined),
  T: (unit) => (Object.hasOwn(UNITS, unit) ? { name: 'request_time', type: UNITS[unit] as FieldType } : undefined),
  t: (format, clock) => {
    const form = format.replace(/^(?:begin|end):/, '');
    return Object.hasOwn(TIMES, form) ? TIMES[form] : { name: TIMESTAMP, type: formatField(new FormatDate(form), clock) };
  },
};

/**
 * White space, a directive, or what is neither. A directive may begin with status codes, and have a mark for the original or the final request; neither
 * matters here.
 */
const ITEM =
  /(?<space>[ \t-\r]+)|%(?:!?\d{3}(?:,\d{3})*)?[<>]?(?:\{(?<argument>[^}]+)\}[<>]?)?(?<letter>\^(?:FB|ti|to)|[a-zA-Z%])|(?<literal>[^% \t-\r]+|%)/g;

const COMMON = '%h %l %u %t "%r" %>s';
const AGENTS = '"%{Referer}i" "%{User-Agent}i"';
/** The formats that the server's own configuration has, by their names. */
const NICKNAMES: Readonly<Record<string, string>> = {
  common: `${COMMON} %b`,
  combined: `${COMMON} %b ${AGENTS}`,
  combinedio: `${COMMON} %b ${AGENTS} %I %O`,
  vhost_combined: `%v:%p ${COMMON} %O ${AGENTS}`,
};
/** The whole directive, perhaps with the name of the format. */
const DIRECTIVE = /^\s*LogFormat\s+"(?<format>(?:[^"\\]|\\.)*)"(?:\s+\S+)?\s*$/is;

function formatOf(text: string): string {
  return Object.hasOwn(NICKNAMES, text) ? (NICKNAMES[text] as string) : (DIRECTIVE.exec(text)?.groups?.['format'] ?? text);
}

/**
 * The items of a `LogFormat`: of the format alone, of the whole directive, or of one of the server's own formats, by its name. Raises an error when it is empty or has a directive that is not known.
 * @param clock the clock of dates in a format of their own that has no zone
 */
export function apacheLogFormat(format: string, clock = new WallClock('UTC')): LogItem[] {
  const items: LogItem[] = [];
  for (const { 0: source, groups = {} } of formatOf(format).matchAll(ITEM)) {
    if (groups['space'] !== undefined) items.push({ kind: 'spaces', text: groups['space'] });
    else if (groups['literal'] !== undefined) addLiteral(items, unescape(groups['literal']));
    else addDirective(items, source, groups['letter'] as string, groups['argument'], clock);
  }
  if (items.length === 0) throw new SyntaxError('log_format is empty');
  if (format.includes('$') && !items.some(isField)) throw new SyntaxError(`log_format has no directive such as %h: ${format}`);
  return items;
}

function addDirective(items: LogItem[], source: string, letter: string, argument: string | undefined, clock: WallClock): void {
  const date = letter === 't' && ZONE.test(argument ?? '') ? items.map(dateOf).findLast((found) => found !== undefined) : undefined;
  if (date !== undefined) items.push({ kind: 'field', name: 'zone', type: zoneField(date) });
  else if (argument !== undefined) {
    const make = Object.hasOwn(ARGUMENT_DIRECTIVES, letter) ? ARGUMENT_DIRECTIVES[letter] : undefined;
    addField(items, source, make?.(argument, clock));
  } else if (letter === '%') addLiteral(items, '%');
  else if (letter === 't') addTime(items);
  else addField(items, source, Object.hasOwn(DIRECTIVES, letter) ? DIRECTIVES[letter] : undefined);
}

function addField(items: LogItem[], source: string, found: Directive | undefined): void {
  if (found === undefined) throw new SyntaxError(`log_format: unknown directive ${source}`);
  items.push({ kind: 'field', name: found.name, type: found.type ?? freeText(textAfter(items)) });
}

/** Literals side by side are one, so that the last character of a text's delimiter is right. */
function addLiteral(items: LogItem[], text: string): void {
  const last = items.at(-1);
  if (last?.kind === 'literal') items[items.length - 1] = { kind: 'literal', text: last.text + text };
  else items.push({ kind: 'literal', text });
}

/** `%t` is a date in brackets. */
function addTime(items: LogItem[]): void {
  addLiteral(items, '[');
  items.push({ kind: 'field', name: TIMESTAMP, type: clfDateField(new ClfDate()) });
  addLiteral(items, ']');
}

/** The readers of dates that say no zone. */
const UNZONED = new WeakMap<FieldType, FormatDate>();

function formatField(date: FormatDate, clock: WallClock): FieldType {
  if (date.zoned) return dateField(date);
  const field = dateField(date, (shown) => clock.timeOf(shown));
  UNZONED.set(field, date);
  return field;
}

function dateOf(item: LogItem): FormatDate | undefined {
  return item.kind === 'field' ? UNZONED.get(item.type) : undefined;
}

/** `%{%z}t`, apart from the date that it belongs to, as in `%{%d/%b/%Y %T}t.%{msec_frac}t %{%z}t`. */
const ZONE = /^(?:(?:begin|end):)?%z$/;
const ZONE_LENGTH = 5;

function zoneField(date: FormatDate): FieldType {
  return {
    ...dateField(date),
    scan: (text, at, end) => (at + ZONE_LENGTH <= end && !Number.isNaN(offsetAt(text, at, 0)) ? at + ZONE_LENGTH : -1),
    write: (writer, _column, text, from) => writer.timestamp(exactTime(date.seconds - offsetAt(text, from, 0), date.nanos)),
  };
}

function headerName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}

/** `\t`, `\n`, `\"`, `\\` and `\` with up to three decimal digits for a byte. */
function unescape(text: string): string {
  return text.replace(/((?:\\\d{1,3})+)|\\([tn"\\])/g, (_, bytes: string | undefined, letter: string) => {
    if (bytes !== undefined) return escapedBytes(bytes);
    return letter === 't' ? '\t' : letter === 'n' ? '\n' : letter;
  });
}
