import { ESCAPE, isOwn, PREFIXES, RECORD_TYPE, withoutEscapes } from '../../plugins/lib/otlp/otlp_names.ts';
import { ValueType, type Field } from '../message/types.ts';
import { has, valueOf } from './any-value.ts';

/** The part of a request that an attribute is of. */
export type Group = 'record' | 'resource' | 'scope';

/** The meaning of a field: an attribute, or a part of the record with a name of its own. */
export interface Place {
  readonly group: Group;
  readonly key: string;
  readonly isAttribute: boolean;
}

const isCount = ({ valueType, values }: Field): boolean => {
  const [value] = values;
  return valueType === ValueType.INTEGER && values.length === 1 && typeof value === 'bigint' && value > 0n && value < 1n << 32n;
};
const isText = ({ valueType, values }: Field): boolean => valueType === ValueType.STRING && values.length === 1 && values[0] !== '';
const isHex = (field: Field, digits: number): boolean =>
  isText(field) && String(field.values[0]).length === digits && /^(?!0+$)[0-9a-f]+$/.test(String(field.values[0]));

/** The parts of records, resources and scopes that are no attributes, with the fields that stand for them. */
const PARTS: Readonly<Record<Group, Readonly<Record<string, (field: Field) => boolean>>>> = {
  record: {
    observed_timestamp: ({ valueType, values }) => valueType === ValueType.INTEGER && values.length === 1 && values[0] !== 0n,
    severity_number: ({ valueType, values: [value, ...more] }) =>
      valueType === ValueType.INTEGER && more.length === 0 && value !== 0n && BigInt.asIntN(32, value as bigint) === value,
    severity_text: isText,
    trace_id: (field) => isHex(field, 32),
    span_id: (field) => isHex(field, 16),
    trace_flags: isCount,
    event_name: (field) => isText(field) && field.values[0] === RECORD_TYPE,
    dropped_attributes_count: isCount,
    body: (field) => !has(valueOf(field), 'stringValue'),
  },
  resource: { dropped_attributes_count: isCount, schema_url: isText },
  scope: { version: isText, dropped_attributes_count: isCount, schema_url: isText },
};

/** Finds out what a field stands for. @param hasPayload the message has a Payload, which is the body of its record */
export function placeOf(field: Field, hasPayload: boolean): Place {
  const group: Group = field.name.startsWith(PREFIXES.resource) ? 'resource' : field.name.startsWith(PREFIXES.scope) ? 'scope' : 'record';
  const key = field.name.slice(PREFIXES[group].length);
  const core = withoutEscapes(key);
  if (!isOwn(group, core, hasPayload)) return { group, key, isAttribute: true };
  if (core === key) return { group, key, isAttribute: PARTS[group][core]?.(field) !== true };
  return { group, key: key.slice(ESCAPE.length), isAttribute: true };
}
