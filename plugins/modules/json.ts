/** JSON objects as records. */

/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = Readonly<Record<string, Json>>;

/** The object that the text is, or null when it is no JSON or no object. */
export function parseObject(text: string): JsonObject | null {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return null;
  }
  return isObject(value) ? value : null;
}

export function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a field can hold: a scalar, or a list of scalars of one type that is not empty. null for anything else. */
export function fieldValue(value: Json): Scalar | readonly Scalar[] | null {
  if (typeof value !== 'object') return value;
  if (value === null || !Array.isArray(value) || value.length === 0) return null;
  const type = typeof value[0];
  return type !== 'object' && value.every((item) => typeof item === type) ? (value as readonly Scalar[]) : null;
}
