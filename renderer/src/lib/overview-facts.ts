import { fieldVariable } from '../../../engine/api/filter/expression.ts';
import type { FieldFacts, Graph, Overview } from '../../../engine/api/types.ts';
import { formatCompact, formatValue } from '../../../engine/api/quantities.ts';
import { formatCount, formatShare, plural } from './format.ts';
import { valueTypeOf } from './sources/schema-facts.ts';
import { severityOf } from './severity.ts';

/** Numbers of which so many different ones, or so few, make up this share of all say more by themselves than as a distribution. */
const [FEW_NUMBERS, TELLING_NUMBERS, TELLING_SHARE] = [12, 5, 0.8];

/** Share of the records from which on a field is in nearly all of them. */
const MOST_COVERED = 0.95;

/** The variable by which expressions name it; null: they cannot. */
export const variableOf = ({ name, isHeader }: Pick<FieldFacts, 'name' | 'isHeader'>): string | null =>
  isHeader ? name : fieldVariable(name);

/** The type of its values; of several, `mismatch`. */
export function typeOf({ types }: Pick<FieldFacts, 'types'>): 'string' | 'number' | 'bool' | 'mismatch' {
  return types.length > 1 ? 'mismatch' : (types[0]?.type ?? 'string');
}

/** The type of the constant in a test for a value. */
export const typeOfValue = (field: FieldFacts, value: string): 'string' | 'number' | 'bool' => valueTypeOf({ type: typeOf(field) }, value);

/** Whether it is shown as a distribution: not, where a few numbers are most of them, as those of statuses are. */
export function isSpread({ numbers, distinct, records, isHeader, values }: FieldFacts): boolean {
  if (isHeader || numbers === null || numbers.count * 2 <= records || distinct <= FEW_NUMBERS) return false;
  return values.slice(0, TELLING_NUMBERS).reduce((sum, { count }) => sum + count, 0) < TELLING_SHARE * records;
}

/** A value as it is read. */
export function valueText({ name, isHeader }: Pick<FieldFacts, 'name' | 'isHeader'>, value: string): string {
  if (value === '') return '(empty)';
  return isHeader && name === 'Severity' ? `${value} ${severityOf(Number(value)).short}`.trim() : value;
}

/** Fields that say the same in all records, and the others. */
export function partedFields({ fields, records }: Overview): {
  readonly alike: readonly FieldFacts[];
  readonly telling: readonly FieldFacts[];
} {
  const isAlike = (field: FieldFacts): boolean => field.distinct === 1 && field.records === records && records > 1;
  return { alike: fields.filter(isAlike), telling: fields.filter((field) => !isAlike(field)) };
}

/** Fields of which some values occur again and again. */
export const repeating = (fields: readonly FieldFacts[]): readonly FieldFacts[] =>
  fields.filter(
    (field) => field.distinct > 1 && !isSpread(field) && (field.values[0]?.count ?? 0) > 1 && field.distinct * 2 <= field.records,
  );

/** `all records`, `12.3 % of the records`. */
export function coverageText({ records: of }: FieldFacts, { records }: Pick<Overview, 'records'>): string {
  return of === records ? 'all records' : `${formatShare(of / Math.max(1, records))} of the records`;
}

/** `1,089 values`, `~ 4.9M values`, `all different`. */
export function distinctText({ distinct, records, isDistinctExact }: FieldFacts): string {
  if (isDistinctExact && distinct === records && distinct > 1) return 'all different';
  return isDistinctExact ? plural(distinct, 'value') : `~ ${formatCompact(distinct)} values`;
}

/** Whether its course over time tells something beside that of all records: an average, or records that have it among many that do not. */
export const hasCourse = (field: FieldFacts, { records }: Pick<Overview, 'records'>): boolean =>
  isSpread(field) || field.records < MOST_COVERED * records;

/** Percentiles and the like, with the unit. */
export function numberFacts({ numbers, representation }: FieldFacts): readonly (readonly [name: string, text: string])[] {
  if (numbers === null) return [];
  const { minimum, p50, p95, p99, maximum, average, exact } = numbers;
  const text = (value: number): string => formatValue(value, representation ?? '');
  const near = (value: number): string => (exact ? text(value) : `~ ${text(value)}`);
  return [
    ['min', text(minimum)],
    ['avg', text(average)],
    ['p50', near(p50)],
    ['p95', near(p95)],
    ['p99', near(p99)],
    ['max', text(maximum)],
  ];
}

/** The bounds of a part of a distribution. */
export function boundsOf(
  { distribution: { scale, from, to, counts } }: NonNullable<FieldFacts['numbers']>,
  part: number,
): readonly [number, number] {
  const at = (share: number): number => (scale === 'log' ? from * (to / from) ** share : from + (to - from) * share);
  return [at(part / counts.length), at((part + 1) / counts.length)];
}

/** The place of a number in a distribution, from 0 to 1. */
export function placeOf({ distribution: { scale, from, to } }: NonNullable<FieldFacts['numbers']>, value: number): number {
  if (to <= from) return 0;
  const share = scale === 'log' ? Math.log(Math.max(value, from) / from) / Math.log(to / from) : (value - from) / (to - from);
  return Math.min(1, Math.max(0, share));
}

/** `10,000 records`, or how far the count is. */
export function aboutOverview({ records, total, complete, fields }: Overview): string {
  const shown = plural(fields.filter(({ isHeader }) => !isHeader).length, 'field');
  if (complete) return `${plural(total, 'record')}, ${shown}, counted exactly`;
  return `Sample of ${formatCount(records)} of ${plural(total, 'record')}, ${shown}; counting the others`;
}

/** The last number of a graph; null: it has none. */
export function lastNumber({ columns: [column] }: Graph): number | null {
  return column?.values.findLast((value) => Number.isFinite(value)) ?? null;
}
