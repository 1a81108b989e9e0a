import { allOf } from '../../../../engine/api/filter/expression.ts';
import type { FilterSection, Question } from '../../../../engine/api/types.ts';
import { activeTerms, type Filter } from '../filter/filter.ts';
import { spokenName } from '../filter/variable.ts';
import { titleOf } from './question.ts';

/** A new filter that draws the answer to a question. */
export interface SectionDraft {
  readonly section: FilterSection;
  /** Title of its graph, name of the column that is told of, and milliseconds of a row. */
  readonly title: string;
  readonly column: string;
  readonly rowMs: number;
}

/** The combination of several numbers of a minute. */
const AGGREGATIONS: Readonly<Partial<Record<Question['measure'], string>>> = { sum: 'sum', min: 'min', max: 'max', range: 'max' };
const USUAL = 'Type !~ /^svc\\./';
const LIMITS: FilterSection['limits'] = { memory: 8_388_608, instructions: 1_000_000, output: 1_048_576 };
const MINUTE = 60;

/** The reason for which no filter script can tell of the answer to a question, whatever the filter; null: one can. */
export function whyUntold({ measure, of, by }: Question): string | null {
  if (by.length > 0) return 'Alerts are about one number: of records or of a field, by nothing';
  if (measure === 'count') return null;
  if (AGGREGATIONS[measure] === undefined) return 'Filter scripts tell of counts, sums, minimums and maximums';
  return of !== null && /^Fields\[[^\]\s]+\]$/.test(of) ? null : 'No filter script can draw this field';
}

/** The filter that draws a number of a field for alerts, or why there is none. @param taken names of filters */
export function questionSection(question: Question, filter: Filter, taken: readonly string[]): SectionDraft | string {
  const terms = activeTerms(filter);
  if (terms.some(({ kind, out }) => kind !== 'matcher' || out) || (filter.any && terms.length > 1))
    return 'A filter script gets its records by a matcher expression: texts, and conditions that hide records, are none';
  const why = whyUntold(question);
  if (why !== null) return why;
  const title = titleOf(question);
  const fields = spokenName(question.of ?? '');
  const matcher = allOf([USUAL, ...terms.map(({ text }) => text)]) ?? USUAL;
  const section: FilterSection = {
    name: freeName(title, taken),
    script: 'field_graph',
    bundled: true,
    matcher,
    ticker: MINUTE,
    config: { title, sec_per_row: MINUTE, fields, aggregation: AGGREGATIONS[question.measure] ?? 'max' },
    inputs: null,
    limits: LIMITS,
  };
  return { section, title, column: fields, rowMs: MINUTE * 1000 };
}

function freeName(title: string, taken: readonly string[]): string {
  const name = title.replaceAll(/\W+/g, '_').replaceAll(/^_+|_+$/g, '') || 'alert';
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name}_${n}`;
    if (!taken.includes(free)) return free;
  }
}
