/** Syslog and the logs of Linux that are lines of it. */
import { MOST, NEARLY_ALL, share, type DecoderCandidate, type Head } from './types.ts';

const PRIORITY = /^<(?:1[0-8]\d|19[01]|\d{1,2})>/;
const SHORT_DATE = String.raw`(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d(?: \d{4})? \d\d:\d\d:\d\d(?:\.\d{1,9})?`;
const LONG_DATE = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)`;
const LEVEL = String.raw`(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|CRIT|CRITICAL|FATAL|ALERT|EMERG)`;
/** As journalctl -o short-full and short-unix write it. */
const JOURNAL_DATE = String.raw`[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{6})? (?:[A-Z]{3,5}|[+-]\d\d(?::?\d\d)?)|\d{9,10}\.\d{6}`;
/** With a host that is no level, or a program and its process: other logs begin with a date as well. */
const LINE = new RegExp(
  `^(?:${SHORT_DATE}|${LONG_DATE}|${JOURNAL_DATE}) (?!\\[?${LEVEL}\\b)(?:[\\w.:-]+ (?:(?<program>[^\\s:[\\]]+)(?:\\[[^\\]\\s]*\\]:?|:)(?: |$)|last message repeated|-- )|[\\w./-]+\\[\\d+\\]: )`,
  'i',
);
const RING =
  /^(?:<\d{1,3}>|[a-z]+\d? *:[a-z]+ *: )?\[ *\d+\.\d{6}\](?:\[ *[TC]\d+\])? |^\d{1,4},\d+,\d+,[^;,]*(?:,[^;]*)?;|^\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}\] /;
const AUTH =
  /^(?:sshd(?:-session)?|sudo|su|login|systemd-logind|(?:user|group)(?:add|del|mod)|(?:ch)?passwd|gpasswd|polkitd|pkexec|chage|chfn)$/;
const PAM = /\bpam_\w+\([\w-]+:\w+\)/;
const DPKG = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (?:startup|status|install|upgrade|configure|trigproc|disappear|remove|purge|conffile) \S+ \S/;

/** The log of dpkg. */
export function dpkgForm({ lines }: Head): DecoderCandidate[] {
  return share(lines, DPKG) >= MOST ? [{ name: 'linux_dpkg', config: { type: 'dpkg' } }] : [];
}

/** What dmesg prints, and records of /dev/kmsg. */
export function ringForm({ lines }: Head): DecoderCandidate[] {
  return share(lines, RING) >= NEARLY_ALL ? [{ name: 'linux_kern', config: { type: 'kernel' } }] : [];
}

/** Lines of syslog: where nearly all are of the kernel, or most are about logins, the decoder that takes their messages apart. */
export function syslogForm({ lines }: Head): DecoderCandidate[] {
  const read = lines.map((line) => {
    const body = line.replace(PRIORITY, '');
    const found = LINE.exec(body);
    return { line, is: found !== null || body.length < line.length, program: found?.groups?.['program'] ?? '' };
  });
  const syslog = read.filter(({ is }) => is);
  if (syslog.length < lines.length * MOST) return [];
  const plain: DecoderCandidate = { name: 'syslog', config: { type: 'syslog' } };
  const count = (fits: (line: { line: string; program: string }) => boolean): number => syslog.filter(fits).length / syslog.length;
  if (count(({ program }) => program === 'kernel') >= NEARLY_ALL) return [{ name: 'linux_kern', config: { type: 'kernel' } }, plain];
  const isAuth = ({ line, program }: { line: string; program: string }): boolean => AUTH.test(program) || PAM.test(line);
  return count(isAuth) >= MOST ? [{ name: 'linux_auth', config: { type: 'auth' } }, plain] : [plain];
}
