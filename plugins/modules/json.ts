/** JSON objects as records. */
import { checkFunction, checkNumber, checkString, unexpected } from '../base/arguments.ts';
import { exactInteger, isInt64 } from '../base/int64.ts';

/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
/** An object of JSON. */
export type JsonObject = Readonly<Record<string, Json>>;
/** A value of JSON whose integers beyond 2^53, of which a number does not hold all digits, are BigInts. */
export type ExactJson = Json | bigint | readonly ExactJson[] | { readonly [name: string]: ExactJson };
/** An object of JSON with such integers. */
export type ExactObject = Readonly<Record<string, ExactJson>>;
/** Values that a field of a message can hold. */
export type FieldContent = Scalar | bigint | readonly Scalar[] | readonly bigint[];

const BYTE_ORDER_MARK = '\ufeff';

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;
const parseWith = JSON.parse as (text: string, reviver?: Reviver) => unknown;
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/** Parses a text that is a JSON object. null for any other text. */
export function parseObject(text: string): JsonObject | null {
  checkString('parseObject', 1, text);
  return objectOf(text) as JsonObject | null;
}

/** May begin an integer beyond 2^53. Within texts it also matches, which only costs time. */
const LONG_INTEGER = /[:[,\s]-?(?:9\d{15}|[1-9]\d{16})/;
/** Longer ones stay numbers: nobody means all of their digits. */
const INTEGER = /^-?\d{16,1000}$/;

/**
 * Parses a text that is a JSON object, with the integers that a number may not hold as BigInts. null for any other text. An integer of more than 64 bits is a
 * number if that shows the same digits.
 */
export function parseExactly(text: string): ExactObject | null {
  checkString('parseExactly', 1, text);
  return objectOf(text, LONG_INTEGER.test(text) ? keepDigits : undefined);
}

const keepDigits: Reviver = (_name, value, { source = '' }) => {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !INTEGER.test(source)) return value;
  const integer = BigInt(source);
  return isInt64(integer) || String(value) !== source ? integer : value;
};

/** Keeps the last object: V8 drops the code for a form of objects that are all gone when it collects garbage. In a private field it is in no saved state. */
class LastObject {
  #object: ExactObject | null = null;

  keep(object: ExactObject): ExactObject {
    this.#object = object;
    return this.#object;
  }
}

const last = new LastObject();
/** Texts of longer objects are too large to be kept. */
const SHORT = 1 << 14;

function objectOf(text: string, reviver?: Reviver): ExactObject | null {
  let value: ExactJson;
  try {
    value = parseWith(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text, reviver) as ExactJson;
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  return text.length > SHORT ? value : last.keep(value);
}

const COLON = /[ \t\r\n]*:[ \t\r\n]*/y;
/** Matches behind the digits of a number that a double shows as they are written: zeros that do not count, and no further digit. */
const BEHIND_WHOLE = /(?:\.0*)?(?![\d.eE])/y;
const BEHIND_FRACTION = /0*(?![\d.eE])/y;

/**
 * The digits of the number `name` as they are in the text of the object, because a double does not hold all digits of a time in nanoseconds. The name has
 * the form that `flatten` uses.
 */
export function numberText(text: string, name: string, value: number): string {
  checkString('numberText', 1, text);
  checkString('numberText', 2, name);
  checkNumber('numberText', 3, value);
  const shown = String(value);
  const key = `"${name.slice(name.lastIndexOf('.') + 1)}"`;
  COLON.lastIndex = text.indexOf(key) + key.length;
  const at = COLON.test(text) ? COLON.lastIndex : -1;
  const behind = Number.isInteger(value) ? BEHIND_WHOLE : BEHIND_FRACTION;
  behind.lastIndex = at + shown.length;
  if (at >= 0 && text.startsWith(shown, at) && behind.test(text)) return shown;
  let written = shown;
  parseWith(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text, (member, found, { source = '' }) => {
    if (found === value && name.endsWith(member)) written = source;
  });
  return /[eE]/.test(written) ? shown : written;
}

/** Whether a value is an object, neither a list nor null. */
export function isObject(value: Json): value is JsonObject;
export function isObject(value: ExactJson): value is ExactObject;
export function isObject(value: ExactJson): value is ExactObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Writes a value as JSON, its BigInts with all their digits. */
export function jsonText(value: ExactJson): string {
  try {
    // Several times as fast, and it refuses BigInts.
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? rawJSON(String(part)) : part));
  }
}

/**
 * Converts JSON to a field value: a scalar, or a list of scalars of one type that is not empty. null for anything else. A BigInt that has more than 64 bits
 * becomes a text.
 */
export function fieldValue(value: Json): Scalar | readonly Scalar[] | null;
export function fieldValue(value: ExactJson): FieldContent | null;
export function fieldValue(value: ExactJson): FieldContent | null {
  if (typeof value === 'bigint') return exactInteger(value);
  if (typeof value !== 'object') return value;
  if (value === null || !Array.isArray(value) || value.length === 0) return null;
  const list = value as readonly ExactJson[];
  const type = typeof list[0];
  if (type !== 'object' && type !== 'bigint' && list.every((item) => typeof item === type)) return list as readonly Scalar[];
  return integersOf(list);
}

/** A list of integers some of which are BigInts, as BigInts; null for any other list. */
function integersOf(list: readonly ExactJson[]): readonly bigint[] | null {
  const integers: bigint[] = [];
  for (const item of list) {
    if (typeof item === 'bigint' ? !isInt64(item) : !Number.isSafeInteger(item)) return null;
    integers.push(BigInt(item as bigint | number));
  }
  return integers;
}

/** Depth up to which objects are flattened. */
const MAX_DEPTH = 20;

type Visit = (name: string, value: Scalar | readonly Scalar[], isJson: boolean) => void;
type ExactVisit = (name: string, value: FieldContent, isJson: boolean) => void;

/**
 * Calls `visit` for each member of the object, with the names of nested members joined by dots. null and empty lists and objects are left out; a value
 * that no field can hold, such as a list of objects, is visited as its JSON text.
 */
export function flatten(object: JsonObject, visit: Visit): void;
export function flatten(object: ExactObject, visit: ExactVisit): void;
export function flatten(object: ExactObject, visit: Visit | ExactVisit): void {
  if (!isObject(object)) throw unexpected('flatten', 1, 'object', object);
  checkFunction('flatten', 2, visit);
  visitMembers(object, '', 0, visit as ExactVisit);
}

function visitMembers(object: ExactObject, prefix: string, depth: number, visit: ExactVisit): void {
  for (const key of Object.keys(object)) {
    const member = object[key] as ExactJson;
    const name = prefix + key;
    if (typeof member === 'bigint') visit(name, exactInteger(member), false);
    else if (typeof member !== 'object') visit(name, member, false);
    else if (member !== null && isObject(member) && depth < MAX_DEPTH) visitMembers(member, `${name}.`, depth + 1, visit);
    else if (member !== null && !isEmpty(member)) {
      const value = fieldValue(member);
      visit(name, value ?? jsonText(member), value === null);
    }
  }
}

function isEmpty(value: readonly ExactJson[] | ExactObject): boolean {
  return Array.isArray(value) && value.length === 0;
}
