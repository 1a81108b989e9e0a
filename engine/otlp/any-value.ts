import { ValueType, type Field } from '../message/types.ts';
import { OtlpType } from './schema.ts';
import { bigintOf, int64, type AnyValue, type KeyValue } from './types.ts';

/** Representation of a field that holds a value of OTLP for which messages have no type, in OTLP's JSON. */
const JSON_REPRESENTATION = 'otlp';

const anyValue = new OtlpType<AnyValue>('AnyValue');

/** The value of an attribute as a field. Lists of one type are several values; what messages have no type for becomes JSON. */
export function fieldOf(name: string, value: AnyValue): Field {
  const values = value.arrayValue?.values ?? [];
  if (!has(value, 'arrayValue')) return scalarField(name, [value]) ?? jsonField(name, value);
  if (values.length === 0) return { name, valueType: ValueType.STRING, values: [] };
  return (values.length > 1 ? scalarField(name, values) : null) ?? jsonField(name, value);
}

/** The value of a field as that of an attribute. */
export function valueOf(field: Field): AnyValue {
  const values = scalarsOf(field);
  const [first] = values;
  if (values.length !== 1 || first === undefined) return { arrayValue: { values } };
  return field.representation === JSON_REPRESENTATION ? (parsed(first.stringValue) ?? first) : first;
}

/** A value in OTLP's JSON, always the same for the same value. */
export function jsonOf(value: AnyValue): unknown {
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = value;
  if (has(value, 'stringValue')) return { stringValue };
  if (has(value, 'boolValue')) return { boolValue };
  if (intValue !== undefined && has(value, 'intValue')) return { intValue: bigintOf(intValue).toString() };
  if (doubleValue !== undefined && has(value, 'doubleValue')) return { doubleValue: jsonNumber(doubleValue) };
  if (bytesValue !== undefined && has(value, 'bytesValue')) return { bytesValue: Buffer.from(bytesValue).toString('base64') };
  if (arrayValue !== undefined && has(value, 'arrayValue')) return { arrayValue: { values: (arrayValue.values ?? []).map(jsonOf) } };
  if (kvlistValue !== undefined && has(value, 'kvlistValue')) return { kvlistValue: { values: (kvlistValue.values ?? []).map(jsonPair) } };
  return {};
}

const jsonPair = ({ key = '', value }: KeyValue): unknown => ({ key, value: jsonOf(value ?? {}) });

/** JSON has no such numbers. */
const jsonNumber = (value: number): number | string => (Number.isFinite(value) && !Object.is(value, -0) ? value : numberText(value));
const numberText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/** null: the text is not what this engine writes for a value. */
function parsed(text: string | undefined): AnyValue | null {
  if (text === undefined) return null;
  try {
    const value = anyValue.fromJson(JSON.parse(text));
    return JSON.stringify(jsonOf(value)) === text ? value : null;
  } catch {
    return null;
  }
}

const jsonField = (name: string, value: AnyValue): Field => ({
  name,
  valueType: ValueType.STRING,
  representation: JSON_REPRESENTATION,
  values: [JSON.stringify(jsonOf(value))],
});

/** null: they are not all of one scalar type. */
function scalarField(name: string, values: readonly AnyValue[]): Field | null {
  const all = (key: keyof AnyValue): boolean => values.every((value) => has(value, key));
  if (all('stringValue')) return { name, valueType: ValueType.STRING, values: values.map(({ stringValue = '' }) => stringValue) };
  if (all('intValue')) return { name, valueType: ValueType.INTEGER, values: values.map(({ intValue }) => bigintOf(intValue ?? int64(0n))) };
  if (all('doubleValue')) return { name, valueType: ValueType.DOUBLE, values: values.map(({ doubleValue = 0 }) => doubleValue) };
  if (all('boolValue')) return { name, valueType: ValueType.BOOL, values: values.map(({ boolValue = false }) => boolValue) };
  if (all('bytesValue'))
    return { name, valueType: ValueType.BYTES, values: values.map(({ bytesValue = new Uint8Array() }) => Uint8Array.from(bytesValue)) };
  return null;
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
