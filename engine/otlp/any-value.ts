import { ValueType, type Field } from '../message/types.ts';
import { int64, type AnyValue } from './types.ts';

/** Representation of a list for which messages have no type. */
const JSON_REPRESENTATION = 'json';

/** The value of a field as that of an attribute. */
export function valueOf(field: Field): AnyValue {
  const values = scalarsOf(field);
  const [first] = values;
  if (values.length !== 1 || first === undefined) return { arrayValue: { values } };
  return field.representation === JSON_REPRESENTATION ? (listOf(first.stringValue ?? '') ?? first) : first;
}

/** A list of JSON as the list that it was; null: the text is none. */
function listOf(text: string): AnyValue | null {
  if (!text.startsWith('[')) return null;
  try {
    return anyValueOf(JSON.parse(text, exactly));
  } catch {
    return null;
  }
}

/** Integers of 64 bits, of which numbers do not hold all, are BigInts. */
function exactly(_key: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown {
  return typeof value === 'number' && /^-?\d{1,19}$/.test(source) && isInt64(BigInt(source)) ? BigInt(source) : value;
}

const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

function anyValueOf(json: unknown): AnyValue {
  if (typeof json === 'string') return { stringValue: json };
  if (typeof json === 'bigint') return { intValue: int64(json) };
  if (typeof json === 'number') return { doubleValue: json };
  if (typeof json === 'boolean') return { boolValue: json };
  if (Array.isArray(json)) return { arrayValue: { values: json.map(anyValueOf) } };
  if (json === null) return {};
  return { kvlistValue: { values: Object.entries(json as object).map(([key, value]) => ({ key, value: anyValueOf(value) })) } };
}

function scalarsOf(field: Field): AnyValue[] {
  switch (field.valueType) {
    case ValueType.STRING:
      return field.values.map((stringValue) => ({ stringValue }));
    case ValueType.BYTES:
      return field.values.map((bytesValue) => ({ bytesValue }));
    case ValueType.INTEGER:
      return field.values.map((value) => ({ intValue: int64(value) }));
    case ValueType.DOUBLE:
      return field.values.map((doubleValue) => ({ doubleValue }));
    case ValueType.BOOL:
      return field.values.map((boolValue) => ({ boolValue }));
  }
}

/** Whether a value was on the wire: keys that were not are on the prototype of a decoded message. */
export const has = (value: AnyValue, key: keyof AnyValue): boolean => Object.hasOwn(value, key) && value[key] !== undefined;
