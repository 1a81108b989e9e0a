/** Log formats of nginx: `$remote_addr - $remote_user [$time_local] "$request" …` */
import { ClfDate, DecimalDate, Rfc3339Date } from '../../base/dates.ts';
import { nanoseconds } from '../../base/instant.ts';
import {
  ADDRESSES,
  BYTES,
  CLIENT,
  HOST,
  INTEGER,
  PROTOCOL,
  REQUEST_METHOD,
  RESPONSE_LENGTHS,
  RESPONSE_TIMES,
  SECONDS,
  STATUS,
  STATUSES,
  clfDateField,
  dateField,
  freeText,
  numberField,
  orDash,
  textField,
  type FieldType,
} from '../format/log_fields.ts';
import { isField, textAfter, type LogItem } from '../format/log_format.ts';
import { characters, decimal, digits, oneOf, sequence } from '../../base/scan.ts';
import { FormatDate } from '../../base/strftime.ts';

/** Variables that are more than text up to the next delimiter. Dates keep what they read, so each format gets its own. */
const VARIABLES: Readonly<Record<string, () => FieldType>> = {
  binary_remote_addr: () => textField(characters(4)),
  body_bytes_sent: () => BYTES,
  bytes_sent: () => BYTES,
  connection: () => INTEGER,
  connection_requests: () => INTEGER,
  content_length: () => BYTES,
  host: () => HOST,
  hostname: () => HOST,
  https: () => textField(oneOf(['on', ''])),
  is_args: () => textField(oneOf(['?', ''])),
  msec: () => dateField(new DecimalDate()),
  nginx_version: () => textField(sequence(decimal, oneOf(['.']), digits)),
  pid: () => INTEGER,
  pipe: () => textField(oneOf(['p', '.'])),
  proxy_protocol_addr: () => HOST,
  remote_addr: () => CLIENT,
  remote_port: () => INTEGER,
  request_completion: () => textField(oneOf(['OK', ''])),
  request_length: () => BYTES,
  request_method: () => REQUEST_METHOD,
  request_time: () => SECONDS,
  scheme: () => textField(oneOf(['https', 'http'])),
  server_addr: () => HOST,
  server_name: () => HOST,
  server_port: () => INTEGER,
  server_protocol: () => PROTOCOL,
  status: () => STATUS,
  tcpinfo_rcv_space: () => INTEGER,
  tcpinfo_rtt: () => INTEGER,
  tcpinfo_rttvar: () => INTEGER,
  tcpinfo_snd_cwnd: () => INTEGER,
  time_iso8601: () => dateField(new Rfc3339Date()),
  time_local: () => clfDateField(new ClfDate()),
  upstream_addr: () => ADDRESSES,
  upstream_cache_last_modified: () => orDash(lastModified()),
  upstream_cache_status: () => textField(oneOf(['HIT', 'MISS', 'EXPIRED', 'BYPASS', 'STALE', 'UPDATING', 'REVALIDATED', '-'])),
  upstream_response_length: () => RESPONSE_LENGTHS,
  upstream_response_time: () => RESPONSE_TIMES,
  upstream_status: () => STATUSES,
};

/** White space, a variable, or what is neither. A `$` without a name is a literal. */
const ITEM = /(?<space>[ \t-\r]+)|\$(?<name>\w+)|(?<literal>(?:[^$ \t-\r]|\$(?!\w))+)/g;

const COMBINED = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';
/** The whole directive, whose format is in one or more quoted pieces. */
const DIRECTIVE = /^\s*log_format\s+\S+\s+(?:escape=\w+\s+)?(?<pieces>(?:'(?:[^'\\]|\\.)*'\s*|"(?:[^"\\]|\\.)*"\s*)+);?\s*$/s;
const ESCAPES: Readonly<Record<string, string>> = { t: '\t', r: '\r', n: '\n' };
const WHITE_ESCAPE = /\\[trn]/;
const WHITE_ESCAPES = /\\([trn])/g;
const QUOTED = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/gs;

/**
 * The items of a `log_format`: of the format alone, of the whole directive as it stands in a configuration, or of `combined`, which nginx has by itself.
 * Raises an error when it is empty or of another server.
 * @param asWritten backslashes of a format alone are ordinary characters; otherwise `\t`, `\r` and `\n` are what they stand for in a directive
 */
export function nginxLogFormat(format: string, asWritten = false): LogItem[] {
  const items: LogItem[] = [];
  for (const { groups } of formatOf(format, asWritten).matchAll(ITEM)) {
    if (groups?.['space'] !== undefined) items.push({ kind: 'spaces', text: groups['space'] });
    else if (groups?.['literal'] !== undefined) items.push({ kind: 'literal', text: groups['literal'] });
    else items.push(variable(groups?.['name'] as string, items));
  }
  if (items.length === 0) throw new SyntaxError('log_format is empty');
  if (format.includes('%') && !items.some(isField)) throw new SyntaxError(`log_format has no variable such as $remote_addr: ${format}`);
  return items;
}

/** Tells formats that stand for two: with the escapes of a directive, and as they are written. */
export const hasTwoReadings = (format: string): boolean => WHITE_ESCAPE.test(format) && !DIRECTIVE.test(format);

function formatOf(text: string, asWritten: boolean): string {
  if (text === 'combined') return COMBINED;
  const pieces = DIRECTIVE.exec(text)?.groups?.['pieces'];
  if (pieces === undefined) return asWritten ? text : text.replaceAll(WHITE_ESCAPES, (_, letter: string) => ESCAPES[letter] as string);
  return Array.from(pieces.matchAll(QUOTED), ([, single, double]) => unescape(single ?? double ?? '')).join('');
}

/** Reads a quoted text as the server does: `\t`, `\r` and `\n`; other escaped characters are themselves. */
function unescape(text: string): string {
  return text.replace(/\\(['"\\trn])/g, (_, letter: string) => ESCAPES[letter] ?? letter);
}

function variable(name: string, before: readonly LogItem[]): LogItem {
  const type = Object.hasOwn(VARIABLES, name) ? VARIABLES[name]?.() : undefined;
  return { kind: 'field', name, type: type ?? freeText(textAfter(before)) };
}

/** `Fri, 05 Mar 2021 13:07:59 GMT`, in nanoseconds since 1970. */
function lastModified(): FieldType {
  const date = new FormatDate('%a, %d %b %Y %T GMT');
  const read = (text: string, at: number, end: number): number => date.read(text, at, end);
  return numberField(read, () => Number(nanoseconds(date)));
}
