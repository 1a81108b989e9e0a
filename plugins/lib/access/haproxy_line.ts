/** Lines of HAProxy's `option httplog`, as it writes most of them, with and without the header of a syslog daemon: read in place, by one generated function. */
import { AnyDate } from '../../modules/any_date.ts';
import type { WallClock } from '../../modules/time_zone.ts';
import { injectWritten } from '../../base/inject.ts';
import { digits, integerIn, isDash } from '../../base/scan.ts';
import type { FieldCode } from '../format/field_code.ts';
import { ipv4 } from '../hosts.ts';
import { textField, type FieldType } from '../format/log_fields.ts';
import { layoutOf, LineParser, type LogItem } from '../format/log_format.ts';
import { MinuteDate } from '../time/minute_date.ts';

const DATE_LENGTH = 'dd/Mon/yyyy:hh:mm:ss.mmm'.length;
const SYSLOG_DATE = 'Mmm dd hh:mm:ss'.length;
const [LONGEST_NUMBER, LONGEST_PID] = [15, 9];
const [BLANK, QUOTE, DASH, DOT, SLASH, ZERO, COLON, OPEN, CLOSE, LEFT, RIGHT] = [32, 34, 45, 46, 47, 48, 58, 91, 93, 123, 125];

const PRINTABLE = '(code = text.charCodeAt(at)) > 32 && code < 127';
const WRITE_VALUE = 'if ($to - $from > 1 || text.charCodeAt($from) !== 45) writer.slice($column, $from, $to);';
const WORD = codedField('slice', {
  scan: `while (at < end && ${PRINTABLE}) at++; if (at === $from) at = -1;`,
  write: WRITE_VALUE,
  scope: {},
});
/** A word up to a slash. */
const NAME = codedField('slice', {
  scan: `while (at < end && ${PRINTABLE} && code !== 47) at++; if (at === $from) at = -1;`,
  write: WRITE_VALUE,
  scope: {},
});
const FLAGS = codedField('slice', {
  scan: `while (at < end && ${PRINTABLE}) at++; if (at !== $from + 4) at = -1;`,
  write: 'writer.slice($column, $from, $to);',
  scope: {},
});
const DIGITS =
  'const digits$i = at; $value = 0; while (at < end && (code = text.charCodeAt(at) - 48) >= 0 && code <= 9) { $value = $value * 10 + code; at++; } ' +
  `if (at === digits$i || at - $from > ${LONGEST_NUMBER}) at = -1;`;
const countIn = (representation?: string): FieldType =>
  codedField('number', { scan: DIGITS, write: 'writer.number($column, $value);', scope: {} }, representation);
const signedIn = (representation?: string): FieldType =>
  codedField(
    'number',
    {
      scan: `if (at < end && text.charCodeAt(at) === 45) at++; ${DIGITS}`,
      write: 'writer.number($column, text.charCodeAt($from) === 45 ? -$value : $value);',
      scope: {},
    },
    representation,
  );

/** A field that generated functions alone read. */
function codedField(kind: WriterColumn['kind'], code: FieldCode, representation?: string): FieldType {
  const columns = (name: string): WriterColumn[] => [representation === undefined ? { name, kind } : { name, kind, representation }];
  return { ...textField((_text, _at, end) => end), columns, code };
}

export interface HaproxyOptions {
  /** The clock of the dates. */
  readonly clock: WallClock;
  readonly type: string | null;
  readonly keepPayload: boolean;
}

/** A function that injects the line [start, end) of a text, if it is one of those. Returns the status of `process_message`, or null. */
export function haproxyLines({
  clock,
  type,
  keepPayload,
}: HaproxyOptions): (text: string, start: number, end: number) => ProcessStatus | null {
  const layout = layoutOf(items(clock));
  const parser = new LineParser(layout);
  const writer = message_writer(layout.columns);
  return (text, start, end) => {
    if (!parser.read(writer, text, start, end)) return null;
    if (type !== null) writer.type(type);
    if (keepPayload) writer.payloadSlice(start, end);
    return injectWritten(writer);
  };
}

