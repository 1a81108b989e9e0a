import type { FilterSection } from '../../../engine/api/types.ts';
import { formatCount, formatSpan } from './format.ts';
import { activeTerms, type Filter, type FilterTerm } from './filter/filter.ts';
import { freeName, USUAL_LIMITS, USUAL_MATCHER } from './sources/filter-section.ts';

/** The bundled filter script that counts records, and tells when there are many or few of them. */
export const COUNT_ALERT = 'count_alert';
/** Seconds of a tick, at most. */
const MOST_TICK = 60;
/** Ticks of a window. */
const TICKS = 5;
const MOST_TITLE = 200;

/** Records that can be counted, in words. */
export interface Counted {
  readonly what: string;
  readonly terms: readonly FilterTerm[];
  /** One of the terms is enough. */
  readonly any: boolean;
}

/** The condition of an alert about a number of records. */
export interface CountTest {
  readonly number: number;
  readonly seconds: number;
  readonly below: boolean;
}

/** Records that can be counted: those that someone points to, those that the filter shows, those with the searched text, and all. */
export function countedRecords(pointed: FilterTerm | null, filter: Filter, search: string): Counted[] {
  const shown = activeTerms(filter);
  const labels = shown.map(({ label, out }) => (out ? `not ${label}` : label)).join(filter.any ? ' or ' : ', ');
  return [
    ...(pointed === null ? [] : [{ what: pointed.label, terms: [pointed], any: false }]),
    ...(shown.length === 0 ? [] : [{ what: labels, terms: shown, any: filter.any }]),
    ...(search === ''
      ? []
      : [
          {
            what: `“${search}”`,
            terms: [{ kind: 'text', text: search, label: search, caseSensitive: false, out: false } as const],
            any: false,
          },
        ]),
    { what: 'all records', terms: [], any: false },
  ];
}

/** Why no alert can count the records of a filter; null: one can. */
export function whyUncounted(filter: Filter): string | null {
  const section = countSection(
    { what: '', terms: activeTerms(filter), any: filter.any },
    { number: 0, seconds: 1, below: false },
    null,
    [],
  );
  return typeof section === 'string' ? section : null;
}

/**
 * The section of the filter script that counts these records.
 * @param inputs sections of sources; null: all
 * @param taken names of the sections that there are
 * @returns why it cannot count them; else the section
 */
export function countSection(
  { what, terms, any }: Counted,
  { number, seconds, below }: CountTest,
  inputs: readonly string[] | null,
  taken: readonly string[],
): FilterSection | string {
  if (terms.some(({ out }) => out)) return 'An alert cannot count what a filter hides: take the filters away that hide records.';
  const texts = terms.filter(({ kind }) => kind === 'text');
  const text = texts[0]?.text;
  if (texts.length > 1 || (any && text !== undefined && terms.length > 1))
    return 'An alert looks for one text, and for all of the conditions beside it.';
  const conditions = terms.flatMap((term) => conditionOf(term) ?? []);
  const chosen = conditions.length === 0 ? [] : [conditions.map((one) => `(${one})`).join(any ? ' || ' : ' && ')];
  const matcher = [USUAL_MATCHER, ...chosen.map((one) => (any ? `(${one})` : one))].join(' && ');
  const title = what.replaceAll(/\s+/g, ' ').slice(0, MOST_TITLE);
  return {
    name: freeName('alert', taken),
    script: COUNT_ALERT,
    bundled: true,
    matcher,
    ticker: Math.max(1, Math.min(MOST_TICK, Math.round(seconds / TICKS))),
    config: {
      number,
      window: seconds,
      title,
      alert_throttle: seconds,
      ...(below ? { below } : {}),
      ...(text === undefined ? {} : { text }),
    },
    inputs,
    limits: USUAL_LIMITS,
  };
}

/** The condition of a section in words. */
export function ruleWords({ title, number, window, below }: FilterSection['config']): string {
  return `${String(title)}: ${below === true ? 'fewer' : 'more'} than ${formatCount(Number(number))} within ${formatSpan(Number(window) * 1000)}`;
}

/** A term as a condition of a matcher; null: it is a text, for which the script itself looks. */
function conditionOf({ kind, text, caseSensitive }: FilterTerm): string | null {
  if (kind === 'matcher') return text;
  return kind === 'regex' ? `Payload =~ /${caseSensitive ? '' : '(?i)'}${text.replaceAll(/(?<!\\)\//g, '\\/')}/` : null;
}
