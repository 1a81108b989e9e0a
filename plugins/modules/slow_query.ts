/** Entries of slow query logs of MySQL and its relatives: comment lines, `use` and `SET` lines, and the statement. */
import { intConfig } from './config.ts';
import { injectTable } from './inject.ts';
import { pairField, readPairs, type LogField, type Pair } from './slow_query_pairs.ts';
import { utf8Length, utf8Prefix } from './utf8.ts';

/** What distinguishes the logs of one server. */
export interface SlowQueryLog {
  readonly type: string;
  /** The lines of pairs that each entry has behind the line of its user, as the pairs that they begin with. */
  readonly lines: readonly PairLine[];
  /** Whether a user without an address is taken also when no connection number stands behind it. */
  readonly emptyAddress: boolean;
}

/** The pairs that a line begins with, in order: name, form of the value, and whether it may be missing. */
export type PairLine = readonly (readonly [name: string, form: RegExp, optional?: 'optional'])[];

export const DECIMAL = /^\d+\.\d+$/;
export const INTEGER = /^-?\d+$/;
export const COUNT = /^\d+$/;
export const ANY = /^/;

const USER = new RegExp(
  [
    String.raw`^(?:# Time:[^\n]*\n)*`,
    String.raw`# User@Host: [^[\]\n]*\[[^[\]\n]*\]\s+@\s+(?:(?<host>[^\s[\]]+)\s*)?\[(?<address>[^\]\n]*)\]`,
    String.raw`(?:\n?[ \t]+Id:[ \t]*(?<connection>\d+))?[ \t]*\n`,
  ].join(''),
);
const COMMENT = '# ';
const EXPLAIN = '# explain: ';
const SETTINGS = /^(?:use [^\n]*\n)*SET (?:last_insert_id=\d+,)?(?:insert_id=\d+,)?timestamp=(?<seconds>\d+)(?:\.(?<fraction>\d+))?;\n/;
const TIMES = /^(?:# Time:[^\n]*(?:\n|$))*$/;
const ADMINISTRATION = /^(?:# administrator command: [^\n]*\n)*(?:# administrator command: [^\n]*$)?/;

/** The `process_message` of a decoder of these logs, by the parameter truncate_sql. */
export function slowQueryDecoder(log: SlowQueryLog): () => ProcessStatus {
  const limit = intConfig('truncate_sql', null);
  return () => {
    const { text, start, end } = payload_span();
    const message = readEntry(text.slice(start, end).replaceAll('\r\n', '\n'), log);
    if (typeof message === 'string') return [-1, message];
    if (limit !== null) message.Payload = truncate(message.Payload, limit);
    return injectTable(message);
  };
}

/** The message that an entry is, or why it is none. */
function readEntry(entry: string, log: SlowQueryLog): (InjectMessage & { Payload: string }) | string {
  const user = USER.exec(entry);
  if (user === null) return 'no line # User@Host at the start';
  const { host = '', address = '', connection } = user.groups ?? {};
  if (address === '' && connection === undefined && !log.emptyAddress) return 'no address in the line # User@Host';

  const fields: LogField[] = [];
  if (connection !== undefined) fields.push({ name: 'Connection_id', value: Number(connection) });
  const afterPairs = readLines(entry, user[0].length, log, fields);
  if (typeof afterPairs === 'string') return afterPairs;

  const settings = SETTINGS.exec(entry.slice(afterPairs));
  if (settings === null) return 'no line SET timestamp behind the comments';
  const sql = statement(entry, afterPairs + settings[0].length);
  if (sql === null) return 'no statement that ends in a semicolon';

  const { seconds = '', fraction = '' } = settings.groups ?? {};
  const Timestamp = seconds + fraction.slice(0, 9).padEnd(9, '0');
  const message: InjectMessage & { Payload: string } = { Type: log.type, Timestamp, Payload: sql, Fields: fields };
  if (address !== '' || host !== '') message.Hostname = address === '' ? host : address;
  return message;
}

/** Notes the pairs of the comment lines from `at` on. Returns the position after them, or what is missing. */
function readLines(entry: string, at: number, log: SlowQueryLog, fields: LogField[]): number | string {
  for (const line of log.lines) {
    const to = lineEnd(entry, at);
    const pairs = entry.startsWith(COMMENT, at) ? readPairs(entry, at + COMMENT.length, to) : null;
    if (pairs === null || to === entry.length || !begins(pairs, line)) return `no whole line # ${nameOf(line)}`;
    fields.push(...pairs.map(pairField));
    at = to + 1;
  }
  return readFurther(entry, at, fields);
}

/** Notes the pairs of all comment lines from `at` on, and the plan that MariaDB explains in them. Other comments are passed over. */
function readFurther(entry: string, at: number, fields: LogField[]): number {
  const plan: string[] = [];
  while (entry.startsWith('#', at)) {
    const to = lineEnd(entry, at);
    if (entry.startsWith(EXPLAIN, at)) plan.push(entry.slice(at + EXPLAIN.length, to));
    else fields.push(...(readPairs(entry, at + 1, to) ?? []).map(pairField));
    at = to + 1;
  }
  if (plan.length > 0) fields.push({ name: 'explain', value: plan.join('\n') });
  return at;
}

/** The first pair that the line must have. */
function nameOf(line: PairLine): string {
  return line.find(([, , optional]) => optional === undefined)?.[0] ?? '';
}

/** Whether the pairs begin with those of `line`. */
function begins(pairs: readonly Pair[], line: PairLine): boolean {
  let at = 0;
  for (const [name, form, optional] of line) {
    const pair = pairs[at];
    const fits = pair !== undefined && pair[0] === name && form.test(pair[1]);
    if (!fits && optional === undefined) return false;
    if (fits) at++;
  }
  return true;
}

/**
 * The statement at `at`, behind lines of administrator commands: up to a semicolon at the end of a line, with the line end. Where no
 * statement follows, the last of the commands is it; the time of the next entry may stand behind it. Null when there is none at all.
 */
function statement(entry: string, at: number): string | null {
  const commands = ADMINISTRATION.exec(entry.slice(at))?.[0] ?? '';
  const from = at + commands.length;
  for (let to = entry.indexOf(';', from); to >= 0; to = entry.indexOf(';', to + 1)) {
    if (to + 1 === entry.length) return entry.slice(from);
    if (entry[to + 1] === '\n') return entry.slice(from, to + 2);
  }
  if (commands === '' || !TIMES.test(entry.slice(from))) return null;
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