function items(clock: WallClock): LogItem[] {
  const client = { from: 0, colon: 0, to: 0 };
  const date = new MinuteDate(new AnyDate(() => 0, clock));
  return [
    ...field('programname', headField()),
    ...field('remote', clientField(client)),
    ...literal(' ['),
    ...field('time', timeField(date)),
    ...literal('] '),
    ...field('frontend', WORD),
    ...literal(' '),
    ...field('backend', NAME),
    ...literal('/'),
    ...field('server', WORD),
    ...literal(' '),
    ...row(['time_request', 'time_queue', 'time_connect', 'time_response', 'time_total'], signedIn('ms')),
    ...literal(' '),
    ...field('status', signedIn()),
    ...literal(' '),
    ...field('bytes_read', countIn('B')),
    ...literal(' '),
    ...field('captured_request_cookie', WORD),
    ...literal(' '),
    ...field('captured_response_cookie', WORD),
    ...literal(' '),
    ...field('termination_state', FLAGS),
    ...literal(' '),
    ...row(['actconn', 'feconn', 'beconn', 'srv_conn', 'retries'], countIn()),
    ...literal(' '),
    ...row(['srv_queue', 'backend_queue'], countIn()),
    ...field('tail', tailField(client)),
  ];
}

const literal = (text: string): LogItem[] => [{ kind: 'literal', text }];
const field = (name: string, type: FieldType): LogItem[] => [{ kind: 'field', name, type }];
/** Fields with slashes between them. */
const row = (names: readonly string[], type: FieldType): LogItem[] =>
  names.flatMap((name, i) => [...(i === 0 ? [] : literal('/')), ...field(name, type)]);

/** The header of a syslog daemon, or the program alone, or nothing. */
function headField(): FieldType {
  const head = { hostFrom: 0, hostTo: 0, nameFrom: 0, nameTo: 0, pid: -1 };
  const program = (text: string, at: number, end: number): number => {
    head.nameFrom = at;
    head.nameTo = wordEnd(text, at, end, OPEN);
    head.pid = -1;
    let to = head.nameTo;
    if (to > at && to < end && text.charCodeAt(to) === OPEN) {
      const last = digits(text, to + 1, end);
      if (last < 0 || last - to > LONGEST_PID || text.charCodeAt(last) !== CLOSE) return -1;
      head.pid = integerIn(text, to + 1, last);
      to = last + 1;
    }
    return to > at && to + 1 < end && text.charCodeAt(to) === COLON && text.charCodeAt(to + 1) === BLANK
      ? skipBlanks(text, to + 1, end)
      : -1;
  };
  return {
    scan: (text, at, end) => {
      head.hostTo = head.hostFrom;
      head.nameTo = head.nameFrom = at;
      head.pid = -1;
      const code = text.charCodeAt(at) - ZERO;
      if (code >= 0 && code <= 9) return at;
      if (!isSyslogDate(text, at, end)) return program(text, at, end);
      head.hostFrom = at + SYSLOG_DATE + 1;
      head.hostTo = wordEnd(text, head.hostFrom, end, BLANK);
      if (head.hostTo === head.hostFrom || head.hostTo >= end || text.charCodeAt(head.hostTo) !== BLANK) return -1;
      return program(text, head.hostTo + 1, end);
    },
    columns: (name) => [{ name, kind: 'slice' }],
    write: (writer, column, text) => {
      const { hostFrom, hostTo, nameFrom, nameTo, pid } = head;
      if (hostTo > hostFrom && !isDash(text, hostFrom, hostTo)) writer.hostname(text.slice(hostFrom, hostTo));
      if (nameTo > nameFrom && !isDash(text, nameFrom, nameTo)) writer.slice(column, nameFrom, nameTo);
      if (pid >= 0) writer.pid(pid);
    },
  };
}

/** The end of a word of plain characters without blanks, colons, and `stop`. */
function wordEnd(text: string, at: number, end: number, stop: number): number {
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code <= BLANK || code > 126 || code === stop || (code === COLON && stop !== BLANK)) break;
  }
  return at;
}

/** Whether `Mar  5 13:07:59 ` stands there, with whatever digits. */
function isSyslogDate(text: string, at: number, end: number): boolean {
  if (at + SYSLOG_DATE >= end) return false;
  for (let i = 0; i <= SYSLOG_DATE; i++) if (!fitsSyslogDate(i, text.charCodeAt(at + i))) return false;
  return true;
}

function fitsSyslogDate(i: number, code: number): boolean {
  if (i === 0) return code >= 65 && code <= 90;
  if (i < 3) return code >= 97 && code <= 122;
  if (i === 3 || i === 6 || i === SYSLOG_DATE) return code === BLANK;
  if (i === 9 || i === 12) return code === COLON;
  return (code >= ZERO && code < COLON) || (i === 4 && code === BLANK);
}

