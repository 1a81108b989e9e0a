import { OPTIONAL_HEADERS } from '../../engine/api/headers.ts';
import type { RecordHeaders } from '../../engine/api/record-types.ts';
import type { FieldInfo, RecordDetail, RecordRow } from '../../engine/api/types.ts';

/** Generated records: each is a function of its number, so that a hundred million take no memory. */

export const START = Date.UTC(2025, 10, 20, 6, 0, 0);
const SPAN_MS = 8 * 3_600_000;
const PATHS = [
  '/',
  '/index.html',
  '/api/v1/orders',
  '/api/v1/orders/4711',
  '/login',
  '/static/app.9f3c.js',
  '/img/logo.svg',
  '/search?q=valve',
  '/health',
  '/feed.xml',
];
export const AGENTS = [
  'Mozilla/5.0 (X11; Linux x64) Firefox/146.0',
  'curl/8.9.1',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0)',
  'monit/5.34',
  'Googlebot/2.1',
];
const METHODS = ['GET', 'GET', 'GET', 'POST', 'HEAD'];
export const PROGRAMS = ['sshd', 'systemd', 'kernel', 'cron', 'postfix/smtpd'];
const SAYINGS = [
  'Accepted publickey for deploy from 10.4.0.17 port 51234 ssh2',
  'Started Daily apt download activities.',
  'eth0: link becomes ready',
  '(root) CMD (run-parts /etc/cron.hourly)',
  'connect from unknown[192.0.2.44]',
  'Failed password for invalid user admin from 203.0.113.9 port 4022 ssh2',
];

/** A number from 0 to 2³² that looks random and is always the same for the same two numbers. */
export function mix(a: number, b: number): number {
  let x = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x165667b1, 0xc2b2ae35);
  x ^= x >>> 15;
  x = Math.imul(x, 0x2c1b3c6d);
  x ^= x >>> 12;
  return x >>> 0;
}

function pick<T>(list: readonly T[], id: number, salt: number): T {
  return list[mix(id, salt) % list.length] as T;
}

interface Facts {
  readonly access: boolean;
  readonly status: number;
  readonly severity: number | null;
  readonly failed: boolean;
}

function factsOf(id: number, total: number): Facts {
  const access = mix(id, 1) % 10 < 8;
  const part = id / total;
  const burst = part > 0.62 && part < 0.66;
  const dice = mix(id, 2) % 1000;
  const status = burst && dice < 400 ? 503 : dice < 860 ? 200 : dice < 920 ? 304 : dice < 975 ? 404 : dice < 990 ? 301 : 500;
  const severity = access ? (status >= 500 ? 3 : status >= 400 ? 4 : 6) : ([6, 6, 6, 5, 7, 4, 3, 2][mix(id, 3) % 8] ?? null);
  return { access, status, severity: mix(id, 9) % 400 === 0 ? null : severity, failed: mix(id, 4) % 977 === 0 };
}

export function timeOf(id: number, total: number): number {
  const even = (id / total) * SPAN_MS;
  return START + Math.floor(even + Math.sin((id / total) * 40) * 90_000 + 90_000);
}

export function idAt(time: number, total: number): number {
  let low = 0;
  let high = total;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (timeOf(middle, total) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function accessLine(id: number, { status }: Facts, time: number): string {
  const request = `${pick(METHODS, id, 5)} ${pick(PATHS, id, 6)} HTTP/1.1`;
  return `${address(id)} - - [${new Date(time).toISOString()}] "${request}" ${status} ${mix(id, 7) % 50_000} "-" "${pick(AGENTS, id, 8)}"`;
}

function address(id: number): string {
  return `203.0.113.${mix(id, 10) % 40}`;
}

export function textOf(id: number, total: number): string {
  const facts = factsOf(id, total);
  if (facts.failed) return `\u00ff\u0003 half a line of ${address(id)} that no grammar knows`;
  return facts.access ? accessLine(id, facts, timeOf(id, total)) : pick(SAYINGS, id, 11);
}

export function severityAt(id: number, total: number): number | null {
  return factsOf(id, total).severity;
}

export function sourceAt(id: number, total: number): number {
  return factsOf(id, total).access ? 1 : 2;
}

function fieldValues(id: number, total: number): Record<string, string> {
  const facts = factsOf(id, total);
  if (facts.failed) return {};
  if (!facts.access) return { programname: pick(PROGRAMS, id, 12), syslogfacility: String(mix(id, 13) % 24) };
  return {
    remote_addr: address(id),
    request: `${pick(METHODS, id, 5)} ${pick(PATHS, id, 6)} HTTP/1.1`,
    status: String(facts.status),
    body_bytes_sent: String(mix(id, 7) % 50_000),
    request_time: ((mix(id, 14) % 3000) / 1000).toFixed(3),
    http_user_agent: pick(AGENTS, id, 8),
  };
}

export function rowOf(id: number, total: number, columns: readonly string[]): RecordRow {
  const facts = factsOf(id, total);
  const time = timeOf(id, total);
  const values = fieldValues(id, total);
  return {
    id,
    time,
    timeNs: `${time}${String(mix(id, 15) % 1_000_000).padStart(6, '0')}`,
    severity: facts.severity,
    source: facts.access ? 1 : 2,
    logger: facts.access ? 'access.log' : 'udp:5514',
    type: facts.failed ? '' : facts.access ? 'nginx.access' : 'syslog',
    text: textOf(id, total),
    failure: facts.failed ? 'column 1: expected an address' : null,
    values: columns.map((name) => values[name.replace(/^Fields\[(.*)\]$/, '$1')] ?? null),
  };
}

const TYPES: Readonly<Record<string, FieldInfo['type']>> = {
  status: 'integer',
  body_bytes_sent: 'integer',
  request_time: 'double',
  syslogfacility: 'integer',
};
const UNITS: Readonly<Record<string, string>> = { body_bytes_sent: 'B', request_time: 's', remote_addr: 'ipv4' };

const NO_HEADERS = Object.fromEntries(OPTIONAL_HEADERS.map(({ member }) => [member, null])) as RecordHeaders;

export function detailOf(id: number, total: number): RecordDetail {
  const row = rowOf(id, total, []);
  const fields = Object.entries(fieldValues(id, total)).map(([name, value]): FieldInfo => {
    return { name, type: TYPES[name] ?? 'string', representation: UNITS[name] ?? null, values: [value] };
  });
  return {
    ...NO_HEADERS,
    ...row,
    uuid: `0f6a1c2e-1111-4222-8333-${String(id).padStart(12, '0')}`,
    hostname: 'edge1.example.org',
    pid: row.source === 2 ? 4242 : null,
    payload: row.source === 2 ? row.text : null,
    raw: row.source === 2 ? `<34>Nov 20 14:31:02 edge1 ${row.text}` : row.text,
    decoder: row.failure !== null ? null : row.source === 1 ? 'nginx_access' : 'syslog',
    fields,
  };
}
