/** Clocks of time zones, for those who write times. */

/** Seconds that a clock is ahead of UTC at a time, in seconds since 1970. */
export type ZoneOffset = (seconds: number) => number;

const OFFSET = /^([+-])(\d\d):?(\d\d)$/;
/** Offsets change at quarters of an hour, but for a few: that of Antarctica/Casey changed at a minute past midnight. */
const QUARTER = 900;
/** The year 100, before which no clock was changed: of lower years `Date.UTC` takes some for those of the 20th century. */
const FIRST_SECOND = -59_011_459_200;

/**
 * The clock of `zone`: `UTC`, `Local` (the zone of the process), an offset such as `+02:00`, or a name of the IANA database. Raises an error for a
 * zone that there is not.
 */
export function zoneOffset(zone: string): ZoneOffset {
  if (zone === 'UTC') return () => 0;
  if (zone === 'Local') return (seconds) => -60 * new Date(seconds * 1000).getTimezoneOffset();
  const offset = OFFSET.exec(zone);
  if (offset !== null) {
    const seconds = (Number(offset[2]) * 60 + Number(offset[3])) * (offset[1] === '-' ? -60 : 60);
    return () => seconds;
  }
  return cached(namedZone(zone));
}

/** A day around a time has one change of the clock at most. */
const DAY = 86_400;

/**
 * Seconds that a clock is ahead of UTC when it shows a time, in seconds since 1970. Of an hour that it shows twice the first is meant, everywhere on
 * earth. One that it never shows is read with the offset before the change: the clock shows it an hour later.
 */
export function shownOffset(offsetAt: ZoneOffset): ZoneOffset {
  /** The day that was asked for last, and its offset; NaN: the clock is changed about then. */
  let day = NaN;
  let known = NaN;
  return (shown) => {
    const wanted = Math.floor(shown / DAY);
    if (wanted !== day) {
      const offset = offsetAt((wanted - 1) * DAY);
      known = offset === offsetAt((wanted + 2) * DAY) ? offset : NaN;
      day = wanted;
    }
    return Number.isNaN(known) ? offsetOfShown(offsetAt, shown) : known;
  };
}

function offsetOfShown(offsetAt: ZoneOffset, shown: number): number {
  const before = offsetAt(shown - DAY);
  const after = offsetAt(shown + DAY);
  return before === after || offsetAt(shown - before) === before || offsetAt(shown - after) !== after ? before : after;
}

function namedZone(zone: string): ZoneOffset {
  const format = dateFormat(zone);
  return (at) => {
    const seconds = Math.max(at, FIRST_SECOND);
    const parts = format.formatToParts(new Date(seconds * 1000));
    const part = (type: string): number => Number(parts.find((candidate) => candidate.type === type)?.value);
    const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return local / 1000 - seconds;
  };
}

function dateFormat(timeZone: string): Intl.DateTimeFormat {
  const numeric = 'numeric';
  const time = { hour: numeric, minute: numeric, second: numeric, hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, year: numeric, month: numeric, day: numeric, ...time });
  } catch (error) {
    throw new RangeError(`no such time zone: ${timeZone}`, { cause: error });
  }
}

/** Most times in a row lie in one quarter of an hour, and few quarters have a change in them. */
function cached(offsetAt: ZoneOffset): ZoneOffset {
  let quarter = NaN;
  let offset = 0;
  let constant = false;
  return (seconds) => {
    const wanted = Math.floor(seconds / QUARTER);
    if (wanted !== quarter) {
      offset = offsetAt(wanted * QUARTER);
      constant = offset === offsetAt((wanted + 1) * QUARTER - 1);
      quarter = wanted;
    }
    return constant ? offset : offsetAt(seconds);
  };
}
