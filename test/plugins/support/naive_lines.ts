/**
 * A slow reader of access-log lines, written from the words of the reference alone: sticky regular expressions, one after the other, no going back. It
 * shares no code with the decoders.
 */

/** A field as [value, representation]; the time under `Timestamp`, in seconds. */
export type NaiveFields = Map<string, readonly [value: unknown, representation?: string]>;

interface Item {
  readonly pattern: string;
  readonly name?: string;
  readonly convert?: (text: string) => readonly [value: unknown, representation?: string];
}

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = `${OCTET}(?:\\.${OCTET}){3}`;
const HOST_NAME = "(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9a-fA-F]{2})+";
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const CLF = `(?:0[1-9]|[12]\\d|3[01])/(?:${MONTHS.join('|')})/\\d{4}:(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60) [+-](?:[01]\\d|2[0-3])[0-5]\\d`;
const ISO =
  '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';
const SEPARATOR = '(?:, | : )';
const listOf = (item: string): string => `${item}(?:${SEPARATOR}${item})*`;
const split = (text: string): string[] => text.split(/, | : /);

const plain = (text: string) => [text] as const;
const number =
  (representation?: string) =>
  (text: string): readonly [number, string?] =>
    representation === undefined ? [Number(text)] : [Number(text), representation];
const bytes = (text: string) => [text === '-' ? 0 : Number(text), 'B'] as const;
const host = (text: string) => [text, new RegExp(`^${IPV4}$`).test(text) ? 'ipv4' : text.includes(':') ? 'ipv6' : 'hostname'] as const;
const numbers =
  (representation?: string) =>
  (text: string): readonly [number[], string?] => {
    const values = split(text).map((item) => (item === '-' ? 0 : Number(item)));
    return representation === undefined ? [values] : [values, representation];
  };
const clf = (text: string): readonly [number] => {
  const [, day, month, year, time, sign, hours, minutes] = /(\d+)\/(\w+)\/(\d+):(\S+) (.)(\d\d)(\d\d)/.exec(text) as string[];
  const [h = 0, m = 0, s = 0] = (time as string).split(':').map(Number);
  const ahead = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60 : 60);
  return [Date.UTC(Number(year), MONTHS.indexOf(month as string), Number(day), h, m, s) / 1000 - ahead];
};
const iso = (text: string): readonly [number] => {
  const [, year, month, day, h, m, s, fraction = '', zone = 'Z'] = /(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)(\.\d+)?(.*)/.exec(text) as string[];
  const ahead = zone === 'Z' ? 0 : (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4))) * (zone.startsWith('-') ? -60 : 60);
  const whole = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(h), Number(m), Number(s)) / 1000 - ahead;
  return [whole + Number(`0${fraction}`)];
};

const INTEGER = { pattern: '\\d+', convert: number() };
const BYTES = { pattern: '\\d+|-', convert: bytes };
/** IPv6 addresses only in the forms that the tests write. */
const HOST = { pattern: `${IPV4}|::1|2001:db8::7|::ffff:1\\.2\\.3\\.4|${HOST_NAME}`, convert: host };
const METHOD = { pattern: 'GET|POST|HEAD|PUT|DELETE|OPTIONS|TRACE|CONNECT|[A-Z0-9_-]+' };
const PROTOCOL = { pattern: 'HTTP/\\d+(?:\\.\\d+)?' };
const STATUS = { pattern: '\\d{3}', convert: number() };

export const NGINX: Readonly<Record<string, Omit<Item, 'name'>>> = {
  ...{ body_bytes_sent: BYTES, bytes_sent: BYTES, content_length: BYTES, request_length: BYTES },
  ...{ connection: INTEGER, connection_requests: INTEGER, pid: INTEGER, remote_port: INTEGER, server_port: INTEGER, tcpinfo_rtt: INTEGER },
  ...{ host: HOST, hostname: HOST, server_addr: HOST, server_name: HOST, proxy_protocol_addr: HOST, remote_addr: HOST },
  https: { pattern: '(?:on)?' },
  is_args: { pattern: '\\??' },
  msec: { pattern: '\\d+\\.\\d+', convert: number() },
  nginx_version: { pattern: '\\d+\\.\\d+\\.\\d+' },
  pipe: { pattern: '[p.]' },
  request_completion: { pattern: '(?:OK)?' },
  request_method: METHOD,
  request_time: { pattern: '\\d+\\.\\d+', convert: number('s') },
  scheme: { pattern: 'https|http' },
  server_protocol: PROTOCOL,
  status: STATUS,
  time_iso8601: { pattern: ISO, convert: iso },
  time_local: { pattern: CLF, convert: clf },
  upstream_addr: { pattern: listOf('[^, ]+'), convert: (text) => [split(text)] },
  upstream_cache_status: { pattern: 'HIT|MISS|EXPIRED|BYPASS|STALE|UPDATING|REVALIDATED|-' },
  upstream_response_length: {
    pattern: `${listOf('\\d+')}|-`,
    convert: (text) => (text === '-' ? ['-'] : numbers('B')(text)),
  },
  upstream_response_time: { pattern: listOf('(?:\\d+\\.\\d+|-)'), convert: numbers('s') },
  upstream_status: { pattern: listOf('(?:\\d{3}|-)'), convert: numbers() },
};
const NGINX_TIMES = new Set(['msec', 'time_iso8601', 'time_local']);

