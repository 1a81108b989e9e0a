/** Shapes of dates: those at which records begin, and those that few programs write. */
import { monthOf } from '../month_names.ts';
import { digitsTo, wholeYear } from './date_parts.ts';

/** Parts of dates. Each is another expression, so that it can be found in a shape. Splitters know neither names of groups nor what follows. */
const YEAR = String.raw`(?:19|20|21)\d\d`;
const SHORT_YEAR = String.raw`\d{2}`;
const MONTH = String.raw`[01]\d`;
const SHORT_MONTH = String.raw`[01]?\d`;
const NAMED_MONTH = '[A-Za-z]{3}';
const DAY = String.raw`[0-3]\d`;
const SHORT_DAY = String.raw`[0-3]?\d`;
const CLOCK = String.raw`[0-2]?\d[:.][0-5]\d`;
const WHOLE_CLOCK = String.raw`${CLOCK}[:.][0-5]\d`;
const EXACT_CLOCK = String.raw`${WHOLE_CLOCK}\.\d`;
const COMPACT_CLOCK = String.raw`\d{6}\.\d`;
/** A day of the week in Chinese, Japanese or Korean, or none. */
const WEEKDAY = String.raw`(?: ?[(（]?[^\s\d()]{1,3}[)）]?)?`;

/** Dates that few programs write, and the beginnings of their times. A new shape is a line here and an example of it in the test. */
export const RARE_SHAPES = [
  // glog without a year, and with one: I0305 13:07:59.250000, I210305 13:07:59.250000
  String.raw`[A-Z]${MONTH}${DAY} ${EXACT_CLOCK}`,
  String.raw`[A-Z]${SHORT_YEAR}${MONTH}${DAY} ${EXACT_CLOCK}`,
  // Meteor, and glog with a whole year: I20210305-13:07:59.250(+1)
  String.raw`[A-Z]${YEAR}${MONTH}${DAY}[ -]${EXACT_CLOCK}`,
  // Chromium: 0305/130759.250123
  String.raw`${MONTH}${DAY}/${COMPACT_CLOCK}`,
  // Chinese, Japanese and Korean: 2021年3月5日 13:07:59, 2021. 03. 05. (금) 13:07:59, 3月 05 13:07:59
  String.raw`${YEAR}[年년] ?${SHORT_MONTH}[月월] ?${SHORT_DAY}[日일]${WEEKDAY}[ T]{0,3}${CLOCK}`,
  String.raw`${YEAR}\. ?${SHORT_MONTH}\. ?${SHORT_DAY}\.?${WEEKDAY} ${CLOCK}`,
  String.raw`${SHORT_MONTH}[月월] {0,2}${SHORT_DAY}日?${WEEKDAY} ${CLOCK}`,
  // Vietnamese: Th03 05 13:07:59
  String.raw`(?:Th|Thg |thg )${SHORT_MONTH} {1,2}${SHORT_DAY} ${CLOCK}`,
  // Minecraft Forge: 05Mar2021 13:07:59.250
  String.raw`${DAY}${NAMED_MONTH}${YEAR}[ :]${CLOCK}`,
  // OpenEdge: 21/03/05@13:07:59.250
  String.raw`${SHORT_YEAR}/${MONTH}/${DAY}@${CLOCK}`,
  // SAP: 2021 03 05 13:07:59:250
  String.raw`${YEAR} ${MONTH} ${DAY} ${WHOLE_CLOCK}`,
];

