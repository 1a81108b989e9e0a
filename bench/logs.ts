/** Logs of any number of lines, the same on every machine: three days of a web server and of a few hosts. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { generator } from './random.ts';
import { folder } from './samples.ts';

export type LogKind = 'access' | 'syslog';

/** A generated log. */
export interface GeneratedLog {
  readonly path: string;
  readonly lines: number;
  readonly bytes: number;
}

const START = Date.UTC(2026, 10, 1);
const DURATION = 3 * 86_400_000;
const LINES_AT_ONCE = 5000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15',
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (compatible; GardenBot/2.1; +https://garden.example/bot)',
  'curl/8.10.1',
  'python-requests/2.32.3',
] as const;
const PROGRAMS = ['sshd', 'CRON', 'kernel', 'systemd', 'nginx', 'postfix/smtpd', 'dhclient', 'sudo'] as const;

/** Writes a log of so many lines into the folder of the benchmark. */
export function generatedLog(kind: LogKind, lines: number): GeneratedLog {
  const path = join(folder, `${kind}-${lines}.log`);
  const file = openSync(path, 'w');
  const draw = new Draw();
  let bytes = 0;
  for (let from = 0; from < lines; from += LINES_AT_ONCE) {
    let text = '';
    for (let i = from; i < Math.min(lines, from + LINES_AT_ONCE); i++) text += LINE[kind](draw, i / lines);
    bytes += writeSync(file, text, null, 'latin1');
  }
  closeSync(file);
  return { path, lines, bytes };
}

class Draw {
  readonly #next = generator();

  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** A number from 1 to below the limit; each power of ten is as frequent as the next. */
  rank(limit: number): number {
    return Math.floor(limit ** this.#next());
  }
}

/** A line of each kind at a share of the log's duration. */
const LINE: Readonly<Record<LogKind, (draw: Draw, share: number) => string>> = {
  access(draw, share) {
    const user = draw.chance(0.1) ? 'alice' : '-';
    const method = draw.chance(0.8) ? 'GET' : 'POST';
    const path = draw.chance(0.6)
      ? `/api/v${1 + draw.below(3)}/items/${draw.below(1e5)}?q=${draw.below(1e6)}`
      : `/static/${draw.below(500)}.js`;
    const referer = draw.chance(0.5) ? '-' : `https://example.org/page/${draw.below(1000)}`;
    return (
      `${address(draw.rank(20_000))} - ${user} [${clfTime(share)}] "${method} ${path} HTTP/1.1" ${status(draw, share)} ` +
      `${draw.below(50_000)} "${referer}" "${draw.of(AGENTS)}"\n`
    );
  },
  syslog(draw, share) {
    const program = draw.of(PROGRAMS);
    const text =
      program === 'sshd'
        ? `Failed password for invalid user u${draw.below(999)} from 10.0.${draw.below(255)}.${draw.below(255)} port ${draw.below(60_000)} ssh2`
        : `event ${draw.below(1e6)} finished in ${draw.below(900)} ms with code ${draw.below(4)}`;
    return `${bsdTime(share)} host${draw.below(5)} ${program}[${1 + draw.below(30_000)}]: ${text}\n`;
  },
};

const address = (rank: number): string => `${10 + (rank % 190)}.${(rank >> 3) & 255}.${(rank * 7) & 255}.${(rank * 13) & 255}`;

/** Mostly 200; six short outages. */
function status(draw: Draw, share: number): number {
  const outage = (share * 6) % 1 > 0.97;
  if (outage && draw.chance(0.4)) return 503;
  return draw.chance(0.9) ? 200 : draw.of([304, 304, 404, 404, 301, 500]);
}

const two = (n: number): string => String(n).padStart(2, '0');
const at = (share: number): Date => new Date(START + DURATION * share);
const clock = (date: Date): string => `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
const monthOf = (date: Date): string => MONTHS[date.getUTCMonth()] as string;

/** As in the common log format. */
function clfTime(share: number): string {
  const date = at(share);
  return `${two(date.getUTCDate())}/${monthOf(date)}/${date.getUTCFullYear()}:${clock(date)} +0000`;
}

/** As in RFC 3164. */
function bsdTime(share: number): string {
  const date = at(share);
  return `${monthOf(date)} ${String(date.getUTCDate()).padStart(2)} ${clock(date)}`;
}