const APACHE: Readonly<Record<string, Item>> = {
  a: { name: 'remote_addr', ...HOST },
  A: { name: 'server_addr', ...HOST },
  B: { name: 'body_bytes_sent', ...BYTES },
  b: { name: 'body_bytes_sent', ...BYTES },
  D: { name: 'request_time', pattern: '\\d+', convert: number('us') },
  h: { name: 'remote_addr', ...HOST },
  H: { name: 'server_protocol', ...PROTOCOL },
  I: { name: 'request_length', pattern: '\\d+', convert: bytes },
  k: { name: 'connection_requests', ...INTEGER },
  m: { name: 'request_method', ...METHOD },
  O: { name: 'response_length', pattern: '\\d+', convert: bytes },
  p: { name: 'server_port', ...INTEGER },
  P: { name: 'pid', ...INTEGER },
  s: { name: 'status', ...STATUS },
  t: { name: 'Timestamp', pattern: `\\[${CLF}\\]`, convert: (text) => clf(text.slice(1, -1)) },
  T: { name: 'request_time', pattern: '\\d+', convert: number('s') },
  v: { name: 'server_name', ...HOST },
  X: { name: 'connection_status', pattern: '[X+-]' },
};
const APACHE_TEXTS: Readonly<Record<string, string>> = {
  ...{ f: 'request_filename', l: 'remote_user', q: 'query_string', r: 'request', R: 'request_handler', u: 'remote_user', U: 'uri' },
};

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** How far a text reaches behind this literal; '' stands for white space and the start. */
function textPattern(literal: string): string {
  if (literal.endsWith('"')) return '(?:\\\\"|[^"])*';
  return literal === '' ? '\\S*' : `[^${escaped(literal.slice(-1))}]*`;
}

function itemsOf(tokens: readonly (readonly [kind: 'space' | 'literal' | 'field', text: string])[], field: (text: string) => Item): Item[] {
  let literal = '';
  return tokens.map(([kind, text]) => {
    if (kind === 'field') {
      const item = field(text);
      return item.pattern === '' ? { ...item, pattern: textPattern(literal) } : item;
    }
    literal = kind === 'space' ? '' : text;
    return { pattern: kind === 'space' ? '\\s+' : escaped(text) };
  });
}

/** The items of nginx's `log_format`. */
export function naiveNginx(format: string): Item[] {
  const tokens = Array.from(format.matchAll(/\s+|\$\w+|(?:[^\s$]|\$(?!\w))+/g), ([text]) => {
    const kind = /^\s/.test(text) ? 'space' : /^\$\w/.test(text) ? 'field' : 'literal';
    return [kind, text] as const;
  });
  return itemsOf(tokens, (text) => {
    const name = text.slice(1);
    const known = Object.hasOwn(NGINX, name) ? (NGINX[name] as Item) : { pattern: '', convert: plain };
    return { ...known, name: NGINX_TIMES.has(name) ? 'Timestamp' : name };
  });
}

/** The items of Apache's `LogFormat`, of directives without arguments and of `%{…}i`. */
export function naiveApache(format: string): Item[] {
  const tokens = Array.from(format.matchAll(/\s+|%[<>]?[A-Za-z]|%\{[^}]+\}i|[^\s%]+/g), ([text]) => {
    const kind = /^\s/.test(text) ? 'space' : text.startsWith('%') ? 'field' : 'literal';
    return [kind, text.replaceAll('\\"', '"')] as const;
  });
  return itemsOf(tokens, (text) => {
    const header = /^%\{(.*)\}i$/.exec(text)?.[1];
    if (header !== undefined) return { name: `http_${header.toLowerCase().replaceAll('-', '_')}`, pattern: '', convert: plain };
    const letter = text.slice(-1);
    return APACHE[letter] ?? { name: APACHE_TEXTS[letter] as string, pattern: '', convert: plain };
  });
}

/** The fields of a line; null when it does not fit the items. */
export function naiveFields(items: readonly Item[], line: string): NaiveFields | null {
  const fields: NaiveFields = new Map();
  let at = 0;
  for (const { pattern, name, convert = plain } of items) {
    const found = new RegExp(`(?:${pattern})`, 'y');
    found.lastIndex = at;
    const text = found.exec(line)?.[0];
    if (text === undefined) return null;
    at += text.length;
    if (name !== undefined) fields.set(name, convert(text));
  }
  return fields;
}
