/** The same as `naive_lines` for templates of rsyslog: slow, from the words of the reference alone. */

/** Pattern of a property, and the name that it sets: that of a field, or of a header with a capital. */
interface Property {
  readonly pattern: string;
  readonly set: (text: string) => Record<string, unknown>;
}

const printable = (length: number): string => `(?:-|[!-~]{0,${length}})`;
const field =
  (name: string) =>
  (text: string): Record<string, unknown> => ({ [name]: text });
const SEVERITIES = ['emerg', 'alert', 'crit', 'error', 'warning', 'notice', 'info', 'debug'];
const FACILITIES = 'kern user mail daemon auth syslog lpr news uucp cron authpriv ftp'.split(' ');
const longestFirst = (words: readonly string[]): string => words.toSorted((a, b) => b.length - a.length).join('|');
const time = (text: string): Record<string, unknown> => {
  const [, year, month, day, h, m, s] = /^(\d{4})-?(\d\d)-?(\d\d) ?(\d\d):?(\d\d):?(\d\d)$/.exec(text) as string[];
  return { Timestamp: Date.UTC(Number(year), Number(month) - 1, Number(day), Number(h), Number(m), Number(s)) / 1000 };
};
const NAME = '[!-9;-Z\\\\-~]*';

export const PROPERTIES: Readonly<Record<string, Property>> = {
  '%HOSTNAME%': { pattern: printable(255), set: field('Hostname') },
  '%fromhost%': { pattern: printable(255), set: field('fromhost') },
  '%programname%': { pattern: NAME, set: field('programname') },
  '%syslogtag%': {
    pattern: `${NAME}(?:\\[\\d+\\])?:?`,
    set: (text) => {
      const [, program, pid] = /^([^[:]*)(?:\[(\d+)\])?/.exec(text) as string[];
      return { programname: program, ...(pid === undefined ? {} : { Pid: Number(pid) }) };
    },
  },
  '%pri%': { pattern: '\\d{1,3}', set: (text) => ({ Severity: Number(text) % 8, syslogfacility: Math.floor(Number(text) / 8) }) },
  '%iut%': { pattern: '\\d+', set: field('iut') },
  '%protocol-version%': { pattern: '\\d+', set: field('protocol-version') },
  '%app-name%': { pattern: printable(48), set: field('app-name') },
  '%procid%': { pattern: printable(128), set: field('procid') },
  '%msgid:1:32%': { pattern: printable(32), set: field('msgid') },
  '%inputname%': { pattern: '[!-~]*', set: field('inputname') },
  '%syslogseverity%': { pattern: '\\d', set: (text) => ({ Severity: Number(text) }) },
  '%syslogseverity-text%': { pattern: longestFirst(SEVERITIES), set: (text) => ({ Severity: SEVERITIES.indexOf(text) }) },
  '%syslogfacility-text%': { pattern: longestFirst(FACILITIES), set: (text) => ({ 'syslogfacility-text': FACILITIES.indexOf(text) }) },
  '%timereported:::date-mysql%': {
    pattern: '\\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])(?:[01]\\d|2[0-3])[0-5]\\d[0-5]\\d',
    set: time,
  },
  '%TIMESTAMP:::date-pgsql%': {
    pattern: '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01]) (?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d',
    set: time,
  },
  '%$year%': { pattern: '\\d{4}', set: field('$year') },
  '%$month%': { pattern: '0[1-9]|1[0-2]', set: field('$month') },
  '%$day%': { pattern: '0[1-9]|[12]\\d|3[01]', set: field('$day') },
  '%$hour%': { pattern: '[01]\\d|2[0-3]', set: field('$hour') },
  '%$qhour%': { pattern: '0[0-3]', set: field('$qhour') },
  '%msg:::sp-if-no-1st-sp%': { pattern: ' +', set: () => ({}) },
  '%msg%': { pattern: '[^\\n]*', set: field('Payload') },
};

/** Fields and headers that a line sets; null when it does not fit. Every property stands once at most, and `%msg%` last. */
export function naiveTemplate(template: string, line: string): Record<string, unknown> | null {
  const result: Record<string, unknown> = {};
  let at = 0;
  for (const [item] of template.matchAll(/%[^%]+%|\s|[^%\s]+/g)) {
    const property = PROPERTIES[item];
    const literal = item.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
    const pattern = new RegExp(`(?:${property?.pattern ?? (/^\s$/.test(item) ? '\\s' : literal)})`, 'y');
    pattern.lastIndex = at;
    const text = pattern.exec(line)?.[0];
    if (text === undefined) return null;
    at += text.length;
    Object.assign(result, property?.set(text));
  }
  return result;
}
