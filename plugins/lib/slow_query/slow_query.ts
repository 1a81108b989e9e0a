/** Entries of slow query logs of MySQL and its relatives: comment lines, `use` and `SET` lines, and the statement. */
import { intConfig } from '../../modules/config.ts';
import type { PairLine, SlowQueryLog } from './slow_query_forms.ts';
import { EntryLayouts } from './slow_query_layout.ts';
import { pairField, PairLineReader } from './slow_query_pairs.ts';
import { TableWriter, type LogField, type LogMessage } from '../../modules/table_writer.ts';
import { utf8Length, utf8Prefix } from '../../base/utf8.ts';

type Entry = LogMessage & { Payload: string; Fields: readonly LogField[] };

/** Matches the lines that a server writes when it opens its log. */
const OPENING = String.raw`(?:[^\n]*, Version: [^\n]* started with:|Tcp port: [^\n]*|Time +Id +Command +Argument *|)`;
/** Up to the user's line, with the host, the address and the number of the connection. */
const USER = new RegExp(
  [
    String.raw`^(?:(?:# Time:[^\n]*|${OPENING})\n)*`,
    String.raw`# User@Host: [^[\]\n]*\[[^[\]\n]*\]\s+@\s+(?:([^\s[\]]+)\s*)?\[([^\]\n]*)\]`,
    String.raw`(?:\n?[ \t]+Id:[ \t]*(\d+))?[ \t]*\n`,
  ].join(''),
);
/** An entry of a server on Windows. Elsewhere, line ends of Windows belong to a statement. */
const WINDOWS = /^[^\n]*\r\n/;
const COMMENT = '# ';
const EXPLAIN = '# explain: ';
/** The settings before a statement; the groups are the seconds of its timestamp and their fraction. */
const SETTINGS = /(?:use [^\n]*\n)*SET (?:last_insert_id=\d+,)?(?:insert_id=\d+,)?timestamp=(\d+)(?:\.(\d+))?;\n/y;
const BEHIND = new RegExp(String.raw`^(?:(?:# Time:[^\n]*|${OPENING})(?:\n|$))*$`);
const ADMINISTRATION = /(?:# administrator command: [^\n]*\n)*(?:# administrator command: [^\n]*$)?/y;
const MOST_SECONDS = 4e9;
const [NEWLINE, HASH] = [10, 35];

const pairs = new PairLineReader();

/** The `process_message` of a decoder of these logs, by the parameter truncate_sql. */
export function slowQueryDecoder(log: SlowQueryLog): () => ProcessStatus {
  const limit = intConfig('truncate_sql', null);
  const writer = new TableWriter();
  const layouts = new EntryLayouts(log);
  const payloadOf = limit === null ? null : (sql: string): string => truncate(sql, limit);
  return () => {
    const span = payload_span();
    const known = layouts.inject(span, payloadOf);
    if (known !== null) return known;
    const { text, start, end } = span;
    const entry = text.slice(start, end);
    const message = readEntry(WINDOWS.test(entry) ? entry.replaceAll('\r\n', '\n') : entry, log);
    if (typeof message === 'string') return [-1, message];
    layouts.learn(entry, message.Fields);
    if (payloadOf !== null) message.Payload = payloadOf(message.Payload);
    return writer.inject(message);
  };
}

/** The message that an entry is, or why it is none. */
function readEntry(entry: string, log: SlowQueryLog): Entry | string {
  const user = USER.exec(entry);
  if (user === null) return 'no line # User@Host at the start';
  const [head, host = '', address = '', connection] = user;

  const fields: LogField[] = [];
  if (connection !== undefined) fields.push({ name: 'Connection_id', value: Number(connection) });
  pairs.beginEntry();
  const afterPairs = readLines(entry, head.length, log, fields);
  if (typeof afterPairs === 'string') return afterPairs;

  const settings = matchAt(SETTINGS, entry, afterPairs);
  if (settings === null) return 'no line SET timestamp behind the comments';
  const sql = statement(entry, afterPairs + settings[0].length);
  if (sql === null) return 'no statement that ends in a semicolon';

  const Timestamp = nanoseconds(settings[1] as string, settings[2] ?? '');
  const message: Entry = { Type: log.type, Timestamp, Payload: sql, Fields: fields };
  if (address !== '' || host !== '') message.Hostname = address === '' ? host : address;
  return message;
}

/** Nanoseconds since 1970. Those of whole seconds of this age are exact as a number. */
function nanoseconds(seconds: string, fraction: string): number | string {
  const whole = Number(seconds);
  return fraction === '' && whole < MOST_SECONDS ? whole * 1e9 : seconds + fraction.slice(0, 9).padEnd(9, '0');
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Notes the pairs of the comment lines from `at` on. Returns the position after them, or what is missing. */
function readLines(entry: string, at: number, log: SlowQueryLog, fields: LogField[]): number | string {
  if (log.othersBefore) at = readOthers(entry, at, nameOf(log.lines[0] ?? []), fields);
  for (const line of log.lines) {
    const to = lineEnd(entry, at);
    const begins = entry.startsWith(COMMENT, at) && pairs.begin(entry, at + COMMENT.length, to);
    if (!begins || to === entry.length || !readLine(line, fields)) return `no whole line # ${nameOf(line)}`;
    at = to + 1;
  }
  return readFurther(entry, at, fields);
}

/** Notes the pairs of the comment lines before the one that begins with `name`. Returns the position of that one, or `at` when there is none. */
function readOthers(entry: string, at: number, name: string, fields: LogField[]): number {
  const own = entry.indexOf(`\n${COMMENT}${name}:`, at - 1) + 1;
  let from = at;
  while (from < own && entry.startsWith(COMMENT, from)) from = lineEnd(entry, from) + 1;
  if (from !== own) return at;
  readFurther(entry.slice(0, own), at, fields);
  return own;
}

/** Notes all pairs of a line. False when it does not begin with those of `line`. */
function readLine(line: PairLine, fields: LogField[]): boolean {
  let expected = 0;
  while (pairs.next()) {
    while (expected < line.length && !fits(line[expected] as PairLine[number])) if (line[expected++]?.[2] === undefined) return false;
    expected++;
    fields.push(pairField(pairs.name, pairs.value));
  }
  for (; expected < line.length; expected++) if (line[expected]?.[2] === undefined) return false;
  return true;
}

/** Whether the pair that was read last is this one. */
function fits([name, form]: PairLine[number]): boolean {
  return pairs.name === name && form(pairs.value);
}

/** Notes the pairs of all comment lines from `at` on, and the plan that MariaDB explains in them. Other comments are passed over. */
function readFurther(entry: string, at: number, fields: LogField[]): number {
  const plan: string[] = [];
  while (entry.startsWith('#', at)) {
    const to = lineEnd(entry, at);
    if (entry.startsWith(EXPLAIN, at)) plan.push(entry.slice(at + EXPLAIN.length, to));
    else if (pairs.begin(entry, at + 1, to)) while (pairs.next()) fields.push(pairField(pairs.name, pairs.value));
    at = to + 1;
  }
  if (plan.length > 0) fields.push({ name: 'explain', value: plan.join('\n') });
  return at;
}

/** The first pair that the line must have. */
function nameOf(line: PairLine): string {
  return line.find(([, , optional]) => optional === undefined)?.[0] ?? '';
}

/**
 * The statement at `at`, behind lines of administrator commands: up to a semicolon at the end of a line, with the line end. Where no
 * statement follows, the last of the commands is it; the time of the next entry may stand behind it. Null when there is none at all.
 */
function statement(entry: string, at: number): string | null {
  const commands = entry.charCodeAt(at) === HASH ? (matchAt(ADMINISTRATION, entry, at)?.[0] ?? '') : '';
  const from = at + commands.length;
  for (let to = entry.indexOf(';', from); to >= 0; to = entry.indexOf(';', to + 1)) {
    if (to + 1 === entry.length) return entry.slice(from);
    if (entry.charCodeAt(to + 1) === NEWLINE) return entry.slice(from, to + 2);
  }
  if (commands === '' || !BEHIND.test(entry.slice(from))) return null;
  return commands.slice(commands.lastIndexOf('\n', commands.length - 2) + 1);
}

/** The text cut to `limit` bytes of UTF-8, with dots behind it; a negative limit cuts that many bytes off its end. */
function truncate(sql: string, limit: number): string {
  const length = utf8Length(sql);
  if (limit >= length) return sql;
  return `${utf8Prefix(sql, limit < 0 ? length + limit : limit)}...`;
}

function lineEnd(entry: string, at: number): number {
  const to = entry.indexOf('\n', at);
  return to < 0 ? entry.length : to;
}
