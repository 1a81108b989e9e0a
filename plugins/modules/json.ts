/** JSON objects as records. */
import { checkFunction, checkNumber, checkString, unexpected } from '../base/arguments.ts';

/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
/** An object of JSON. */
export type JsonObject = Readonly<Record<string, Json>>;

const BYTE_ORDER_MARK = '\ufeff';

/** Parses a text that is a JSON object. null for any other text. */
export function parseObject(text: string): JsonObject | null {
  checkString('parseObject', 1, text);
  let value: Json;
  try {
    value = JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text) as Json;
  } catch {
    return null;
  }
  return isObject(value) ? value : null;
}

const COLON = /[ \t\r\n]*:[ \t\r\n]*/y;
/** Matches behind the digits of a number that a double shows as they are written: zeros that do not count, and no further digit. */
const BEHIND_WHOLE = /(?:\.0*)?(?![\d.eE])/y;
const BEHIND_FRACTION = /0*(?![\d.eE])/y;

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;
const parseWith = JSON.parse as (text: string, reviver: Reviver) => unknown;

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
export function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Converts JSON to a field value: a scalar, or a list of scalars of one type that is not empty. null for anything else. */
export function fieldValue(value: Json): Scalar | readonly Scalar[] | null {
  if (typeof value !== 'object') return value;
  if (value === null || !Array.isArray(value) || value.length === 0) return null;
  const type = typeof value[0];
  return type !== 'object' && value.every((item) => typeof item === type) ? (value as readonly Scalar[]) : null;
}

/** Depth up to which objects are flattened. */
const MAX_DEPTH = 20;

/**
 * Calls `visit` for each member of the object, with the names of nested members joined by dots. null and empty lists and objects are left out; a value
 * that no field can hold, such as a list of objects, is visited as its JSON text.
 */
export function flatten(object: JsonObject, visit: (name: string, value: Scalar | readonly Scalar[], isJson: boolean) => void): void {
  if (!isObject(object)) throw unexpected('flatten', 1, 'object', object);
  checkFunction('flatten', 2, visit);
  visitMembers(object, '', 0, visit);
}

function visitMembers(object: JsonObject, prefix: string, depth: number, visit: Parameters<typeof flatten>[1]): void {
  for (const key of Object.keys(object)) {
    const member = object[key] as Json;
    const name = prefix + key;
    if (typeof member !== 'object') visit(name, member, false);
    else if (member !== null && isObject(member) && depth < MAX_DEPTH) visitMembers(member, `${name}.`, depth + 1, visit);
    else if (member !== null && !isEmpty(member)) {
      const value = fieldValue(member);
      visit(name, value ?? JSON.stringify(member), value === null);
    }
  }
}

function isEmpty(value: readonly Json[] | JsonObject): boolean {
  return Array.isArray(value) && value.length === 0;
}
