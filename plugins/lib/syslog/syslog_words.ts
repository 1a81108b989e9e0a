/** The names of severities and facilities (RFC 5424, section 6.2.1, and the words of syslog.conf). */
import { oneOf, type Scan } from '../../base/scan.ts';

/** Words by number; of several words for one number the first is the usual one. */
const SEVERITY_WORDS = [['emerg', 'panic'], ['alert'], ['crit'], ['error', 'err'], ['warning', 'warn'], ['notice'], ['info'], ['debug']];
const FACILITY_WORDS = [
  ...[
    ['kern'],
    ['user'],
    ['mail'],
    ['daemon'],
    ['auth', 'security'],
    ['syslog'],
    ['lpr'],
    ['news'],
    ['uucp'],
    ['cron'],
    ['authpriv'],
    ['ftp'],
  ],
  ...[
    ['ntp'],
    ['audit'],
    ['alert'],
    ['clock'],
    ['local0'],
    ['local1'],
    ['local2'],
    ['local3'],
    ['local4'],
    ['local5'],
    ['local6'],
    ['local7'],
  ],
];

const SEVERITIES = numbered(SEVERITY_WORDS);
const FACILITIES = numbered(FACILITY_WORDS);

/** The word of a severity, all in lower or all in upper case. */
export const severityWord: Scan = anyCase(SEVERITIES);

/** The word of a facility, all in lower or all in upper case. */
export const facilityWord: Scan = anyCase(FACILITIES);

/** The severity that the word [from, to) of the text names. */
export function severityIn(text: string, from: number, to: number): number {
  return SEVERITIES.get(text.slice(from, to).toLowerCase()) as number;
}

/** The facility that the word [from, to) of the text names. */
export function facilityIn(text: string, from: number, to: number): number {
  return FACILITIES.get(text.slice(from, to).toLowerCase()) as number;
}

/** Longer words first: `authpriv` is not `auth`. */
function anyCase(words: ReadonlyMap<string, number>): Scan {
  const lower = [...words.keys()].toSorted((a, b) => b.length - a.length);
  return oneOf([...lower, ...lower.map((word) => word.toUpperCase())]);
}

function numbered(words: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  return new Map(words.flatMap((synonyms, number) => synonyms.map((word) => [word, number])));
}
