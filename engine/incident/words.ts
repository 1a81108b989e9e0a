import type { Incident } from '../api/incident-types.ts';
import { formatRange, formatTimeSeconds } from '../api/time/time.ts';
import type { Fitted } from './fit.ts';

export const plural = (count: number, what: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? what : what.endsWith('y') ? `${what.slice(0, -1)}ies` : `${what}s`}`;

/** The facts below the title. */
export function headOf({ range, zone, marks, records, charts, queries, madeAt, anonymised }: Incident): string[] {
  const place = anonymised ? '' : ` of ${Intl.DateTimeFormat().resolvedOptions().timeZone}`;
  const names = zone === 'utc' ? 'UTC' : `local time${place}`;
  const counts = [
    plural(marks.length, 'mark'),
    plural(records.length, 'record'),
    plural(charts.length, 'chart'),
    plural(queries.length, 'query'),
  ];
  return [
    ...(range === null ? [] : [`${formatRange(range, zone)} (${names})`]),
    `${counts.join(', ')}. Made by Sluicebox on ${formatTimeSeconds(madeAt, zone)}.`,
  ];
}

/** The sentences about what is not there, or not as it was. @param without how many of other parts had no room */
export function toldOf(
  { anonymised, left, around }: Incident,
  { cut, dropped }: Pick<Fitted, 'cut' | 'dropped'>,
  without: Readonly<Record<string, number>> = {},
): string[] {
  const missing = left + dropped.records;
  return [
    ...(anonymised
      ? [
          'Anonymised: addresses, hosts, users, mail addresses, tokens and home folders are pseudonyms, the same one for the same original throughout.',
        ]
      : []),
    ...(missing > 0 ? [`${plural(missing, 'record')} within ${around} of a mark had no room here.`] : []),
    ...Object.entries(without).flatMap(([what, count]) => (count > 0 ? [`${plural(count, what)} had no room here.`] : [])),
    ...(cut === null ? [] : [`Texts longer than ${cut} bytes are cut.`]),
    ...(dropped.columns.length === 0 ? [] : [`Columns without room: ${dropped.columns.join(', ')}.`]),
  ];
}
