/** Shapes of dates that few programs write, each with an example. */
import { monthOf } from '../../base/month_names.ts';
import { digitsTo } from './date_parts.ts';

/** The time of the day behind a date: `clock` as `TimeOfDay.read` has it, `exact` with a fraction too, `compact` without colons. */
export type ClockKind = 'clock' | 'exact' | 'compact';

export interface TimeShape {
  /** A time of this shape, of 2021-03-05 13:07:59. */
  readonly example: string;
  /** The date, and what stands between it and the time of the day. */
  readonly date: RegExp;
  readonly clock: ClockKind;
}

const PARTS: Readonly<Record<string, string>> = {
  yyyy: String.raw`(?<year>(?:19|20|21)\d\d)`,
  yy: String.raw`(?<year>\d\d)`,
  MM: String.raw`(?<month>\d\d)`,
  M: String.raw`(?<month>\d{1,2})`,
  mon: String.raw`(?<month>\p{L}{3,9})`,
  dd: String.raw`(?<day>\d\d)`,
  d: String.raw`(?<day>\d{1,2})`,
  /** A day of the week, or none. */
  '?': String.raw`(?: ?[(（]?\p{L}{1,3}[)）]?)?`,
};

/** A new shape is a line here: what stands in braces are parts of the date, all else is an expression. */
const SHAPES: readonly TimeShape[] = [
  // glog, without a year, with one of two digits, and of four as Meteor has it.
  shape('I0305 13:07:59.000000', '[A-Z]{MM}{dd} ', 'exact'),
  shape('W210305 13:07:59.000000', '[A-Z]{yy}{MM}{dd} ', 'exact'),
  shape('I20210305-13:07:59.000', '[A-Z]{yyyy}{MM}{dd}[ -]', 'exact'),
  // Chromium.
  shape('0305/130759.000000', '{MM}{dd}/', 'compact'),
  // Chinese, Japanese and Korean, and Vietnamese months.
  shape('2021年3月5日 13:07:59', '{yyyy}[年년] ?{M}[月월] ?{d}[日일]{?}[ T]?'),
  shape('2021. 03. 05. (금) 13:07:59', String.raw`{yyyy}\. ?{M}\. ?{d}\.?{?} `),
  shape('3月 05 13:07:59', '{M}[月월] {0,2}{d}日? '),
  shape('Th03 05 13:07:59', '(?:Th|Thg |thg )0?{M} {1,2}{d} '),
  // Minecraft Forge.
  shape('05Mar2021 13:07:59.000', '{dd}{mon}{yyyy}[ :]'),
  // OpenEdge.
  shape('21/03/05@13:07:59.000', '{yy}/{MM}/{dd}@'),
  shape('2021 03 05 13:07:59:000', '{yyyy} {MM} {dd} '),
];

export const EXAMPLES: readonly string[] = SHAPES.map(({ example }) => example);

function shape(example: string, pattern: string, clock: ClockKind = 'clock'): TimeShape {
  const source = pattern.replace(/\{(yyyy|yy|MM|M|mon|dd|d|\?)\}/g, (_, part: string) => PARTS[part] ?? '');
  return { example, clock, date: new RegExp(source, 'uy') };
}

/** Shapes by the number of digits that they begin with, 1 as 2, and 0 for those that begin with a letter. */
const byDigits = new Map<number, TimeShape[]>();
for (const one of SHAPES) {
  const digits = digitsTo(one.example, 0, one.example.length);
  const key = digits === 1 ? 2 : digits;
  byDigits.set(key, [...(byDigits.get(key) ?? []), one]);
}

const NONE: readonly TimeShape[] = [];

/** The shapes of a date that begins with so many digits. */
export function shapesOf(digits: number): readonly TimeShape[] {
  return byDigits.get(digits === 1 ? 2 : digits) ?? NONE;
}

/** The number of a month that digits or a name say; -1: neither. */
export function monthIn(text: string): number {
  return /^\d/.test(text) ? Number(text) : monthOf(text);
}
