/** Times as text and back, in local time or UTC. Milliseconds since 1970 throughout. Pure. */

export type TimeZone = 'local' | 'utc';

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly ms: number;
}

function parts(time: number, zone: TimeZone): Parts {
  // A date cuts fractions off towards 1970.
  const date = new Date(Math.floor(time));
  return zone === 'utc'
    ? {
        year: date.getUTCFullYear(),
        month: date.getUTCMonth() + 1,
        day: date.getUTCDate(),
        hour: date.getUTCHours(),
        minute: date.getUTCMinutes(),
        second: date.getUTCSeconds(),
        ms: date.getUTCMilliseconds(),
      }
    : {
        year: date.getFullYear(),
        month: date.getMonth() + 1,
        day: date.getDate(),
        hour: date.getHours(),
        minute: date.getMinutes(),
        second: date.getSeconds(),
        ms: date.getMilliseconds(),
      };
}

const two = (value: number): string => String(value).padStart(2, '0');
const three = (value: number): string => String(value).padStart(3, '0');

function datePart(of: Parts): string {
  return `${String(of.year).padStart(4, '0')}-${two(of.month)}-${two(of.day)}`;
}

function clockPart(of: Parts): string {
  return `${two(of.hour)}:${two(of.minute)}:${two(of.second)}`;
}

/** `2025-11-20 14:31:02.123`; empty for a time that no date can hold. */
export function formatTime(time: number, zone: TimeZone): string {
  const of = parts(time, zone);
  return Number.isNaN(of.year) ? '' : `${datePart(of)} ${clockPart(of)}.${three(of.ms)}`;
}

/** `2025-11-20 14:31:02`, to the second. */
export function formatTimeSeconds(time: number, zone: TimeZone): string {
  const of = parts(time, zone);
  return Number.isNaN(of.year) ? '' : `${datePart(of)} ${clockPart(of)}`;
}

/** Both ends of a range, the day only once: `2025-11-20 14:31:02 – 15:00:00`. */
export function formatRange({ from, to }: Span, zone: TimeZone): string {
  const [start, end] = [formatTimeSeconds(from, zone), formatTimeSeconds(to, zone)];
  return `${start} – ${start.slice(0, 10) === end.slice(0, 10) ? end.slice(11) : end}`;
}

/**
 * Ends of a range in a narrow place: without a year that all records have, whole minutes without seconds, and the day only once:
 * `11-20 14:31 – 15:00`. @param records span of all records; null: unknown
 */
export function shortRange(from: number | null, to: number | null, records: Span | null, zone: TimeZone): string {
  const ends = [from, to].filter((end) => end !== null);
  const all = records === null ? null : { from: Math.min(records.from, ...ends), to: Math.max(records.to, ...ends) };
  const form = timeForm(all, zone) === 'full' ? 'full' : 'day';
  const wholeMinutes = ends.every((end) => parts(end, zone).second === 0);
  const text = (time: number): string => formatTimeIn(form, time, zone, false).slice(0, wholeMinutes ? -3 : undefined);
  const [start, end] = [from === null ? '…' : text(from), to === null ? '…' : text(to)];
  const sameDay = from !== null && to !== null && timeForm({ from, to }, zone) === 'clock';
  return `${start} – ${sameDay ? end.slice(end.indexOf(' ') + 1) : end}`;
}

/** A range of time, in milliseconds since 1970, both ends included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The part of the date that a time needs beside others: none, when all are of one day; not the year, when all are of one; or all of it. */
export type TimeForm = 'clock' | 'day' | 'full';

/** The shortest form in which no time of a span lacks its date; what the form leaves out is `sharedDate`. */
export function timeForm(span: Span | null, zone: TimeZone): TimeForm {
  if (span === null) return 'full';
  const [from, to] = [parts(span.from, zone), parts(span.to, zone)];
  if (from.year !== to.year || Number.isNaN(from.year)) return 'full';
  return datePart(from) === datePart(to) ? 'clock' : 'day';
}

/** The part of the date that all times of a span have in common: `2025-11-20`, `2025` or nothing. */
export function sharedDate(span: Span | null, zone: TimeZone): string {
  const form = timeForm(span, zone);
  return span === null || form === 'full' ? '' : formatTime(span.from, zone).slice(0, form === 'clock' ? 10 : 4);
}

/** `2025-11-20 14:31:02.123` without what the form leaves out. @param fractions false: to the second */
export function formatTimeIn(form: TimeForm, time: number, zone: TimeZone, fractions = true): string {
  const text = (fractions ? formatTime : formatTimeSeconds)(time, zone);
  if (form === 'full') return text;
  return text.slice(form === 'clock' ? 11 : 5);
}

/** To the nanosecond, from milliseconds and the exact decimal text of the nanoseconds. */
export function formatTimeNs(time: number, timeNs: string, zone: TimeZone): string {
  const seconds = formatTimeSeconds(time, zone);
  if (seconds === '') return `${timeNs} ns`;
  return `${seconds}.${fractionOf(timeNs)}${zone === 'utc' ? ' UTC' : ` ${offsetOf(time)}`}`;
}