/** An IPv4 address with its port. The fields of the client are the last ones. */
function clientField(client: { from: number; colon: number; to: number }): FieldType {
  return {
    scan: (text, at, end) => {
      client.from = at;
      client.colon = ipv4(text, at, end);
      if (client.colon < 0 || client.colon >= end || text.charCodeAt(client.colon) !== COLON) return -1;
      client.to = digits(text, client.colon + 1, end);
      return client.to - client.colon > LONGEST_NUMBER ? -1 : client.to;
    },
    columns: () => [],
    write: () => undefined,
  };
}

function timeField(date: MinuteDate): FieldType {
  let ns: number | bigint = 0;
  return {
    scan: (text, at, end) => {
      const to = at + DATE_LENGTH;
      if (to > end || text.charCodeAt(at + 2) !== SLASH || text.charCodeAt(to - 4) !== DOT || digits(text, to - 3, to) !== to) return -1;
      const read = date.read(text, at, to);
      if (read === null) return -1;
      ns = read;
      return to;
    },
    columns: () => [],
    write: (writer) => writer.timestamp(ns),
  };
}

/** Captured headers and the request, up to the end of the line; then the fields of the client. */
function tailField(client: { readonly from: number; readonly colon: number; readonly to: number }): FieldType {
  const at0 = { requestFrom: 0, requestTo: 0, responseFrom: 0, responseTo: 0, from: 0 };
  return {
    scan: (text, at, end) => {
      at0.requestFrom = at0.requestTo = at0.responseFrom = at0.responseTo = at;
      if (begins(text, at, end, LEFT)) {
        at0.requestFrom = at + 2;
        at0.requestTo = bracesEnd(text, at + 2, end);
        if (at0.requestTo < 0) return -1;
        at = at0.requestTo + 1;
      }
      if (begins(text, at, end, LEFT)) {
        at0.responseFrom = at + 2;
        at0.responseTo = bracesEnd(text, at + 2, end);
        if (at0.responseTo < 0) return -1;
        at = at0.responseTo + 1;
      }
      if (!begins(text, at, end, QUOTE)) return -1;
      at0.from = at + 2;
      return isRequest(text, at0.from, end - 1) ? end : -1;
    },
    columns: () => [
      { name: 'captured_request_headers', kind: 'slice' },
      { name: 'captured_response_headers', kind: 'slice' },
      { name: 'request', kind: 'slice' },
      { name: 'remote_addr', kind: 'slice', representation: 'ipv4' },
      { name: 'remote_port', kind: 'number' },
    ],
    write: (writer, column, text, _from, to) => {
      const { requestFrom, requestTo, responseFrom, responseTo, from } = at0;
      if (isValue(text, requestFrom, requestTo)) writer.slice(column, requestFrom, requestTo);
      if (isValue(text, responseFrom, responseTo)) writer.slice(column + 1, responseFrom, responseTo);
      if (isValue(text, from, to - 1)) writer.slice(column + 2, from, to - 1);
      writer.slice(column + 3, client.from, client.colon);
      writer.number(column + 4, integerIn(text, client.colon + 1, client.to));
    },
  };
}

/** Whether a blank and this mark stand there. */
function begins(text: string, at: number, end: number, mark: number): boolean {
  return at + 1 < end && text.charCodeAt(at) === BLANK && text.charCodeAt(at + 1) === mark;
}

function isValue(text: string, from: number, to: number): boolean {
  return to > from && !isDash(text, from, to);
}

function bracesEnd(text: string, at: number, end: number): number {
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === RIGHT) return at;
    if (code < BLANK || code > 126) return -1;
  }
  return -1;
}

/** Whether [at, to) is a request of plain characters with a quote behind it, and its last two words are not what `option httpslog` adds. */
function isRequest(text: string, at: number, to: number): boolean {
  if (to < at || text.charCodeAt(to) !== QUOTE) return false;
  let [before, last] = [-1, -1];
  for (; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code < BLANK || code > 126) return false;
    if (code !== BLANK) continue;
    before = last;
    last = at;
  }
  const first = before < 0 ? 0 : text.charCodeAt(before + 1);
  return first !== DASH && !(first >= ZERO && first < COLON);
}

function skipBlanks(text: string, at: number, end: number): number {
  while (at < end && text.charCodeAt(at) === BLANK) at++;
  return at;
}
