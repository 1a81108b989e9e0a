import type { GraphMeasure, Question, SchemaLogger } from '../../../../engine/api/types.ts';
import { fieldVariable, headerType } from '../../../../engine/api/filter/expression.ts';
import { needsNumber } from '../../lib/charts/question.ts';
import { countsOf, fieldsOf, isNumeric } from '../../lib/sources/schema-facts.ts';

/** A field or header that questions can be about. */
export interface AskableField {
  readonly variable: string;
  readonly name: string;
  readonly isNumber: boolean;
  readonly unit: string;
  /** Of its values, such as `number`; empty: it is not known. */
  readonly type: string;
  /** Part of the records that have it, from 0 to 1; null: it is not known, or all have it. */
  readonly share: number | null;
}

/** Headers by which records differ; the others are times, texts and the program itself. */
const HEADERS = ['Severity', 'Type', 'Logger', 'Hostname', 'Pid'];
/** Names of numbers that people look at first. */
const TELLING = /time|duration|latency|elapsed|took|delay/i;

/** The fields of a schema by name, then the headers. @param headers names of those that records have */
export function askableFields(schema: readonly SchemaLogger[], headers: readonly string[], severities: boolean): AskableField[] {
  const records = schema.reduce((sum, { count }) => sum + count, 0);
  const counts = countsOf(schema);
  const fields = [...fieldsOf(schema).values()].flatMap((field): AskableField[] => {
    const variable = fieldVariable(field.name);
    const { name, type, representation } = field;
    const share = records === 0 ? null : Math.min(1, (counts.get(name) ?? 0) / records);
    const unit = representation ?? '';
    return variable === null
      ? []
      : [{ variable, name, isNumber: isNumeric(field), unit, type: type === 'mismatch' ? 'mixed' : type, share }];
  });
  const seen = HEADERS.filter((name) => headers.includes(name) || name === 'Type' || (name === 'Severity' && severities));
  return [
    ...fields.sort((a, b) => a.name.localeCompare(b.name)),
    ...seen.map((name) => ({
      variable: name,
      name,
      isNumber: headerType(name) === 'number',
      unit: '',
      type: headerType(name),
      share: null,
    })),
  ];
}

/** Words about a field beside its name: `number, ms · 98 %`. */
export function fieldAbout({ type, unit, share }: Pick<AskableField, 'type' | 'unit' | 'share'>): string {
  const percent = share === null ? '' : share > 0 && share < 0.01 ? '< 1 %' : `${Math.floor(100 * share)} %`;
  return [[type, unit].filter((part) => part !== '').join(', '), percent].filter((part) => part !== '').join(' · ');
}

/** A question with another measure, of a field that has it. */
export function withMeasure(question: Question, measure: GraphMeasure, fields: readonly AskableField[]): Question {
  // A heat map is of numbers.
  const display = question.display === 'heat' && !needsNumber(measure) ? 'bars' : question.display;
  if (measure === 'count') return { ...question, measure, of: null, unit: '', display };
  const fitting = fields.filter(({ isNumber }) => isNumber || !needsNumber(measure));
  const known = fitting.find(({ variable }) => variable === question.of);
  const field = known ?? fitting.find(({ name }) => needsNumber(measure) && TELLING.test(name)) ?? fitting[0];
  return field === undefined ? question : { ...question, measure, of: field.variable, unit: field.unit, display };
}