/** The name of a month in any language. */
const NAME = String.raw`[^\s\d:.,/|[\]()<>"'=-]{3,10}\.?`;
const NUMBER = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
/** Separators of a date and its time; see `gapEnd`. */
const GAP = String.raw`(?:T|[ \t]{1,3}(?:--? |at |um |à |[@/;] |\(|(?:[上下]午|午[前後]|오[전후]) ?)?|[:_.@;|/~-]|\] ?\[|, {0,2}(?:at )?|",")`;
/** Times by the order of their parts: year first, or all digits, or since 1970; day first; month first. */
const YEAR_FIRST = String.raw`(?:19|20)\d\d(?:[-/.:]\d{1,2}[-/.:]|[ -]${NAME}[ -])\d{1,2}${GAP}(?:[0-2]?\d[:.]?[0-5]\d|[0-2]\d-[0-5]\d-[0-5]\d)|(?:19|20)\d\d[-.]?[0-3]\d\d[T :.-][0-2]\d:?[0-5]\d`;
const DIGITS = String.raw`(?:19|20)\d{6}[-T_: ]?[0-2]\d:?[0-5]\d:?[0-5]\d|(?:19|20)\d{6}-\d?\d:\d?\d:\d?\d:\d|\d{6} {1,2}[0-2]?\d:?[0-5]\d:?[0-5]\d|\d{2}[01]\d[0-3]\d[-_:/T][0-2]\d:[0-5]\d:[0-5]\d|[12]\d{9}(?:\d{3}|\d{6}|\d{9})?(?:[.,]\d{1,9})?[\]: \t|,;]|[12]\.\d{3,18}e\+09[ \t]|@40000000[\da-f]{8}`;
const DAY_FIRST = String.raw`(?:${NAME},? )?\d{1,2}(?:st|nd|rd|th)?(?:[-/ ]|\. ?)${NAME}(?:[-/ ,:T]{1,2}(?:\d{4}|\d\d))?(?:[ :,T]{1,3}|,? (?:at|um) )${CLOCK}|\d{1,2}[-/.]${NUMBER}[-/.]\d{2,4}${GAP}[ \d]?${CLOCK}`;
const MONTH_FIRST = String.raw`(?:${NAME},? )?(?:${NUMBER}[-/.]${NUMBER}(?: {1,2}|[-|])${WHOLE_CLOCK}|${NAME}[ /-]{1,2}\d{1,2}(?:st|nd|rd|th)?,?(?:[ /-]\d{4},?)?(?:[ :]|,? at )${CLOCK})`;

/** An expression of the beginnings of times with a date. */
export const TIME_START = `(?:${YEAR_FIRST}|${DIGITS}|${DAY_FIRST}|${MONTH_FIRST}|${RARE_SHAPES.join('|')})`;

const REGION = '(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific|US)';

/** An expression of zones behind a time, without groups that have a name; see `LogZone`. */
export const ZONE_BEHIND = String.raw`(?: \((?:UTC|GMT)[+-]\d{1,2}(?::?\d\d)?\)| ?\[?(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d\d)?| [+-]\d\d:?\d\d)?(?: \([^()\n]{2,60}\))?\]?| ?(?:Z|[+-]\d\d(?::?\d\d)?(?: [A-Z]{3,5}(?=[ \]]))?)| [[(]?${REGION}/[A-Z][\w/+-]{1,40}[\])]?)`;

const PARTS: readonly [expression: string, name: string][] = [
  [YEAR, 'year'],
  [SHORT_YEAR, 'year'],
  [MONTH, 'month'],
  [SHORT_MONTH, 'month'],
  [NAMED_MONTH, 'month'],
  [DAY, 'day'],
  [SHORT_DAY, 'day'],
];

/** The expression of the date of a shape, with names for its parts. */
function dateOf(shape: string): RegExp {
  const clock = [EXACT_CLOCK, WHOLE_CLOCK, CLOCK, COMPACT_CLOCK].find((one) => shape.endsWith(one)) ?? '';
  let date = shape.slice(0, shape.length - clock.length);
  for (const [expression, name] of PARTS) date = date.replace(expression, `(?<${name}>${expression})`);
  return new RegExp(`${date}(?=${clock})`, 'y');
}

/** The expressions by the number of digits that they begin with. */
const byDigits = new Map<number, RegExp[]>();
for (const shape of RARE_SHAPES) {
  const digits =
    shape.startsWith(YEAR) || shape.startsWith(MONTH + DAY) ? 4 : shape.startsWith('[A-Z]') || shape.startsWith('(?:Th') ? 0 : 2;
  byDigits.set(digits, [...(byDigits.get(digits) ?? []), dateOf(shape)]);
}

/** A date of one of these shapes, and where its time begins. */
export interface RareDate {
  /** -1: the date has none. */
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly time: number;
}

/** Reads the date that begins at `at`. null: it has none of these shapes. */
export function rareDate(text: string, at: number): RareDate | null {
  const digits = digitsTo(text, at, text.length) - at;
  for (const shape of byDigits.get(digits === 1 ? 2 : digits) ?? []) {
    shape.lastIndex = at;
    const { year = '', month = '', day = '' } = shape.exec(text)?.groups ?? {};
    const number = /^\d/.test(month) ? Number(month) : monthOf(month);
    const whole = year.length === 2 ? wholeYear(Number(year)) : Number(year || -1);
    if (number > 0) return { year: whole, month: number, day: Number(day), time: shape.lastIndex };
  }
  return null;
}
