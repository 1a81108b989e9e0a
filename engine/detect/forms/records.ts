/** Logs whose records are not single lines, and files of /proc, which are one record as a whole. */
import { decoderSplit } from '../decoder-splits.ts';
import { MOST, recordsOf, share, type DecoderCandidate, type Head } from './types.ts';

const USER = /^# User@Host: .*\[.*\] +@ /m;
const ENTRY = /^# (?:Time|User@Host): /m;
/** Characters that may stand before the first entry. */
const MOST_WORDS = 1000;
const QUERY_TIME = /^# Query_time: \d/m;
const PERCONA = /^# (?:Thread_id: \S+ +)?Schema: .*Last_errno: /m;
const MARIADB = /^# Thread_id: \d+ +Schema: .*QC_hit: /m;
const NGINX_ERROR = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \[(?:emerg|alert|crit|error|warn|notice|info|debug)\] \d+#\d+: /;

/** Slow query logs, told apart by the line behind that of the user. */
export function slowQueryForm({ text }: Head): DecoderCandidate[] {
  if (!USER.test(text) || !QUERY_TIME.test(text)) return [];
  // What stands in front of the first entry are the server's words at its start.
  if (text.search(ENTRY) > MOST_WORDS) return [];
  const server = PERCONA.test(text) ? 'percona' : MARIADB.test(text) ? 'mariadb' : 'mysql';
  const name = `${server}_slow_query`;
  const split = decoderSplit(name);
  const entries = split.kind === 'regex' ? recordsOf(text, split) : [];
  // The last one may be cut off.
  const whole = entries.filter((entry) => USER.test(entry) && /;\n/.test(entry));
  return [{ name, config: {}, split, records: whole.slice(0, 100) }];
}

export function nginxErrorForm({ lines }: Head): DecoderCandidate[] {
  return share(lines, NGINX_ERROR) >= MOST ? [{ name: 'nginx_error', config: {} }] : [];
}

const FILES: readonly (readonly [name: string, form: RegExp])[] = [
  ['linux_memstats', /^MemTotal: +\d+ kB\n(?:[\w()]+: +\d+(?: kB)?\n)+$/],
  ['linux_procstat', /^cpu +\d+ \d+ \d+ \d+[^]*\nctxt \d+\nbtime \d+\n/],
  ['linux_loadavg', /^\d+\.\d\d \d+\.\d\d \d+\.\d\d \d+\/\d+ \d+\n?$/],
  ['linux_diskstats', /^(?: +\d+){11}(?:(?: +\d+){4}(?:(?: +\d+){2})?)?\n?$/],
];

/** The files of /proc and /sys that have decoders. */
export function procForm({ text }: Head): DecoderCandidate[] {
  const found = FILES.find(([, form]) => form.test(text));
  return found === undefined ? [] : [{ name: found[0], config: {}, split: decoderSplit(found[0]), records: [text] }];
}
