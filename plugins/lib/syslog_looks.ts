/** The forms of lines of syslog. Metas name these constants, and are read without running anything: literals and constants only. */

const MONTHS = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const SHORT_DATE = String.raw`${MONTHS} [ \d]\d(?: \d{4})? \d\d:\d\d:\d\d(?:\.\d{1,9})?`;
const LONG_DATE = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)`;
/** Lines of journalctl -o short-full and short-unix. */
const JOURNAL_DATE = String.raw`[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{6})? (?:[A-Z]{3,5}|[+-]\d\d(?::?\d\d)?)|\d{9,10}\.\d{6}`;
const PRIORITY = '<(?:1[0-8][0-9]|19[01]|[0-9]{1,2})>';
const DATE = `(?:${SHORT_DATE}|${LONG_DATE}|${JOURNAL_DATE})`;
const PROCESS = String.raw`(?:\[[^\]\s]*\]:?|:)(?: |$)`;
const HOST = String.raw`^(?i:(?:${PRIORITY})?${DATE}) [\w.:-]+ `;

/** Lines with a priority, or with a host and a program or its process, since other logs begin with a date as well. */
export const SYSLOG_LINE = String.raw`^${PRIORITY}|(?i:^${DATE} (?:[\w.:-]+ (?:[^\s:\[\]]+${PROCESS}|last message repeated|-- )|[\w./-]+\[\d+\]: ))`;

/** A level where a host would be, as in logs of programs. */
export const LEVEL_LINE = String.raw`(?i:^${DATE} \[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|CRIT|CRITICAL|FATAL|ALERT|EMERG)\b)`;

/** Lines of the kernel. */
export const KERNEL_LINE = `${HOST}kernel${PROCESS}`;

/** About logins, sessions and accounts. */
export const AUTH_LINE = String.raw`${HOST}(?:sshd(?:-session)?|sudo|su|login|systemd-logind|(?:user|group)(?:add|del|mod)|(?:ch)?passwd|gpasswd|polkitd|pkexec|chage|chfn)${PROCESS}|\bpam_\w+\([\w-]+:\w+\)`;
