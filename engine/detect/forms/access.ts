/** Recognition of access logs. The log format is composed from the parts that the lines have. */
import type { Head } from './head.ts';
import { MOST, mostFrequent, type FormMatch } from './types.ts';

const LINE =
  /^(?<before>(?:\S[^[\n]*?|\S+ \[[\da-f:.]{2,45}\](?::\d+)?[^[\n]*?)(?: - \[[^\][\n]{1,100}\] - \S+)?) \[(?:\d{2}\/[A-Z][a-z]{2}\/\d{4}|(?<iso>\d{4}-\d{2}-\d{2}))(?<mark>[: T])\d{2}:\d{2}:\d{2}(?:[.:]\d{1,9})?(?<zone> ?(?:Z|[+-]\d{2}:?\d{2}))?\] "(?:[^"\\]|\\.)*" \d{3} (?<bytes>\d+|-)(?<rest>(?: .*)?)$/;
const ITEM = / (?:(?<key>[A-Za-z]\w*[=:]))?(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<bare>[^"\s]+))/y;
const NGINX_ZONE = /^(?:Z|[+-]\d{2}:\d{2})$/;
const PORT = /:\d+$/;
/** A client's address with its port. */
const ENDPOINT = /^(?:\[[\da-f:.]+\]|\d+\.\d+\.\d+\.\d+):\d+$/i;
const BRACKETED = /^\[/;
const REFERER = /^-?$|^[a-z-]+:|^\//i;
const ADDRESSES = /^-?$|^[\da-f.:]+(?:, ?[\da-f.:]+)*$/i;
/** Nginx writes milliseconds, other programs that write its format fewer or more digits. */
const SECONDS = /^-?$|^\d+\.\d{1,6}(?:, \d+\.\d{1,6})*$/;
const NAME = /^(?!\d+\.\d+$)[\w-]+(?:\.[\w-]+)+$/;

/** Variables of nginx by the keys usually written before them. */
const KEYS: Readonly<Record<string, string>> = {
  rt: 'request_time',
  request_time: 'request_time',
  uct: 'upstream_connect_time',
  uht: 'upstream_header_time',
  urt: 'upstream_response_time',
  upstream_response_time: 'upstream_response_time',
  upstream_addr: 'upstream_addr',
  cs: 'upstream_cache_status',
  host: 'host',
};

/** The formats of Kubernetes' ingress-nginx: the newer one with the name of an alternative, of canaries, behind that of the upstream. */
const INGRESS_START = ' "$http_referer" "$http_user_agent" $request_length $request_time [$proxy_upstream_name]';
const INGRESS_ALTERNATIVE = ' [$proxy_alternative_upstream_name]';
const INGRESS_END = ' $upstream_addr $upstream_response_length $upstream_response_time $upstream_status';
const REQUEST_ID = /^[\da-f]{32}$/;
/** The client's address once more, which versions before 0.26 have. */
const REAL_ADDRESS = /^\[[\da-f.:]+\]$/i;
const TRAEFIK = ' "$http_referer" "$http_user_agent" $request_number "$router_name" "$upstream_url" $duration';

interface Item {
  readonly key: string;
  readonly quoted: boolean;
  readonly value: string;
}

interface AccessLine {
  readonly before: readonly string[];
  /** Character between date and time. */
  readonly mark: string;
  /** The zone of a date that is one of ISO 8601; null: the date is a common one. */
  readonly isoZone: string | null;
  readonly bytes: string;
  readonly items: readonly Item[];
}

/** Possible log formats of an access log, by server. */
interface AccessFormats {
  readonly nginx: readonly string[];
  readonly apache: readonly string[];
}

const NONE: AccessFormats = { nginx: [], apache: [] };

/** Recognises access logs of nginx: the common format, the combined one, and those followed by times and addresses. */
export const nginxAccess = (head: Head): FormMatch[] => head.once(accessFormats, accessFormats).nginx.map(matchOf);
/** Recognises access logs of Apache: the same formats, and those that begin with a virtual host. */
export const apacheAccess = (head: Head): FormMatch[] => head.once(accessFormats, accessFormats).apache.map(matchOf);

const matchOf = (format: string): FormMatch => ({ config: { log_format: format } });

function accessFormats({ lines }: Head): AccessFormats {
  const read = lines.map(readLine).filter((line) => line !== null);
  if (read.length === 0 || read.length < lines.length * MOST) return NONE;
  const shape = mostFrequent(read.map(shapeOf));
  const alike = read.filter((line) => shapeOf(line) === shape);
  // The format of Python's built-in servers.
  if (alike.every(({ mark, isoZone }) => mark === ' ' && isoZone === null))
    return { ...NONE, apache: ['%h %l %u [%{%d/%b/%Y %T}t] "%r" %>s %b'] };
  if (alike.every(isOfNginx)) return { ...NONE, nginx: nginxFormats(alike) };
  return isApache(alike) || alike.some(({ isoZone }) => isoZone !== null)
    ? { ...NONE, apache: apacheFormats(alike) }
    : { ...NONE, nginx: nginxFormats(alike) };
}

function readLine(line: string): AccessLine | null {
  const groups = LINE.exec(line)?.groups;
  if (groups === undefined) return null;
  const { before = '', iso, mark = '', zone = '', bytes = '', rest = '' } = groups;
  return { before: before.split(' '), mark, isoZone: iso === undefined ? null : zone, bytes, items: readItems(rest) };
}

function readItems(rest: string): Item[] {
  const items: Item[] = [];
  ITEM.lastIndex = 0;
  for (let found = ITEM.exec(rest); found !== null; found = ITEM.exec(rest)) {
    const { key = '', quoted, bare = '' } = found.groups ?? {};
    items.push({ key, quoted: quoted !== undefined, value: quoted ?? bare });
  }
  return items;
}

function shapeOf({ before, mark, isoZone, items }: AccessLine): string {
  const date = isoZone === null ? '' : mark + (NGINX_ZONE.test(isoZone) ? ':' : '');
  return `${before.length}${date} ${items.map(({ key, quoted }) => key + (quoted ? '"' : '')).join(' ')}`;
}

/** Only Apache's formats have virtual hosts and identities, and only Apache writes `-` for no bytes. */
function isApache(lines: readonly AccessLine[]): boolean {
  // Apache's %h has no port.
  if (lines.every(({ before }) => before.length === 4 && ENDPOINT.test(before[1] ?? ''))) return false;
  return lines.some(({ before, bytes }) => before.length === 4 || (before.length === 3 && before[1] !== '-') || bytes === '-');
}

/** Whether the date is nginx's $time_iso8601. */
const isOfNginx = ({ mark, isoZone }: AccessLine): boolean => mark === 'T' && isoZone !== null && NGINX_ZONE.test(isoZone);

/** The date of Apache's formats. */
function apacheTime({ mark, isoZone }: AccessLine): string {
  if (isoZone === null) return '%t';
  const zone = isoZone === '' ? '' : isoZone.startsWith(' ') ? ' %z' : '%z';
  return `[%{%Y-%m-%d${mark}%T${zone}}t]`;
}

/** Returns the common format with all known items after it, then with fewer. */
function nginxFormats(lines: readonly AccessLine[]): string[] {
  const client = nginxClient(lines);
  if (client === null) return [];
  const time = lines.every(isOfNginx) ? '$time_iso8601' : '$time_local';
  const common = `${client} [${time}] "$request" $status $body_bytes_sent`;
  if (lines.every(isOfTraefik)) return [common + TRAEFIK];
  const ingress = ingressEnd(lines);
  return [...(ingress === null ? [] : [common + ingress]), ...formats(common, nginxItems(lines))];
}

/** The client, with its port where all lines have one. */
function clientOf(lines: readonly AccessLine[], at: number): string {
  if (!lines.every(({ before }) => ENDPOINT.test(before[at] ?? ''))) return '$remote_addr';
  return lines.every(({ before }) => BRACKETED.test(before[at] ?? '')) ? '[$remote_addr]:$remote_port' : '$remote_addr:$remote_port';
}

/** The part before the time; null when it is none of nginx's. */
function nginxClient(lines: readonly AccessLine[]): string | null {
  const width = lines[0]?.before.length;
  const client = clientOf(lines, 0);
  if (width === 1) return client;
  if (width === 3) return `${client} - $remote_user`;
  if (width === 4 && lines.every(({ before: [host = '', , dash] }) => PORT.test(host) && dash === '-'))
    return `$host:$server_port ${clientOf(lines, 1)} - $remote_user`;
  const isOfIngress =
    width === 5 && lines.every(({ before: [, dash, address = '', other] }) => dash === '-' && other === '-' && REAL_ADDRESS.test(address));
  return isOfIngress ? '$remote_addr - [$the_real_ip] - $remote_user' : null;
}

/** Tells the formats of ingress-nginx by the time of the request and the names of the upstream, in brackets; null for all others. */
function ingressEnd(lines: readonly AccessLine[]): string | null {
  const isName = (item: Item | undefined): boolean => item?.quoted === false && /^\[[^\]]*\]$/.test(item.value);
  if (!lines.every(({ items: [, , , time, upstream] }) => SECONDS.test(time?.value ?? '') && isName(upstream))) return null;
  const hasAlternative = lines.every(({ items }) => isName(items[5]));
  const hasId = lines.every(({ items }) => REQUEST_ID.test(items.at(-1)?.value ?? ''));
  if (!hasAlternative && !hasId && lines.some(({ items }) => items.length < 9)) return null;
  return INGRESS_START + (hasAlternative ? INGRESS_ALTERNATIVE : '') + INGRESS_END + (hasId ? ' $req_id' : '');
}

/** Tells Traefik's format: the combined one followed by request number, router name, server URL and duration. */
function isOfTraefik({ items }: AccessLine): boolean {
  const [, , count, router, server, duration] = items;
  return router?.quoted === true && server?.quoted === true && /^\d+$/.test(count?.value ?? '') && /^\d+ms$/.test(duration?.value ?? '');
}

function apacheFormats(lines: readonly AccessLine[]): string[] {
  const [first] = lines;
  if (first === undefined || (first.before.length !== 3 && first.before.length !== 4)) return [];
  const host = first.before.length === 3 ? '' : lines.every(({ before }) => PORT.test(before[0] as string)) ? '%v:%p ' : '%v ';
  const items = apacheItems(lines);
  const bytes = items.length === 0 || lines.some((line) => line.bytes === '-') ? '%b' : '%O';
  return formats(`${host}%h %l %u ${apacheTime(first)} "%r" %>s ${bytes}`, items);
}

const formats = (base: string, items: readonly string[]): string[] => {
  const all = base + items.join('');
  return items.length > 2 ? [all, base + items.slice(0, 2).join(''), base] : items.length > 0 ? [all, base] : [base];
};

/** Names the items after the bytes up to the first unknown one; the decoder ignores the rest of the line. */
function nginxItems(lines: readonly AccessLine[]): string[] {
  const used = new Set<string>();
  return namedItems(lines, ({ key, quoted }, at, values) => {
    const name = key === '' ? nginxName(quoted, at, values, used) : KEYS[key.slice(0, -1)];
    if (name === undefined || used.has(name)) return null;
    used.add(name);
    return quoted ? `${key}"$${name}"` : `${key}$${name}`;
  });
}

function nginxName(quoted: boolean, at: number, values: readonly string[], used: ReadonlySet<string>): string | undefined {
  const all = (form: RegExp): boolean => values.every((value) => form.test(value));
  if (quoted && at === 0 && all(REFERER)) return 'http_referer';
  if (quoted && at === 1 && used.has('http_referer')) return 'http_user_agent';
  if (quoted && all(ADDRESSES) && !values.every((value) => SECONDS.test(value) && value !== '-')) return 'http_x_forwarded_for';
  if (all(SECONDS)) return used.has('request_time') ? 'upstream_response_time' : 'request_time';
  return all(NAME) ? 'host' : undefined;
}

function apacheItems(lines: readonly AccessLine[]): string[] {
  const names = ['Referer', 'User-Agent', 'X-Forwarded-For'];
  const forms = [REFERER, /^/, ADDRESSES];
  return namedItems(lines, ({ key, quoted }, at, values) => {
    const known = key === '' && quoted && at < names.length && values.every((value) => forms[at]?.test(value));
    return known ? `"%{${names[at]}}i"` : null;
  });
}

function namedItems(lines: readonly AccessLine[], format: (item: Item, at: number, values: readonly string[]) => string | null): string[] {
  const result: string[] = [];
  for (const [at, item] of (lines[0]?.items ?? []).entries()) {
    const text = format(
      item,
      at,
      lines.map(({ items }) => items[at]?.value ?? ''),
    );
    if (text === null) break;
    result.push(` ${text}`);
  }
  return result;
}
