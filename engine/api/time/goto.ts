import { daysLater, formatTime, parseTime, weekday, type Span, type TimeZone } from './time.ts';

/** A place among the records, as someone typed it. */
export type Place = { readonly kind: 'row'; readonly row: number } | { readonly kind: 'time'; readonly time: number };

/** A text that is no place, and why; empty where nothing was typed. */
export interface NoPlace {
  readonly kind: 'none';
  readonly problem: string;
}

/** Examples of places, as the placeholder of the field. */
export const PLACES = '1234, 50%, 12:40, yesterday 9:00, -1h, end';
/** All forms of a place. */
export const ALL_PLACES = '50%, end, 12:40, yesterday 9:00, monday, 11-22, or -1h or +30m from here';

export interface Around {
  /** Rows of the list. */
  readonly total: number;
  /** Of the records of the list; null: there are none. */
  readonly span: Span | null;
  /** The time where someone is: a clock without a date is of that day, and offsets count from it. */
  readonly here: number;
  /** The time of the clock on the wall: days such as yesterday are told by it. */
  readonly now: number;
  readonly zone: TimeZone;
}

/** Reads a place: the number of a record from 1, a share of the list, one of its ends, or a time. */
export function parsePlace(typed: string, around: Around): Place | NoPlace {
  const text = typed.trim().replace(/^:/, '').trim().toLowerCase().replace(/\s+/g, ' ').replace('−', '-');
  if (text === '') return none('');
  if (text === 'now') return at(around.now);
  return rowOf(text, around) ?? offsetOf(text, around) ?? zonedTime(text) ?? timeOf(text, around);
}

const none = (problem: string): NoPlace => ({ kind: 'none', problem });
const at = (time: number): Place => ({ kind: 'time', time });
const row = (number: number, total: number): Place => ({ kind: 'row', row: Math.min(Math.max(0, number), total - 1) });

const ENDS: Readonly<Record<string, 'first' | 'last'>> = {
  start: 'first',
  first: 'first',
  top: 'first',
  end: 'last',
  last: 'last',
  bottom: 'last',
};

function rowOf(text: string, { total }: Around): Place | NoPlace | null {
  const end = Object.hasOwn(ENDS, text) ? ENDS[text] : undefined;
  if (end !== undefined) return row(end === 'first' ? 0 : total - 1, total);
  if (/^\d[\d,]*$/.test(text)) return row(Number(text.replace(/\D/g, '')) - 1, total);
  const share = /^(\d+(?:\.\d+)?) ?%$/.exec(text)?.[1];
  if (share === undefined) return null;
  return Number(share) > 100
    ? none(`${share} % is behind the last record, which is 100 %`)
    : row(Math.round((Number(share) / 100) * (total - 1)), total);
}

const SECOND = 1000;
const DAY = 86_400 * SECOND;
/** Units of offsets by their names, in milliseconds. */
const UNITS = new Map<string, number>(
  (
    [
      [1, 'ms'],
      [SECOND, 's sec secs second seconds'],
      [60 * SECOND, 'm min mins minute minutes'],
      [3600 * SECOND, 'h hr hrs hour hours'],
      [DAY, 'd day days'],
      [7 * DAY, 'w week weeks'],
    ] as const
  ).flatMap(([ms, names]) => names.split(' ').map((name) => [name, ms] as const)),
);

/** Reads `-1h30m`, which counts from where someone is, or `2 days ago`. */
function offsetOf(text: string, { here, now, zone }: Around): Place | NoPlace | null {
  const found = /^([+-]) ?(.+)$/.exec(text) ?? /^()(.+) ago$/.exec(text);
  const written = found?.[2]?.trim();
  if (written === undefined) return null;
  const sign = found?.[1] === '+' ? 1 : -1;
  if (/^[\d.,]+$/.test(written))
    return none(
      `${written} of what? Say ${['s', 'm', 'h', 'd']
        .map((unit) => found?.[1] + written + unit)
        .join(', ')
        .replace(/, (?=\S+$)/, ' or ')}`,
    );
  if (!/^(?:\d+(?:\.\d+)? ?[a-z]+ ?)+$/.test(written)) return none(`“${written}” is no span of time, such as 1h30m`);
  let time = found?.[1] === '' ? now : here;
  for (const [, count = '', name = ''] of written.matchAll(/(\d+(?:\.\d+)?) ?([a-z]+)/g)) {
    const unit = UNITS.get(name);
    if (unit === undefined) return none(`“${name}” is no unit of time: s, m, h, d or w`);
    const size = Number(count) * unit;
    const days = unit < DAY ? 0 : Math.trunc(size / DAY);
    time = daysLater(time, sign * days, zone) + sign * (size - days * DAY);
  }
  return Number.isNaN(new Date(time).getTime()) ? none(`${text} is not within the times that a date can hold`) : at(time);
}

