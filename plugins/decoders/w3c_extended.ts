/**
 * Decodes logs in the W3C's extended format, as IIS, CloudFront and others write them: lines of values under a line `#Fields: date time c-ip cs-method …`.
 *
 * The names come from the last line `#Fields:`, or from the parameter fields. To continue a source after a restart without preserved data, the
 * decoder needs the parameter. Lines that begin with `#` are passed on undecoded. Values are separated by blanks or tabs; values in double quotes
 * may contain blanks, and so may those of a line in which each tab separates two values. A `-` sets no field. A time without a date is of the day in
 * the last line `#Date:`.
 *
 * | Name | Becomes |
 * |---|---|
 * | date and time, which are in UTC; or in the zone of tz when it is set | Timestamp |
 * | c-ip, s-ip, c-port, s-port | the fields remote_addr, server_addr, remote_port, server_port |
 * | cs-method, cs-uri-stem, cs-uri-query, cs-version | the fields request_method, uri, args, server_protocol |
 * | cs-host, cs-username, cs(Referer), cs(User-Agent), cs(Cookie) | the fields host, remote_user, http_referer, http_user_agent, http_cookie |
 * | sc-status, sc-bytes, cs-bytes | the fields status, bytes_sent (`B`) and request_length (`B`) |
 * | time-taken | the field request_time: `ms`, or `s` when it has a point |
 * | any other | a field of its name in lower case, with underscores: sc-win32-status is sc_win32_status |
 */
import { ACCESS_COLUMNS } from '../lib/columns.ts';
import { AnyDate } from '../modules/any_date.ts';
import { boolConfig, stringConfig } from '../modules/config.ts';
import { fieldMaker } from '../lib/rules/message_rules.ts';
import { KEEP_LINE, TYPE, ZONE } from '../lib/parameters.ts';
import { withoutLineEnd } from '../base/scan.ts';
import { MinuteDate } from '../lib/time/minute_date.ts';
import { TableWriter, type LogField, type LogMessage } from '../modules/table_writer.ts';
import { configuredClock } from '../modules/time_zone.ts';
import { ACCESS_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'w3c_extended',
  kind: 'decoder',
  comments: true,
  summary: "Decodes logs in the W3C's extended format, such as those of IIS and CloudFront.",
  columns: ACCESS_COLUMNS,
  recordSummary: ACCESS_SUMMARY,
  looks: [{ text: /^(?:#[^\n]*\n){0,20}?#Fields:[ \t]*(?<fields>[^\n,]*)\n/, config: { fields: '{fields}' } }],
  parameters: {
    fields: { type: 'string', summary: 'Names of the values, as behind #Fields:; from the source when it is empty.', default: '' },
    type: TYPE,
    tz: ZONE,
    payload_keep: KEEP_LINE,
  },
  examples: [
    {
      title: 'IIS',
      config: {
        fields:
          'date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-win32-status time-taken',
      },
      in: '2021-03-05 13:07:59 198.51.100.7 GET /a b=1 443 - 192.0.2.1 Mozilla/5.0+(Windows+NT+10.0) - 200 0 15',
      out: {
        Timestamp: '1614949679000000000',
        Fields: {
          server_addr: { value: '198.51.100.7', representation: 'ipv4' },
          request_method: 'GET',
          uri: '/a',
          args: 'b=1',
          server_port: 443,
          remote_addr: { value: '192.0.2.1', representation: 'ipv4' },
          http_user_agent: 'Mozilla/5.0+(Windows+NT+10.0)',
          status: 200,
          sc_win32_status: 0,
          request_time: { value: 15, representation: 'ms' },
        },
      },
    },
    {
      title: 'CloudFront',
      config: { fields: 'date time x-edge-location sc-bytes c-ip cs-method sc-status time-taken', type: 'cdn' },
      in: '2021-03-05\t13:07:59\tFRA2-C1\t2390\t2001:db8::7\tGET\t200\t0.001',
      out: {
        Timestamp: '1614949679000000000',
        Type: 'cdn',
        Fields: {
          x_edge_location: 'FRA2-C1',
          bytes_sent: { value: 2390, representation: 'B' },
          remote_addr: { value: '2001:db8::7', representation: 'ipv6' },
          request_method: 'GET',
          status: 200,
          request_time: { value: 0.001, representation: 's' },
        },
      },
    },
    { title: 'too few values', config: { fields: 'date time c-ip' }, in: '2021-03-05 13:07:59', fails: '2 values for 3 fields' },
    { title: 'values before their names', in: '2021-03-05 13:07:59 192.0.2.1', fails: 'no line #Fields: before it' },
  ],
};

declare global {
  /** The field names of the last `#Fields:` line; a global, so that it is part of preserved data. */
  var _W3C_FIELDS: string;
  /** The day in the last `#Date:` line. */
  var _W3C_DATE: string;
}

const DIRECTIVE = /^\ufeff?#(?:Fields:\s*(?<fields>.*)|Date:\s*(?<day>\S+))?/i;
const [TAB, BLANK, QUOTE, HASH, BYTE_ORDER_MARK] = [9, 32, 34, 35, 0xfeff];
const VALUE = /"((?:[^"]|"")*)"|\S+/g;
const QUOTED = /^"(.*)"$/s;
const NAMES: Readonly<Record<string, string>> = {
  'c-ip': 'remote_addr',
  's-ip': 'server_addr',
  'c-port': 'remote_port',
  's-port': 'server_port',
  'cs-method': 'request_method',
  'cs-uri-stem': 'uri',
  'cs-uri-query': 'args',
  'cs-version': 'server_protocol',
  'cs-protocol-version': 'server_protocol',
  'cs-host': 'host',
  'cs(host)': 'host',
  'cs-username': 'remote_user',
  'cs(referer)': 'http_referer',
  'cs(user-agent)': 'http_user_agent',
  'cs(cookie)': 'http_cookie',
  'sc-status': 'status',
  'sc-bytes': 'bytes_sent',
  'cs-bytes': 'request_length',
  'time-taken': 'request_time',
};
const KINDS = {
  numbers: {
    remote_port: '',
    server_port: '',
    status: '',
    sc_substatus: '',
    sc_win32_status: '',
    bytes_sent: 'B',
    request_length: 'B',
    request_time: 'ms',
  },
  hosts: ['remote_addr', 'server_addr'],
};
const fieldOf = fieldMaker(KINDS);
const fieldInSeconds = fieldMaker({ ...KINDS, numbers: { ...KINDS.numbers, request_time: 's' } });

