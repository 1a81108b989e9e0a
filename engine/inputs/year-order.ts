/** Dates without a year, and times without a date: their order tells when a new year, and a new day, begins. */
import { monthOf } from '../../plugins/base/month_names.ts';

const NS_PER_MS = 1_000_000n;
const DAY_MS = 86_400_000;
/** Days of a leap year in front of each month. */
const DAYS_BEFORE = [0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335] as const;
const DECEMBER = DAYS_BEFORE[11];
/** A date that is so much earlier than the one before it is of the next year; one less so is out of order. */
const NEW_YEAR = 100;
/** A date that is so much later is of the last year, and out of order. */
const LAST_YEAR = DECEMBER;

/** The name of a month in any language, or its number with a mark. */
const NAME = String.raw`(?<month>[^\x00-\x40\x5b-\x60\x7b-\xbf]{3,13}\.?| ?\d{1,2}[月월]|Th\d\d)`;
const TIME = String.raw`\d\d:\d\d:\d\d`;
/** Beginnings of records whose dates have no year. */
const DATE = new RegExp(
  [
    // Syslog, perhaps with a priority, Cisco with a number and a mark, Asterisk in a bracket.
    String.raw`(?:<\d{1,3}>)?(?:\d{1,10}: )?[*.[]?${NAME} {1,2}(?<day>\d{1,2}) ${TIME}(?![.\d]* \d{4}(?:\D|$))`,
    // glog.
    String.raw`[IWEF](?<month>\d\d)(?<day>\d\d) ${TIME}\.\d`,
    // logcat; Geth, behind a level; HTCondor and Snort.
    String.raw`(?:[A-Z]{4,5} {1,2})?\[?(?<month>\d\d)[-/](?<day>\d\d)[ |-]${TIME}`,
    // Chromium, perhaps with a process and a thread.
    String.raw`\[(?:\d+:\d+:)?(?<month>\d\d)(?<day>\d\d)/\d{6}\.\d`,
    // Redis before version 4.
    String.raw`(?:\d+:[A-Z]|\[\d+\]) (?<day>\d\d) ${NAME} ${TIME}\.\d{3}`,
  ].join('|'),
  'y',
);

/** The day of a leap year, from 0 on, of the date at the start of a record; -1: it has none, or one with a year. */
export function yearDay(text: string, start: number): number {
  DATE.lastIndex = start;
  const { month = '', day } = DATE.exec(text)?.groups ?? {};
  if (month === '') return -1;
  const number = /\d+/.exec(month)?.[0];
  return dayOf((number === undefined ? monthOf(month) : Number(number)) - 1, Number(day));
}

function dayOf(month: number, day: number): number {
  const before = DAYS_BEFORE[month];
  return before === undefined || !(day >= 1 && day <= 31) ? -1 : before + day - 1;
}

/** The latest year in which a day is no later than one after `ns`. */
export function latestYear(day: number, ns: bigint): number {
  const last = new Date(Number(ns / NS_PER_MS) + DAY_MS);
  return last.getUTCFullYear() - (day > dayOf(last.getUTCMonth(), last.getUTCDate()) ? 1 : 0);
}

/** The beginning of a record with a time and no date. */
const CLOCK = /(?:\[\w+\] |[[(]|T:\d{6,15}\()?(?<hours>[0-2]?\d):(?<minutes>[0-5]\d):(?<seconds>[0-5]\d)(?![\d:])(?! ?[APap]\.?[Mm])/y;
const [HOUR_SECONDS, DAY_SECONDS] = [3600, 86_400];

/** The second of the day of the time at the start of a record that has no date; -1: it has none. */
export function clockSecond(text: string, start: number): number {
  CLOCK.lastIndex = start;
  const { hours, minutes, seconds } = CLOCK.exec(text)?.groups ?? {};
  const second = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return second < DAY_SECONDS ? second : -1;
}

/** Follows times of day through the days. */
export class ClockOrder {
  #days = 0;
  #second: number;

  constructor(first: number) {
    this.#second = first;
  }

  /** Takes the next time. One that is more than an hour earlier is of the next day, one that is nearly a day later of the day before, and out of order. */
  follow(second: number): void {
    const ahead = second - this.#second;
    if (ahead < -HOUR_SECONDS) this.#days++;
    else if (ahead > DAY_SECONDS - HOUR_SECONDS) this.#days--;
    this.#second = second;
  }

  /** Seconds since the beginning of the first day. */
  get seconds(): number {
    return this.#days * DAY_SECONDS + this.#second;
  }
}

/** Follows dates in their order through the years. */
export class YearOrder {
  #year: number;
  #day: number;

  /** @param year and day of the first date */
  constructor(year: number, day: number) {
    this.#year = year;
    this.#day = day;
  }

  get year(): number {
    return this.#year;
  }

  /** Takes the next date. */
  follow(day: number): void {
    const ahead = day - this.#day;
    // A machine without a battery begins with the first of January wherever it was.
    if (ahead < -NEW_YEAR && !(day === 0 && this.#day < DECEMBER)) this.#year++;
    else if (ahead > LAST_YEAR) this.#year--;
    this.#day = day;
  }

  /** Noon of the day of the last date, in nanoseconds since 1970. */
  get noon(): bigint {
    const month = DAYS_BEFORE.findLastIndex((before) => before <= this.#day);
    return BigInt(Date.UTC(this.#year, month, this.#day - (DAYS_BEFORE[month] ?? 0) + 1, 12)) * NS_PER_MS;
  }
}
