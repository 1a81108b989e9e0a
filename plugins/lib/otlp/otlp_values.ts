/** Members of OTLP in JSON. */
import { isInt64 } from '../../base/int64.ts';
import { isObject, type ExactJson, type ExactObject } from '../../modules/json.ts';

/** Depth up to which values are taken apart. */
const MAX_DEPTH = 20;
const INTEGER = /^-?\d{1,20}$/;

/** The objects of the first member that is a list; other items are left out. */
export function objectsIn(object: ExactObject, ...names: readonly string[]): ExactObject[] {
  const list = names.map((name) => object[name]).find((member) => Array.isArray(member));
  return list === undefined ? [] : (list as readonly ExactJson[]).filter((item) => isObject(item));
}

/** The first member that is an object; an empty one when none is. */
export function objectIn(object: ExactObject, ...names: readonly string[]): ExactObject {
  for (const name of names) {
    const member = object[name];
    if (member !== undefined && isObject(member)) return member;
  }
  return {};
}

/** A member that is a text and not empty; null when it is not. */
export function textIn(object: ExactObject, name: string): string | null {
  const member = object[name];
  return typeof member === 'string' && member !== '' ? member : null;
}

/** An integer of 64 bits, which may be written as a text; null when it is none. */
export function integerOf(value: ExactJson | undefined): bigint | null {
  const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
  if (!isWhole && !(typeof value === 'string' && INTEGER.test(value))) return null;
  const integer = BigInt(value);
  return isInt64(integer) ? integer : null;
}

/** A time in nanoseconds since 1970; null when there is none. */
export function timeOf(value: ExactJson | undefined): bigint | null {
  const ns = integerOf(value);
  return ns === null || ns <= 0n ? null : ns;
}

/** A number, which may be written as a text such as `NaN`; null when it is none. */
export function numberOf(value: ExactJson | undefined): number | null {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value);
  return Number.isNaN(number) && value !== 'NaN' ? null : number;
}

/** An `AnyValue` that is a scalar; null for bytes, lists, maps and what is none of them. */
export function scalarOf({ stringValue, boolValue, intValue, doubleValue }: ExactObject): Scalar | bigint | null {
  if (typeof stringValue === 'string') return stringValue;
  if (typeof boolValue === 'boolean') return boolValue;
  return integerOf(intValue) ?? numberOf(doubleValue);
}

/** An `AnyValue` as JSON without the names of types. */
export function plainOf(value: ExactObject, depth = 0): ExactJson {
  const scalar = scalarOf(value);
  if (scalar !== null || depth > MAX_DEPTH) return scalar;
  const { bytesValue, arrayValue, kvlistValue } = value;
  if (typeof bytesValue === 'string') return bytesValue;
  if (arrayValue !== undefined) return objectsIn(objectIn(value, 'arrayValue'), 'values').map((item) => plainOf(item, depth + 1));
  if (kvlistValue === undefined) return null;
  const pairs = objectsIn(objectIn(value, 'kvlistValue'), 'values');
  return Object.fromEntries(pairs.map((pair) => [textIn(pair, 'key') ?? '', plainOf(objectIn(pair, 'value'), depth + 1)]));
}
