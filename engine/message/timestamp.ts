import { parseInteger } from './integer.ts';
import { match } from './match.ts';

/**
 * Points in time as text. A layout is a regular expression whose named groups are the parts of the date; `_` in front of a day stands for
 * a blank. Uses nothing of Node: the same code runs in an isolate.
 */

const DAY_NAME = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_DAY_NAME = '(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)';
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH_NAME = `(?<monthName>${MONTHS.join('|')})`;
const CLOCK = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})(?:[.,](?<fraction>\\d+))?';
const NUMERIC_ZONE = '(?<offset>[+-]\\d{4})';
const ZONE_NAME = '(?<zone>[A-Z]{1,5})';
const YEAR = '(?<year>\\d{4})';
const SHORT_YEAR = '(?<shortYear>\\d{2})';
const DAY = '(?<day>\\d{2})';
const LOOSE_DAY = ' ?(?<day>\\d{1,2})';

const LAYOUTS = [
  // C ctime, Unix date and date with a numeric zone: Fri Mar  5 13:07:59 [zone] 2021
  `${DAY_NAME} ${MONTH_NAME} ${LOOSE_DAY} ${CLOCK}(?: ${ZONE_NAME}| ${NUMERIC_ZONE})? ${YEAR}`,
  // RFC 822: 05 Mar 21 13:07 zone
  `${DAY} ${MONTH_NAME} ${SHORT_YEAR} (?<hour>\\d{2}):(?<minute>\\d{2}) (?:${ZONE_NAME}|${NUMERIC_ZONE})`,
  // RFC 850: Friday, 05-Mar-21 13:07:59 UTC
  `${LONG_DAY_NAME}, ${DAY}-${MONTH_NAME}-${SHORT_YEAR} ${CLOCK} ${ZONE_NAME}`,
  // RFC 1123: Fri, 05 Mar 2021 13:07:59 zone
  `${DAY_NAME}, ${DAY} ${MONTH_NAME} ${YEAR} ${CLOCK} (?:${ZONE_NAME}|${NUMERIC_ZONE})`,
  // RFC 3339: 2021-03-05T13:07:59[.fraction]zone
  `${YEAR}-(?<month>\\d{2})-${DAY}[Tt]${CLOCK}(?:(?<zulu>[Zz])|(?<offset>[+-]\\d{2}:\\d{2}))`,
].map((layout) => new RegExp(`^${layout}$`));

/** Zone names with their hours from UTC: universal time, and those that RFC 822 (section 5.1) defines. Others are ambiguous. */
const ZONES: Readonly<Record<string, number>> = {
  UTC: 0,
  UT: 0,
  GMT: 0,
  Z: 0,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
};

type Groups = Readonly<Record<string, string | undefined>>;

/**
 * The point in time that a text names, in nanoseconds since 1970-01-01T00:00:00Z: an integer (decimal, 0x hexadecimal, leading 0
 * octal), or a date as ctime, date(1), RFC 822, 850, 1123 or 3339 write it, in UTC unless it says otherwise. null when it is neither, or when
 * the time does not fit into int64 (years 1677 to 2262).
 */
export function parseTimestamp(text: string): bigint | null {
  const integer = parseInteger(text, 64);
  if (integer !== null) return integer;
  if (text.length > MAX_LENGTH) return null;
  for (const layout of LAYOUTS) {
    const groups = match(layout, text)?.groups;
    if (groups !== undefined) return instantOf(groups);
  }
  return null;
}

const MAX_LENGTH = 100;
const NS_PER_MS = 1_000_000n;

function instantOf(groups: Groups): bigint | null {
  const year = yearOf(groups);
  const month = groups.monthName === undefined ? Number(groups.month) : MONTHS.indexOf(groups.monthName) + 1;
  const day = Number(groups.day);
  const hour = Number(groups.hour);
  const minute = Number(groups.minute);
  const second = Number(groups.second ?? 0);
  const offset = offsetMinutes(groups);
  if (offset === null || hour > 23 || minute > 59 || second > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const ms = date.setUTCHours(hour, minute - offset, second);
  const ns = BigInt(ms) * NS_PER_MS + BigInt((groups.fraction ?? '').slice(0, 9).padEnd(9, '0'));
  return BigInt.asIntN(64, ns) === ns ? ns : null;
}

/** A year of two digits lies between 1969 and 2068, as POSIX says. */
function yearOf({ year, shortYear }: Groups): number {
  if (shortYear === undefined) return Number(year);
  const short = Number(shortYear);
  return short >= 69 ? 1900 + short : 2000 + short;
}

/** Minutes east of UTC, or null for a zone that is not known. */
function offsetMinutes({ offset, zone }: Groups): number | null {
  if (offset !== undefined) {
    const hours = Number(offset.slice(1, 3));
    const minutes = Number(offset.slice(-2));
    if (hours > 23 || minutes > 59) return null;
    return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
  }
  if (zone === undefined) return 0;
  const hours = ZONES[zone];
  return hours === undefined ? null : hours * 60;
}

/** Now, in nanoseconds since 1970, by the clock of the system: it follows when that is set or the machine has slept. */
export const nowNs = (): bigint => BigInt(Date.now()) * NS_PER_MS;

/** A point in time as RFC 3339 in UTC, with as many digits of the second as it needs (none, 3, 6 or 9). */
export function formatTimestamp(ns: bigint): string {
  const rest = ((ns % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const date = new Date(Number((ns - rest) / NS_PER_MS)).toISOString().slice(0, -5);
  if (rest === 0n) return `${date}Z`;
  const digits = rest.toString().padStart(9, '0');
  return `${date}.${digits.endsWith('000000') ? digits.slice(0, 3) : digits.endsWith('000') ? digits.slice(0, 6) : digits}Z`;
}