function fractionOf(timeNs: string): string {
  const fraction = ((BigInt(timeNs) % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  return String(fraction).padStart(9, '0');
}

function offsetOf(time: number): string {
  const minutes = -new Date(time).getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '−' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Axes of more milliseconds tell the year of each tick. */
const YEARS_SHOWN = 366 * 86_400_000;

/** The label of a tick on an axis that spans so many milliseconds. Midnight is told by the day that begins, a year by its number. */
export function formatTick(time: number, span: number, zone: TimeZone): string {
  const of = parts(time, zone);
  const midnight = of.hour === 0 && of.minute === 0 && of.second === 0 && of.ms === 0;
  if (span > YEARS_SHOWN) return of.month === 1 && of.day === 1 ? datePart(of).slice(0, 4) : datePart(of);
  if (span > 5 * 60_000 && midnight) return of.month === 1 && of.day === 1 ? datePart(of) : datePart(of).slice(5);
  if (span > 2 * 86_400_000) return `${datePart(of).slice(5)} ${two(of.hour)}:${two(of.minute)}`;
  if (span > 5 * 60_000) return `${two(of.hour)}:${two(of.minute)}`;
  if (span > 5000) return clockPart(of);
  return `${clockPart(of)}.${three(of.ms)}`;
}

const STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000,
  3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000, 1_209_600_000, 2_592_000_000,
  7_776_000_000,
] as const;
const YEAR_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] as const;
const YEAR = 31_556_952_000;
const HOUR = 3_600_000;

/** Round times between two, at most so many: where an axis has its ticks. */
export function ticksBetween(from: number, to: number, most: number, zone: TimeZone): number[] {
  if (!(to > from) || most < 1) return [];
  const step = STEPS.find((candidate) => (to - from) / candidate <= most);
  if (step === undefined) return yearsBetween(from, to, most, zone);
  const shift = zone === 'utc' ? 0 : new Date(from).getTimezoneOffset() * 60_000;
  const ticks: number[] = [];
  for (let clock = Math.ceil((from - shift) / step) * step; ; clock += step) {
    // Where clocks are put forward or back, only whole hours stay round.
    const tick = zone === 'utc' || step <= HOUR ? clock + shift : toTime(parts(clock, 'utc'), zone);
    if (!(tick <= to)) return ticks;
    if (tick >= from) ticks.push(tick);
  }
}

/** Beginnings of round years. */
function yearsBetween(from: number, to: number, most: number, zone: TimeZone): number[] {
  const step = YEAR_STEPS.find((years) => (to - from) / (years * YEAR) <= most) ?? 1000;
  const ticks: number[] = [];
  const first = Math.ceil(parts(from, zone).year / step) * step;
  for (let year = first; ; year += step) {
    const tick = toTime({ year, month: 1, day: 1, hour: 0, minute: 0, second: 0, ms: 0 }, zone);
    if (!(tick <= to)) return ticks;
    if (tick >= from) ticks.push(tick);
  }
}

const WRITTEN = /^(?:(\d{4})-(\d{2})-(\d{2}))?[ T]?(?:(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?)?$/;

/**
 * Reads the text of a time field: `2025-11-20 14:31:02.123`, without the seconds, without the clock, or the clock alone,
 * which then means that day's.
 * @param day the date that a bare clock belongs to
 * @returns null when it is no time
 */
export function parseTime(text: string, zone: TimeZone, day: number): number | null {
  const found = WRITTEN.exec(text.trim());
  if (found === null || text.trim() === '') return null;
  const [, year, month, date, hour, minute, second, fraction] = found;
  if (year === undefined && hour === undefined) return null;
  const base = parts(day, zone);
  const of: Parts = {
    year: Number(year ?? base.year),
    month: Number(month ?? base.month),
    day: Number(date ?? base.day),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
    ms: Number((fraction ?? '0').padEnd(3, '0')),
  };
  const time = toTime(of, zone);
  const back = parts(time, zone);
  const real = back.year === of.year && back.month === of.month && back.day === of.day && of.hour < 24 && of.minute < 60 && of.second < 60;
  return real ? time : null;
}

/** The same time of the day, so many days later: a day on which the clocks are changed is not 24 hours long. */
export function daysLater(time: number, days: number, zone: TimeZone): number {
  const of = parts(time, zone);
  return toTime({ ...of, day: of.day + days }, zone);
}

/** The day of the week, from 0 for Sunday. */
export function weekday(time: number, zone: TimeZone): number {
  const { year, month, day } = parts(time, zone);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

function toTime(of: Parts, zone: TimeZone): number {
  return zone === 'utc'
    ? Date.UTC(of.year, of.month - 1, of.day, of.hour, of.minute, of.second, of.ms)
    : new Date(of.year, of.month - 1, of.day, of.hour, of.minute, of.second, of.ms).getTime();
}
