import type { Display, GraphMeasure, Measure, Question } from '../../../../engine/api/types.ts';
import { spokenName } from '../filter/variable.ts';

/** A measure in words: alone, and before the name of a field. */
interface MeasureWords {
  readonly measure: GraphMeasure;
  readonly label: string;
  readonly of: string;
  /** Its numbers; the one that orders groups is alone where there are any. */
  readonly numbers: readonly Measure[];
  readonly ordering: Measure;
}

const one = (measure: Measure, label: string, of: string): MeasureWords => ({ measure, label, of, numbers: [measure], ordering: measure });

export const MEASURE_WORDS: readonly MeasureWords[] = [
  one('count', 'Count', 'Records'),
  one('sum', 'Sum', 'Sum of '),
  one('average', 'Average', 'Average '),
  one('min', 'Minimum', 'Minimum '),
  one('max', 'Maximum', 'Maximum '),
  one('p50', 'p50 (median)', 'p50 of '),
  one('p95', 'p95', 'p95 of '),
  one('p99', 'p99', 'p99 of '),
  one('distinct', 'Different values', 'Different values of '),
  { measure: 'range', label: 'Average, min and max', of: '', numbers: ['average', 'min', 'max'], ordering: 'average' },
  { measure: 'percentiles', label: 'p50, p95 and p99', of: 'Percentiles of ', numbers: ['p50', 'p95', 'p99'], ordering: 'p95' },
];

const wordsOf = (measure: GraphMeasure): MeasureWords => MEASURE_WORDS.find((words) => words.measure === measure) as MeasureWords;

/** The numbers that answer a question. */
export const measuresOf = ({ measure, by }: Pick<Question, 'measure' | 'by'>): readonly Measure[] => {
  const { numbers, ordering } = wordsOf(measure);
  return by.length === 0 ? numbers : [ordering];
};

/** A number of an answer in one word. */
export const measureName = (measure: Measure): string => (measure === 'p50' ? 'p50' : wordsOf(measure).label);

/** Whether the field that is measured has to hold numbers. */
export const needsNumber = (measure: GraphMeasure): boolean => measure !== 'count' && measure !== 'distinct';

/** The unit of the numbers of an answer. */
export const unitOf = ({ measure, unit }: Pick<Question, 'measure' | 'unit'>): string => (needsNumber(measure) ? unit : 'count');

/** A question in words: `Records by status`, `p95 of took by uri`. */
export function titleOf({
  measure,
  of,
  by,
  display,
}: Pick<Question, 'measure' | 'of' | 'by'> & Partial<Pick<Question, 'display'>>): string {
  if (display === 'heat' && of !== null) return `Heat map of ${spokenName(of)}`;
  const names = by.map(spokenName).join(' and ');
  const what = `${wordsOf(measure).of}${of === null ? '' : spokenName(of)}`;
  return names === '' ? what : `${what} by ${names}`;
}

/** Numbers that are names of something: their average says nothing. */
const isCode = (name: string): boolean => /status|code|pid|port|_?id$|severity/i.test(name);

/** Subject of a question: a field or header. */
export interface Subject {
  readonly variable: string;
  readonly isNumber: boolean;
  readonly unit: string;
}

const count = (by: readonly string[], display: Display): Question => ({ measure: 'count', of: null, by, display, unit: '' });

export const countBy = (variable: string): Question => count([variable], 'list');
export const timelineBy = (variable: string | null): Question => count(variable === null ? [] : [variable], 'timeline');
/** The number of records over time. */
export const countOverTime: Question = count([], 'bars');

/** The question that says most about a subject over time: of a number its average, of a code or a text the number of records. */
export function overTime({ variable, isNumber, unit }: Subject): Question {
  return !isNumber || isCode(spokenName(variable)) ? count([variable], 'bars') : spreadOf({ variable, unit });
}

type NumberSubject = Pick<Subject, 'variable' | 'unit'>;

const numbersOf = (measure: GraphMeasure, { variable, unit }: NumberSubject): Question => ({
  measure,
  of: variable,
  by: [],
  display: 'chart',
  unit,
});

/** Average, minimum and maximum over time. */
export const spreadOf = (subject: NumberSubject): Question => numbersOf('range', subject);
export const percentilesOf = (subject: NumberSubject): Question => numbersOf('percentiles', subject);
