import type { FieldInfo, Graph, ItemTable, RecordDetail, RecordRow, SchemaLogger, SourceInfo } from '../../engine/api/types.ts';

/** Generated records: each is a function of its number, so that a hundred million take no memory. */

const START = Date.UTC(2025, 10, 20, 6, 0, 0);
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
const AGENTS = [
  'Mozilla/5.0 (X11; Linux x64) Firefox/146.0',
  'curl/8.9.1',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0)',
  'monit/5.34',
  'Googlebot/2.1',
];
const METHODS = ['GET', 'GET', 'GET', 'POST', 'HEAD'];
const PROGRAMS = ['sshd', 'systemd', 'kernel', 'cron', 'postfix/smtpd'];
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

export function detailOf(id: number, total: number): RecordDetail {
  const row = rowOf(id, total, []);
  const fields = Object.entries(fieldValues(id, total)).map(([name, value]): FieldInfo => {
    return { name, type: TYPES[name] ?? 'string', representation: UNITS[name] ?? null, values: [value] };
  });
  return {
    ...row,
    uuid: `0f6a1c2e-1111-4222-8333-${String(id).padStart(12, '0')}`,
    hostname: 'edge1.example.org',
    pid: row.source === 2 ? 4242 : null,
    envVersion: null,
    payload: row.source === 2 ? row.text : null,
    raw: row.source === 2 ? `<34>Nov 20 14:31:02 edge1 ${row.text}` : row.text,
    decoder: row.failure !== null ? null : row.source === 1 ? 'nginx_access' : 'syslog',
    fields,
  };
}

export function sourcesOf(records: number, rate: number, now: number): SourceInfo[] {
  const history = Array.from({ length: 30 }, (_unused, index) => Math.abs(Math.sin(now / 4000 + index / 3)) * 1200);
  const base = { failures: 0, dropped: 0, problem: null };
  return [
    {
      ...base,
      id: 1,
      kind: 'file',
      label: 'access.log',
      location: '/var/log/nginx/access.log',
      state: 'following',
      decoder: { name: 'nginx_access', config: { log_format: '$remote_addr - $status' }, by: 'detected', confidence: 0.97 },
      records: Math.floor(records * 0.8),
      failures: 812,
      bytes: 198_000_000,
      totalBytes: 198_000_000,
      rate,
      history,
    },
    {
      ...base,
      id: 2,
      kind: 'udp',
      label: 'udp:5514',
      location: 'udp://0.0.0.0:5514',
      state: 'listening',
      decoder: { name: 'syslog', config: {}, by: 'configuration', confidence: 1 },
      records: Math.floor(records * 0.2),
      bytes: 0,
      totalBytes: 0,
      rate: 38,
      history: history.map((value) => 1300 - value),
    },
    {
      ...base,
      id: 3,
      kind: 'file',
      label: 'archive-2025-10-with-a-long-name.log',
      location: '/srv/archive/archive-2025-10-with-a-long-name.log',
      state: 'reading',
      decoder: null,
      records: 120_400,
      bytes: Math.floor(now * 9_000) % 2_000_000_000,
      totalBytes: 2_000_000_000,
      rate: 91_000,
      history: history.map((value) => value + 400),
    },
    {
      ...base,
      id: 4,
      kind: 'file',
      label: 'secure.log',
      location: '/var/log/secure.log',
      state: 'failed',
      decoder: null,
      records: 0,
      bytes: 0,
      totalBytes: 0,
      rate: 0,
      history: [],
      problem: 'secure.log cannot be read: permission denied. Start Sluicebox as a user who may read it.',
    },
  ];
}

export function graphs(): Graph[] {
  const rows = 480;
  const column = (name: string, salt: number, level: number): Graph['columns'][number] => ({
    name,
    unit: 'count',
    aggregation: 'sum',
    values: Float64Array.from({ length: rows }, (_unused, row) =>
      row > 210 && row < 226
        ? NaN
        : Math.round(
            level * (1 + Math.sin(row / 30)) * 0.5 +
              (mix(row, salt) % Math.max(1, level / 4)) +
              (row > 298 && row < 316 && salt === 24 ? 300 : 0),
          ),
    ),
  });
  const load = (name: string, salt: number): Graph['columns'][number] => ({
    name,
    unit: 's',
    aggregation: 'max',
    values: Float64Array.from({ length: rows }, (_unused, row) => 0.05 + (mix(row, salt) % 100) / 400 + (row > 298 && row < 316 ? 1.4 : 0)),
  });
  return [
    {
      key: 'HttpStatus/HTTP Status',
      source: 1,
      plugin: 'HttpStatus',
      title: 'HTTP Status',
      time: START,
      rowMs: 60_000,
      columns: [
        column('HTTP_100', 20, 0),
        column('HTTP_200', 21, 1600),
        column('HTTP_300', 22, 180),
        column('HTTP_400', 23, 120),
        column('HTTP_500', 24, 12),
        column('HTTP_UNKNOWN', 25, 0),
      ],
      annotations: [{ time: START + 300 * 60_000, column: 5, short: 'A', text: 'HTTP_500 rose to 40 times its usual rate' }],
    },
    {
      key: 'Latency/Latency',
      source: 1,
      plugin: 'Latency',
      title: 'Request time',
      time: START,
      rowMs: 60_000,
      columns: [load('p50', 30), load('p99', 31)],
      annotations: [],
    },
  ];
}

export function itemTables(): ItemTable[] {
  const table = (variable: string, items: readonly string[]): ItemTable => {
    const weights = items.map((_item, index) => Math.round(400_000 / (index + 1) ** 1.2));
    const sum = weights.reduce((a, b) => a + b, 0);
    return {
      key: `Frequent/${variable}`,
      source: 1,
      plugin: 'FrequentItems',
      variable,
      items: items.map((item, index) => ({ item, weight: weights[index] ?? 0, share: (weights[index] ?? 0) / sum })),
    };
  };
  return [
    table(
      'Fields[remote_addr]',
      Array.from({ length: 40 }, (_unused, index) => `203.0.113.${index}`),
    ),
    table('Fields[status]', ['200', '404', '304', '503', '301', '500']),
  ];
}

export function schema(total: number): SchemaLogger[] {
  const field = (name: string, type: 'string' | 'number', samples: string[], representation: string | null = null, optional = false) => ({
    name,
    type,
    representation,
    count: Math.round(total * 0.8 * (optional ? 0.4 : 1)),
    optional,
    samples,
  });
  return [
    {
      name: 'access.log',
      count: Math.round(total * 0.8),
      types: [
        {
          name: 'nginx.access',
          count: Math.round(total * 0.8),
          versions: [
            {
              name: '',
              count: Math.round(total * 0.8),
              fields: [
                field('remote_addr', 'string', ['203.0.113.7', '203.0.113.12'], 'ipv4'),
                field('request', 'string', ['GET / HTTP/1.1']),
                field('status', 'number', ['200', '404', '503']),
                field('body_bytes_sent', 'number', ['512', '18233'], 'B'),
                field('request_time', 'number', ['0.012', '1.3'], 's', true),
                { ...field('http_user_agent', 'string', AGENTS), type: 'mismatch' as const },
              ],
            },
          ],
        },
      ],
    },
    {
      name: 'udp:5514',
      count: Math.round(total * 0.2),
      types: [
        {
          name: 'syslog',
          count: Math.round(total * 0.2),
          versions: [
            {
              name: '1',
              count: Math.round(total * 0.2),
              fields: [field('programname', 'string', PROGRAMS), field('syslogfacility', 'number', ['4', '10'])],
            },
          ],
        },
      ],
    },
  ];
}
