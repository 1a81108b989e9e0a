/** Members of OTLP in JSON. */
import { isInt64 } from '../../base/int64.ts';
import { isObject, type ExactJson, type ExactObject } from '../../modules/json.ts';

/** Depth up to which values are taken apart. */
const MAX_DEPTH = 20;
const INTEGER = /^-?\d{1,20}$/;

const NOTHING: ExactObject = {};
const NO_OBJECTS: readonly ExactObject[] = [];

/** The objects of a list; other items are left out. */
export function objectsOf(list: ExactJson | undefined): readonly ExactObject[] {
  if (!Array.isArray(list)) return NO_OBJECTS;
  const items = list as readonly ExactJson[];
  for (let i = 0; i < items.length; i++) if (!isObject(items[i] as ExactJson)) return items.filter((item) => isObject(item));
  return items as readonly ExactObject[];
}

/** The objects of the first member that is a list. */
export function objectsIn(object: ExactObject, names: readonly string[]): readonly ExactObject[] {
  for (const name of names) if (Array.isArray(object[name])) return objectsOf(object[name]);
  return NO_OBJECTS;
}

/** The first one that is an object; an empty one when none is. */
export const objectOf = (member: ExactJson | undefined, other?: ExactJson): ExactObject =>
  member !== undefined && isObject(member) ? member : other === undefined ? NOTHING : objectOf(other);

/** A text that is not empty; null when it is none. */
export const textOf = (member: ExactJson | undefined): string | null => (typeof member === 'string' && member !== '' ? member : null);

/** An integer of 64 bits, which may be written as a text; null when it is none. */
export function integerOf(value: ExactJson | undefined): bigint | null {
  const integer = value === undefined ? null : wholeOf(value);
  return integer !== null && isInt64(integer) ? integer : null;
}

function wholeOf(value: ExactJson): bigint | null {
  const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
  return isWhole || (typeof value === 'string' && INTEGER.test(value)) ? BigInt(value) : null;
}

/** An integer of 32 bits; null when it is none. */
export function int32Of(value: ExactJson | undefined): number | null {
  const integer = integerOf(value);
  return integer === null || BigInt.asIntN(32, integer) !== integer ? null : Number(integer);
}

/** A time in nanoseconds since 1970; null when there is none. Of unsigned 64 bits, the upper half are times before 1970, as senders write these. */
export function timeOf(value: ExactJson | undefined): bigint | null {
  const written = value === undefined ? null : wholeOf(value);
  const ns = written === null ? 0n : BigInt.asIntN(64, written);
  return ns === 0n ? null : ns;
}

/** A number, which may be written as a text such as `NaN`; null when it is none. */
export function numberOf(value: ExactJson | undefined): number | null {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value);
  return Number.isNaN(number) && value !== 'NaN' ? null : number;
}

/** An `AnyValue` that is a scalar; null for bytes, lists, maps and what is none of them. */
export function scalarOf(value: ExactObject): Scalar | bigint | null {
  const { stringValue } = value;
  if (typeof stringValue === 'string') return stringValue;
  const { boolValue, intValue, doubleValue } = value;
  if (typeof boolValue === 'boolean') return boolValue;
  return integerOf(intValue) ?? numberOf(doubleValue);
}

/** An `AnyValue` as JSON without the names of types. */
export function plainOf(value: ExactObject, depth = 0): ExactJson {
  const scalar = scalarOf(value);
  if (scalar !== null || depth > MAX_DEPTH) return scalar;
  const { bytesValue, arrayValue, kvlistValue } = value;
  if (typeof bytesValue === 'string') return bytesValue;
  if (arrayValue !== undefined) return objectsOf(objectOf(arrayValue)['values']).map((item) => plainOf(item, depth + 1));
  return kvlistValue === undefined ? null : plainPairs(objectsOf(objectOf(kvlistValue)['values']), depth + 1);
}

/** Pairs `{"key":…,"value":…}` as an object of JSON. */
export const plainPairs = (pairs: readonly ExactObject[], depth = 0): ExactObject =>
  Object.fromEntries(pairs.map((pair) => [textOf(pair['key']) ?? '', plainOf(objectOf(pair['value']), depth)]));