/** Reads a time that tells its own zone, as many logs write it. */
function zonedTime(text: string): Place | null {
  if (!/^\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)? ?(?:z|[+-]\d\d:?\d\d)$/.test(text)) return null;
  const time = Date.parse(
    text
      .toUpperCase()
      .replace(/^(\S{10}) /, '$1T')
      .replace(' ', '')
      .replace(',', '.')
      .replace(/(\d\d)(\d\d)$/, '$1:$2'),
  );
  return Number.isNaN(time) ? null : at(time);
}

/** Reads a day, a clock, or both. */
function timeOf(text: string, around: Around): Place | NoPlace {
  const { span, here, zone } = around;
  const [, before = '', clock = '', after = ''] = /^(.*?)(?:^|[ t])(\d{1,2}:[\d:]+(?:[.,]\d+)?)(.*)$/.exec(text) ?? [undefined, text];
  const day = `${before} ${after}`.replace(/\bat\b/, '').trim();
  const dayTime = day === '' ? here : dayOf(day, around);
  if (typeof dayTime === 'string') return none(dayTime);
  const time = parseTime(clock === '' ? '0:00' : clock.replace(/[.,](\d{1,3})\d*$/, '.$1'), zone, dayTime);
  if (time === null) return none(`${clock} is no time of the day`);
  return at(day === '' && span !== null ? nearest(time, span, zone) : time);
}

/** A time within the day that a text names; otherwise what is wrong with it. */
function dayOf(text: string, { span, here, now, zone }: Around): number | string {
  const relative = ['yesterday', 'today', 'tomorrow'].indexOf(text);
  if (relative >= 0) return daysLater(now, relative - 1, zone);
  const [, last, name = ''] = /^(last )?([a-z]{3,})$/.exec(text) ?? [];
  const wanted = WEEKDAYS.findIndex((full) => name !== '' && full.startsWith(name));
  if (wanted >= 0) return lastWeekday(wanted, span === null ? now : Math.min(now, span.to), last !== undefined, zone);
  const date = writtenDate(text, formatTime(here, zone).slice(0, 4));
  if (date === null) return `“${text}” is no record number, share, day or time`;
  return parseTime(date, zone, here) ?? `${text} is no day of the calendar`;
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];

/** The latest such day up to a time. @param before not the day of that time itself */
function lastWeekday(wanted: number, until: number, before: boolean, zone: TimeZone): number {
  const back = (weekday(until, zone) - wanted + 7) % 7;
  return daysLater(until, -(back === 0 && before ? 7 : back), zone);
}

/** `11-22`, `nov 22` and `22 nov` as `2026-11-22`. */
function writtenDate(text: string, year: string): string | null {
  if (/^\d{4}-\d\d?-\d\d?$/.test(text)) return text.replace(/-(?=\d(?!\d))/g, '-0');
  const [, first, second] = /^(\d\d?)-(\d\d?)$/.exec(text) ?? [];
  const named = /^([a-z]{3,}) (\d\d?)(?: (\d{4}))?$/.exec(text) ?? swapped(/^(\d\d?) ([a-z]{3,})(?: (\d{4}))?$/.exec(text));
  const month = first ?? String(1 + MONTHS.findIndex((full) => named !== null && full.startsWith(named[1] ?? '?')));
  const day = second ?? named?.[2];
  if (day === undefined || month === '0') return null;
  return `${named?.[3] ?? year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

const swapped = (found: readonly string[] | null): readonly (string | undefined)[] | null =>
  found === null ? null : [found[0], found[2], found[1], found[3]];

/** A clock that no record of its day has is that of the day before or after, where the records have it. */
function nearest(time: number, { from, to }: Span, zone: TimeZone): number {
  return [0, 1, -1].map((days) => daysLater(time, days, zone)).find((candidate) => candidate >= from && candidate <= to) ?? time;
}
