import { fieldVariable, is } from '../../api/filter/expression.ts';
import { patternCondition } from '../../api/filter/pattern-source.ts';
import { printableLine } from '../../api/printable.ts';
import { formatCompact } from '../../api/quantities.ts';
import { SEVERITY_NAMES } from '../../api/severities.ts';
import { ValueType } from '../../message/types.ts';
import { dividing, type Candidate } from './candidates.ts';
import type { CodeSet, FieldCodes } from './field-codes.ts';
import { edgeOf } from './number-counts.ts';

/** Characters of a value that are told. */
const LONGEST_VALUE = 120;
/** Shares below this are told with the number of records. */
const FEW = 0.001;

const cut = (text: string): string => {
  const line = printableLine(text);
  return line.length > LONGEST_VALUE ? `${line.slice(0, LONGEST_VALUE - 1)}…` : line;
};

/** The variable of a field; null: it has no name in an expression. */
export const variableOf = ({ name, isHeader }: FieldCodes): string | null => (isHeader ? name : fieldVariable(name));

/** A value with its field, as people say it. */
export function nameOf(field: FieldCodes, { codes: [code = 0], pattern }: CodeSet): string {
  if (field.name === 'Severity' && field.isHeader) return `level ${SEVERITY_NAMES[field.numberOf(code)]?.[1] ?? field.textOf(code)}`;
  const text = pattern === null ? field.textOf(code) : field.textOfPattern(pattern);
  if (field.mode === 'patterns') return field.isHeader ? `“${cut(text)}”` : `${field.name} “${cut(text)}”`;
  return `${field.name} ${text === '' ? '(empty)' : cut(text)}`;
}

/** The expression that selects the records with a value. */
export function filterOf(field: FieldCodes, { codes: [code = 0], pattern }: CodeSet): string | null {
  const variable = variableOf(field);
  if (variable === null) return null;
  const text = pattern === null ? field.textOf(code) : field.textOfPattern(pattern);
  // Only the beginning of a sentence is compared.
  if (field.mode === 'patterns') return patternCondition(text, variable).replace(/\[\\x00-\\x20\]\*\$\/$/, '/');
  if (field.mode === 'shapes') return patternCondition(text, variable);
  const { valueType } = field;
  return is(variable, valueType === ValueType.STRING ? 'string' : valueType === ValueType.BOOL ? 'bool' : 'number', text);
}

export function filterOfCandidate({ kind, field, set, bucket, isBelow }: Candidate): string | null {
  if (kind !== 'number') return filterOf(field, set);
  const variable = variableOf(field);
  const edge = edgeOf(bucket);
  // Expressions have no sign.
  if (variable === null || edge < 0) return null;
  return `${variable} ${isBelow ? '<' : '>='} ${edge.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 12 })}`;
}

/** A share for reading, as a count where it is small. */
function shareText(share: number, count: number): string {
  if (count === 0) return 'none';
  if (share < FEW) return `${count.toLocaleString('en')} ${count === 1 ? 'record' : 'records'}`;
  const percent = share * 100;
  return `${percent >= 99.95 && share < 1 ? '99.9' : formatCompact(percent)} %`;
}

const sides = ({ shareA, shareB, a, b }: Pick<Candidate, 'shareA' | 'shareB' | 'a' | 'b'>): string =>
  `${shareText(shareA, a)} of A, ${shareText(shareB, b)} of B`;

/** A candidate as a sentence. @param same others that are the same records */
export function sentenceOf(candidate: Candidate, same: readonly Candidate[] = []): string {
  const { kind, field, bucket, numbers, isBelow, a, b } = candidate;
  const state = a === 0 ? 'new: ' : b === 0 ? 'gone: ' : '';
  if (kind !== 'number') {
    const names = [candidate, ...same].map((one) => nameOf(one.field, one.set));
    return `${state}${names.join(', ')}: ${sides(candidate)}`;
  }
  const quantiles = ([0.5, 0.95] as const).map((share) => {
    const [x, y] = [numbers?.quantile(0, share) ?? NaN, numbers?.quantile(1, share) ?? NaN];
    return `${share === 0.5 ? 'median' : 'p95'} ${formatCompact(x)} → ${formatCompact(y)}`;
  });
  return `${field.name} ${isBelow ? '<' : '≥'} ${formatCompact(dividing(bucket))}: ${sides(candidate)} (${quantiles.join(', ')})`;
}
