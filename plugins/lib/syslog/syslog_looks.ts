/** The forms of lines of syslog. Metas name these constants, and are read without running anything: literals and constants only. */

// Cases are spelt out: in a process with much compiled code, V8 forgets that `(?i:…)` ignores them.
const MONTHS =
  '(?:[Jj][Aa][Nn]|[Ff][Ee][Bb]|[Mm][Aa][Rr]|[Aa][Pp][Rr]|[Mm][Aa][Yy]|[Jj][Uu][Nn]|[Jj][Uu][Ll]|[Aa][Uu][Gg]|[Ss][Ee][Pp]|[Oo][Cc][Tt]|[Nn][Oo][Vv]|[Dd][Ee][Cc])';
const SHORT_DATE = String.raw`${MONTHS} [ \d]\d(?: \d{4})? \d\d:\d\d:\d\d(?:\.\d{1,9})?`;
/** The same in other languages, as journalctl writes it: a word, or the number of a month with its mark. */
const LOCAL_DATE = String.raw`(?:[^\x00-\x40\x5b-\x60\x7b-\xbf]{3,7}\.?| ?\d{1,2}[月월]|Th\d\d) [ \d]\d \d\d:\d\d:\d\d`;
const LONG_DATE = String.raw`\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:?\d\d)`;
/** Lines of journalctl -o short-full, with the day of the week in any language, and short-unix. */
const JOURNAL_DATE = String.raw`[^\x00-\x40\x5b-\x60\x7b-\xbf]{1,5}\.? \d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{6})? (?:[A-Za-z]{3,5}|[+-]\d\d(?::?\d\d)?)|\d{9,10}\.\d{6}`;
const PRIORITY = '<(?:1[0-8][0-9]|19[01]|[0-9]{1,2})>';
const DATE = `(?:${SHORT_DATE}|${LONG_DATE}|${JOURNAL_DATE}|${LOCAL_DATE})`;
const PROCESS = String.raw`(?:\[[^\]\s]*\]:?|:)(?: |$)`;
const HOST = String.raw`^(?:${PRIORITY})?${DATE} [\w.:-]+ `;

/** Lines with a priority, or with a host and a program or its process, since other logs begin with a date as well. */
export const SYSLOG_LINE = String.raw`^(?:\d{1,7} )?${PRIORITY}|(?:^${DATE} (?:[\w.:-]+ (?:[^\s:\[\]]+${PROCESS}|last message repeated|-- )|[\w./-]+\[\d+\]: ))`;

const LEVEL =
  '(?:[Tt][Rr][Aa][Cc][Ee]|(?:SUB|D)?[Dd][Ee][Bb][Uu][Gg]|[Ii][Nn][Ff][Oo]|[Nn][Oo][Tt][Ii][Cc][Ee]|[Ww][Aa][Rr][Nn]|[Ww][Aa][Rr][Nn][Ii][Nn][Gg]|[Ee][Rr][Rr][Oo][Rr]|[Ee][Rr][Rr]|[Cc][Rr][Ii][Tt]|[Cc][Rr][Ii][Tt][Ii][Cc][Aa][Ll]|[Ff][Aa][Tt][Aa][Ll]|[Aa][Ll][Ee][Rr][Tt]|[Ee][Mm][Ee][Rr][Gg])';

/** A level where a host would be, as in logs of programs. */
export const LEVEL_LINE = String.raw`^${DATE} \[?${LEVEL}\b`;

/** Lines of the kernel. */
export const KERNEL_LINE = `${HOST}kernel${PROCESS}`;

/** About logins, sessions and accounts. */
export const AUTH_LINE = String.raw`${HOST}(?:sshd(?:-session)?|sudo|su|login|systemd-logind|(?:user|group)(?:add|del|mod)|(?:ch)?passwd|gpasswd|polkitd|pkexec|chage|chfn)${PROCESS}|\bpam_\w+\([\w-]+:\w+\)`;
