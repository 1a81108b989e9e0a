/** Values of OTLP in JSON as fields of messages. */
import { jsonText, type ExactJson, type ExactObject } from '../../modules/json.ts';
import type { LogField } from '../../modules/table_writer.ts';
import { bytesOfBase64 } from '../json/base64.ts';
import { ESCAPE, isOwn, PREFIXES, withoutEscapes, type Part } from './otlp_names.ts';
import { integerOf, objectOf, objectsOf, plainOf, scalarOf, textOf } from './otlp_values.ts';

type Value = LogField['value'];

/** Depth up to which maps become fields of their members. */
const MAX_DEPTH = 20;

/**
 * Adds the fields of an `AnyValue`: several values for a list of one type, a field for each member of a map, JSON for other lists. Nothing for an empty
 * one.
 */
export function addValue(fields: LogField[], name: string, value: ExactObject, depth = 0): void {
  const scalar = scalarOf(value);
  if (scalar !== null) fields.push({ name, value: scalar });
  else if (typeof value['bytesValue'] === 'string') fields.push(bytesField(name, value['bytesValue']));
  else if (value['arrayValue'] !== undefined) addItems(fields, name, objectsOf(objectOf(value['arrayValue'])['values']));
  else if (depth < MAX_DEPTH) addPairs(fields, `${name}.`, objectsOf(objectOf(value['kvlistValue'])['values']), depth + 1);
  else fields.push({ name, value: jsonText(plainOf(value)), representation: 'json' });
}

function bytesField(name: string, written: string): LogField {
  const value = bytesOfBase64(written);
  return value === null ? { name, value: written, representation: 'base64' } : { name, value };
}

/** Adds the fields of pairs `{"key":…,"value":…}`, with a prefix before their names. */
export function addPairs(fields: LogField[], prefix: string, pairs: readonly ExactObject[], depth = 0): void {
  for (const { key = '', value } of pairs) if (typeof key === 'string') addValue(fields, prefix + key, objectOf(value), depth);
}

/** Adds the fields of attributes; one with the name of a field that stands for something else has a further prefix. @param hasText see `isOwn` */
export function addAttributes(fields: LogField[], pairs: readonly ExactObject[], part: Part, hasText = false): void {
  const prefix = PREFIXES[part];
  const first = fields.length;
  addPairs(fields, prefix, pairs);
  for (let i = first; i < fields.length; i++) {
    const field = fields[i] as LogField;
    const key = field.name.slice(prefix.length);
    if (isOwn(part, withoutEscapes(key), hasText)) fields[i] = { ...field, name: `${prefix}${ESCAPE}${key}` };
  }
}

function addItems(fields: LogField[], name: string, items: readonly ExactObject[]): void {
  if (items.length === 0) return;
  const scalars = items.map(scalarOf);
  const [first] = scalars;
  if (first !== null && scalars.every((scalar) => typeof scalar === typeof first)) fields.push({ name, value: scalars as Value });
  else fields.push({ name, value: jsonText(items.map((item) => plainOf(item))), representation: 'json' });
}

/** Adds a text that is not empty. */
export function addText(fields: LogField[], name: string, member: ExactJson | undefined): void {
  const value = textOf(member);
  if (value !== null) fields.push({ name, value });
}

/** Adds an integer that is not 0. */
export function addInteger(fields: LogField[], name: string, value: ExactJson | undefined): void {
  const integer = integerOf(value);
  if (integer !== null && integer !== 0n) fields.push({ name, value: integer });
}

/** Adds the word of an enumeration, which is written as its number or as its name behind a prefix. Returns the word; '' without one. */
export function addWord(fields: LogField[], name: string, value: ExactJson | undefined, words: readonly string[], prefix: string): string {
  const written = typeof value === 'string' && value.startsWith(prefix) ? value.slice(prefix.length).toLowerCase() : '';
  const word = (typeof value === 'number' ? words[value] : words.find((each) => each === written)) ?? '';
  if (word !== '') fields.push({ name, value: word });
  return word;
}

/** Adds an id in hexadecimal; one of another length, or of zeros, is none (W3C Trace Context). */
export function addId(fields: LogField[], name: string, id: ExactJson | undefined, digits: number): void {
  if (typeof id === 'string' && id.length === digits && ID.test(id)) fields.push({ name, value: id.toLowerCase() });
}

const ID = /^(?!0+$)[0-9a-f]+$/i;

/** Adds a list that is not empty, as JSON. */
export function addJson(fields: LogField[], name: string, list: readonly ExactJson[]): void {
  if (list.length > 0) fields.push({ name, value: jsonText(list), representation: 'json' });
}
