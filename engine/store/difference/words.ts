import { escapePattern, fieldVariable, is } from '../../api/filter/expression.ts';
import { patternCondition } from '../../api/filter/pattern-source.ts';
import { printableLine } from '../../api/printable.ts';
import { formatCompact } from '../../api/quantities.ts';
import { SEVERITY_NAMES } from '../../api/severities.ts';
import { ValueType } from '../../message/types.ts';
import { dividing, type Candidate } from './candidates.ts';
import { decimalPattern } from './amounts.ts';
import type { CodeSet, FieldCodes, Within } from './field-codes.ts';
import { edgeOf } from './number-counts.ts';
import { VARYING } from './shapes.ts';

/** Characters of a value that are told. */
const LONGEST_VALUE = 120;
/** Characters before a part of a text. */
const MOST_BEFORE = 80;
/** Stands for a part while a text becomes an expression. */
const PLACE = '\uE000';
/** A port behind an address, which is no part of its value. */
const PORT = String.raw`(?::\d+)?`;
/** Shares below this are told with the number of records. */
const FEW = 0.001;

const cut = (text: string): string => {
  const line = printableLine(text);
  return line.length > LONGEST_VALUE ? `${line.slice(0, LONGEST_VALUE - 1)}…` : line;
};

/** The variable of a field, or of the texts that it is in; null: it has no name in an expression. */
export const variableOf = ({ name, isHeader, within }: FieldCodes): string | null =>
  within === null ? (isHeader ? name : fieldVariable(name)) : variableOf(within.field);

/** A text with words in the place of a part, as people read it. */
function quoted({ field, before, after }: Within, word: string): string {
  const start = before.length > MOST_BEFORE ? `…${before.slice(1 - MOST_BEFORE)}` : before;
  return inField(field, cut(`${start}${word}${after}`));
}

const inField = ({ name, isHeader }: FieldCodes, text: string): string => (isHeader ? `“${text}”` : `${name} “${text}”`);

/** A value with its field, as people say it. */
export function nameOf(field: FieldCodes, set: CodeSet): string {
  const {
    codes: [code = 0],
    pattern,
  } = set;
  if (field.within !== null) return quoted(field.within, field.textOf(code));
  if (field.name === 'Severity' && field.isHeader) return `level ${SEVERITY_NAMES[field.numberOf(code)]?.[1] ?? field.textOf(code)}`;
  const text = pattern === null ? field.textOf(code) : field.textOfPattern(pattern);
  if (field.mode === 'patterns') return inField(field, cut(toldOf(field, set, text)));
  return `${field.name} ${text === '' ? '(empty)' : cut(text)}`;
}

/** A shape or a pattern of some with the words that nearly all of its texts have. */
function toldOf({ parts }: FieldCodes, { codes, pattern }: CodeSet, text: string): string {
  if (parts === null) return text;
  if (pattern === null) return parts.told(codes[0] as number) ?? text;
  const words = text.split(' ');
  const told = codes.map((code) => parts.told(code)?.split(' ') ?? []);
  if (told.some(({ length }) => length !== words.length)) return text;
  return words
    .map((word, at) => {
      const own = told[0]?.[at] as string;
      return word.includes('<') && !own.includes(VARYING) && told.every((one) => one[at] === own) ? own : word;
    })
    .join(' ');
}

/** The expression that selects the texts with what an expression finds in the place of a part; null: those of the whole shape, whose parts are of several units. */
function filterWithin({ field, before, after, amounts }: Within, source: string | null): string | null {
  const variable = variableOf(field);
  if (variable === null) return null;
  if (source === null || amounts?.isUniform === false) return shapeCondition(`${before}${VARYING}${after}`, variable);
  return shapeCondition(`${before}${PLACE}${after}`, variable).replace(PLACE, () => source + endOf(amounts, after));
}

/** The unit of a number, or the end of its digits. */
const endOf = (amounts: Within['amounts'], after: string): string =>
  amounts === null ? '' : amounts.unit !== null && amounts.unit !== '' ? escapePattern(amounts.unit) : after === '' ? '(?:$|[^0-9.])' : '';

// Only the beginning of a sentence is compared.
const shapeCondition = (text: string, variable: string): string => patternCondition(text, variable).replace(/\[\\x00-\\x20\]\*\$\/$/, '/');

/** The expression that selects the records with a value. */
export function filterOf(field: FieldCodes, { codes: [code = 0], pattern }: CodeSet): string | null {
  if (field.within !== null) {
    if (field.within.amounts !== null)
      return filterWithin(field.within, String.raw`${escapePattern(String(field.numberOf(code)))}(?:\.0+)?`);
    return filterWithin(field.within, `${escapePattern(field.textOf(code))}${PORT}`);
  }
  const variable = variableOf(field);
  if (variable === null) return null;
  const text = pattern === null ? field.textOf(code) : field.textOfPattern(pattern);
  if (field.mode === 'patterns') return shapeCondition(text, variable);
  if (field.mode === 'shapes') return patternCondition(text, variable);
  const { valueType } = field;
  return is(variable, valueType === ValueType.STRING ? 'string' : valueType === ValueType.BOOL ? 'bool' : 'number', text);
}

export function filterOfCandidate(candidate: Candidate): string | null {
  const own = filterOfOne(candidate);
  if (candidate.among === null || own === null) return own;
  const among = filterOf(candidate.among.field, candidate.among.set);
  return among === null ? null : `${among} && ${own}`;
}

function filterOfOne({ kind, field, set, bucket, isBelow }: Candidate): string | null {
  if (kind !== 'number') return filterOf(field, set);
  const edge = edgeOf(bucket);
  if (field.within !== null) return filterWithin(field.within, edge > 0 ? decimalPattern(edge, isBelow) : null);
  const variable = variableOf(field);
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
  const part = `${isBelow ? '<' : '≥'} ${formatCompact(dividing(bucket))}`;
  const subject = field.within === null ? `${field.name} ${part}` : quoted(field.within, `${part}${field.within.amounts?.unit ?? ''}`);
  const among = candidate.among === null ? '' : `${nameOf(candidate.among.field, candidate.among.set)}, `;
  return `${among}${subject}: ${sides(candidate)} (${quantiles.join(', ')})`;
}
