import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const NOON = Date.UTC(2026, 10, 3, 12);
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (number: number): string => String(number).padStart(2, '0');
const iso = (time: number): string => new Date(time).toISOString();

/** A time as access logs have it. */
function accessTime(time: number): string {
  const date = new Date(time);
  return `${two(date.getUTCDate())}/${MONTHS[date.getUTCMonth()]}/${date.getUTCFullYear()}:${iso(time).slice(11, 19)} +0000`;
}

/** A time as syslog has it. */
function syslogTime(time: number): string {
  const date = new Date(time);
  return `${MONTHS[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2)} ${iso(time).slice(11, 19)}`;
}

const accessLine = (time: number, client: string, request: string, status: number): string =>
  `${client} - - [${accessTime(time)}] "${request} HTTP/1.1" ${status} 512 "-" "Mozilla/5.0"\n`;

function written(folder: string, name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(lines.join('')) : lines.join(''));
  return path;
}

const series = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_unused, index) => make(index));

/** An hour of a shop: for ten minutes the gateway answers 504, because the service behind it has no memory. 24,000 records in two formats. */
export function webOutage(folder: string): string[] {
  const [begin, end] = [30 * MINUTE, 40 * MINUTE];
  const access = series(16_000, (i) => {
    const at = (i * 60 * MINUTE) / 16_000;
    const isDown = at >= begin + 5 * SECOND && at < end && i % 4 === 0;
    return accessLine(
      NOON + at,
      `198.51.100.${i % (isDown ? 40 : 200)}`,
      i % 4 === 0 ? 'POST /checkout' : `GET /products/${i % 90}`,
      isDown ? 504 : 200,
    );
  });
  const orders = series(8000, (i) => {
    const at = (i * 60 * MINUTE) / 8000;
    return JSON.stringify({ time: iso(NOON + at), level: 'info', service: 'orders', msg: `order ${i} stored` }) + '\n';
  });
  orders.splice(
    4000,
    0,
    `${JSON.stringify({ time: iso(NOON + begin), level: 'error', service: 'orders', msg: 'OutOfMemoryError: Java heap space' })}\n`,
  );
  return [written(folder, 'gateway.log', access), written(folder, 'orders.jsonl', orders)];
}

/** Three days of logins in rotated files: one address tries again and again, until it gets in. 20,000 records. */
export function bruteForce(folder: string): string[] {
  const line = (time: number, text: string): string => `${syslogTime(time)} web1 sshd[${1000 + (time % 9000)}]: ${text}\n`;
  const day = (start: number, count: number, attacks: boolean): string[] =>
    series(count, (i) => {
      const time = start + (i * 20 * 60 * MINUTE) / count;
      return attacks && i % 4 !== 0
        ? line(time, `Failed password for root from 203.0.113.66 port ${20_000 + i} ssh2`)
        : line(time, `Accepted publickey for deploy from 192.0.2.${i % 30} port ${30_000 + i} ssh2: RSA SHA256:abc`);
    });
  const DAY = 24 * 60 * MINUTE;
  const today = [
    ...day(NOON, 6000, true),
    line(NOON + 20 * 60 * MINUTE + MINUTE, 'Accepted password for backup from 203.0.113.66 port 4711 ssh2'),
  ];
  return [
    written(folder, 'auth.log.2.gz', day(NOON - 2 * DAY, 6000, false)),
    written(folder, 'auth.log.1.gz', day(NOON - DAY, 8000, true)),
    written(folder, 'auth.log', today),
  ];
}

/** A day of four workers: the memory of one grows since it was deployed. 20,000 records. */
export function memoryLeak(folder: string): string[] {
  const lines = series(20_000, (i) => {
    const worker = i % 4;
    const leaks = worker === 2 && i > 8000;
    const heap = leaks ? 200 + Math.round((i - 8000) / 10) : 180 + (i % 17);
    return `${JSON.stringify({ time: iso(NOON + i * 4 * SECOND), level: 'info', worker: `worker-${worker}`, version: leaks ? '2.4.1' : '2.4.0', heap_mb: heap, msg: 'job done' })}\n`;
  });
  return [written(folder, 'workers.jsonl', lines)];
}

/** An hour of a database: in one minute the reports ask for all orders, and wait for them. 3600 records. */
export function slowDatabase(folder: string): string[] {
  const entry = (i: number): string => {
    const at = NOON + i * SECOND;
    const isReport = i >= 33 * 60 && i < 34 * 60 && i % 5 === 0;
    const [client, statement] = isReport
      ? ['reports[reports] @  [192.0.2.99]', 'SELECT * FROM orders ORDER BY total;']
      : [`shop[shop] @  [192.0.2.${i % 4}]`, `SELECT name FROM products WHERE id = ${i % 90};`];
    const [took, examined] = isReport ? [20 + (i % 9), 4_000_000] : [0.2 + (i % 7) / 20, 900];
    return [
      `# Time: ${iso(at)}`,
      `# User@Host: ${client}  Id: ${100 + (i % 40)}`,
      `# Query_time: ${took.toFixed(6)}  Lock_time: 0.000120 Rows_sent: 3  Rows_examined: ${examined}`,
      `SET timestamp=${at / SECOND};`,
      `${statement}\n`,
    ].join('\n');
  };
  return [written(folder, 'slow-query.log', series(3600, entry))];
}

/** A gateway and a service whose clock is an hour ahead. 20,000 records. */
export function wrongClocks(folder: string): string[] {
  const id = (i: number): string => `req-${String(i).padStart(5, '0')}`;
  const line = (i: number, shift: number, service: string, msg: string): string =>
    `${JSON.stringify({ time: iso(NOON + i * 300 + shift), level: 'info', service, request_id: id(i), msg })}\n`;
  return [
    written(
      folder,
      'gateway.jsonl',
      series(10_000, (i) => line(i, 0, 'gateway', 'received')),
    ),
    written(
      folder,
      'payments.jsonl',
      series(10_000, (i) => line(i, 60 * MINUTE + 100, 'payments', 'paid')),
    ),
  ];
}

/** A log that grows: its lines so far, all of them fine. */
export function liveLog(folder: string): string[] {
  return [
    written(
      folder,
      'live.log',
      series(20_000, (i) => accessLine(NOON + i * 100, `192.0.2.${i % 200}`, `GET /${i % 50}`, 200)),
    ),
  ];
}

/** Lines that come later, one in ten of them a failure. */
export const moreOf = (from: number, count: number): string =>
  series(count, (i) => accessLine(NOON + (20_000 + from + i) * 100, '192.0.2.7', `GET /late/${from + i}`, i % 10 === 0 ? 503 : 200)).join(
    '',
  );