globalThis._W3C_FIELDS = stringConfig('fields');
globalThis._W3C_DATE = '';
const noFields: ProcessStatus = [-1, 'no line #Fields: before it'];
const noTime: ProcessStatus = [-1, 'no date that there is'];
const type = stringConfig('type', null);
const keepPayload = boolConfig('payload_keep');
const writer = new TableWriter();
const date = new MinuteDate(new AnyDate(() => read_message('Timestamp') ?? 0, configuredClock()));

/** The date, the time of day, or the field that a value becomes. */
interface Place {
  readonly role: 'date' | 'time' | 'field';
  readonly name: string;
}

/** The `#Fields:` text from which `places` were made. */
let source = '';
let places: readonly Place[] = [];

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const line = text.slice(start, withoutLineEnd(text, start, end));
  const first = line.charCodeAt(0);
  const directive = first === HASH || first === BYTE_ORDER_MARK ? DIRECTIVE.exec(line) : null;
  if (directive !== null) {
    const { fields, day } = directive.groups ?? {};
    if (fields !== undefined) globalThis._W3C_FIELDS = fields;
    if (day !== undefined) globalThis._W3C_DATE = day;
    return 0;
  }
  if (globalThis._W3C_FIELDS !== source) {
    source = globalThis._W3C_FIELDS;
    places = source.trim() === '' ? [] : source.trim().split(/\s+/).map(placeOf);
  }
  if (places.length === 0) return noFields;
  const values = plainValues(text, start, start + line.length) ?? Array.from(line.matchAll(VALUE), valueOf);
  if (values.length === places.length) return inject(line, values);
  const cells = line.split('\t');
  if (cells.length === places.length) return inject(line, cells.map(cellValue));
  return [-1, `${values.length} values for ${places.length} fields`];
}

function placeOf(written: string): Place {
  const name = written.toLowerCase();
  return { role: name === 'date' || name === 'time' ? name : 'field', name: fieldName(name) };
}

function valueOf([whole, quoted]: RegExpExecArray): string {
  return quoted?.replaceAll('""', '"') ?? whole;
}

/** The value between two tabs. */
function cellValue(cell: string): string {
  const [, quoted] = QUOTED.exec(cell) ?? [];
  return quoted?.replaceAll('""', '"') ?? cell;
}

/** The values of a line of plain characters without quotes; null of any other. */
function plainValues(text: string, at: number, end: number): string[] | null {
  const values: string[] = [];
  while (at < end) {
    const to = plainEnd(text, at, end);
    if (to < 0) return null;
    if (to > at) values.push(text.slice(at, to));
    at = to + 1;
  }
  return values;
}

/** The position of the next blank or tab, or -1 when another character comes first that is not plain. */
function plainEnd(text: string, at: number, end: number): number {
  let code = 0;
  while (at < end && (code = text.charCodeAt(at)) > BLANK && code < 127 && code !== QUOTE) at++;
  return at === end || code === BLANK || code === TAB ? at : -1;
}

function inject(line: string, values: readonly string[]): ProcessStatus {
  const fields: LogField[] = [];
  let [day, time] = [globalThis._W3C_DATE, ''];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as string;
    const { role, name } = places[i] as Place;
    if (value === '-' || value === '') continue;
    if (role === 'date') day = value;
    else if (role === 'time') time = value;
    else fields.push((value.includes('.') ? fieldInSeconds : fieldOf)(name, value));
  }
  const message: LogMessage = { Fields: fields };
  if (day !== '' && time !== '') {
    const ns = date.read(`${day} ${time}`, 0, day.length + 1 + time.length);
    if (ns === null) return noTime;
    message.Timestamp = ns;
  }
  if (type !== null) message.Type = type;
  if (keepPayload) message.Payload = line;
  return writer.inject(message);
}

function fieldName(name: string): string {
  return NAMES[name] ?? name.replace(/[^a-z\d]+/g, '_').replace(/^_|_$/g, '');
}
