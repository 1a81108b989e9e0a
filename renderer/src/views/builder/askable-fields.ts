import type { GraphMeasure, Question, SchemaLogger } from '../../../../engine/api/types.ts';
import { fieldVariable, headerType } from '../../../../engine/api/filter/expression.ts';
import { needsNumber } from '../../lib/charts/question.ts';
import { fieldsOf, isNumeric } from '../../lib/sources/schema-facts.ts';

/** A field or header that questions can be about. */
export interface AskableField {
  readonly variable: string;
  readonly name: string;
  readonly isNumber: boolean;
  readonly unit: string;
}

/** Headers by which records differ; the others are times, texts and the program itself. */
const HEADERS = ['Severity', 'Type', 'Logger', 'Hostname', 'Pid'];
/** Names of numbers that people look at first. */
const TELLING = /time|duration|latency|elapsed|took|delay/i;

/** The fields of a schema by name, then the headers. @param headers names of those that records have */
export function askableFields(schema: readonly SchemaLogger[], headers: readonly string[], severities: boolean): AskableField[] {
  const fields = [...fieldsOf(schema).values()].flatMap((field): AskableField[] => {
    const variable = fieldVariable(field.name);
    return variable === null ? [] : [{ variable, name: field.name, isNumber: isNumeric(field), unit: field.representation ?? '' }];
  });
  const seen = HEADERS.filter((name) => headers.includes(name) || name === 'Type' || (name === 'Severity' && severities));
  return [
    ...fields.sort((a, b) => a.name.localeCompare(b.name)),
    ...seen.map((name) => ({ variable: name, name, isNumber: headerType(name) === 'number', unit: '' })),
  ];
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
