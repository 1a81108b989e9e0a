/** Messages as plain data, in one form, for comparison. */

export type Value = string | number | boolean;

export interface Field {
  name: string;
  /** BigInts are integers, numbers doubles. */
  value: (Value | bigint)[];
  representation?: string;
  value_type?: number;
}

/** A message that goes in or comes out; a header that is not set is missing. */
export interface PlainMessage {
  Timestamp?: bigint;
  Type?: string;
  Logger?: string;
  Payload?: string;
  EnvVersion?: string;
  Hostname?: string;
  Severity?: number;
  Pid?: number;
  Fields: Field[];
}

/** Brings a message as scripts and examples write it into one form. */
export function plainMessage(message: Omit<InjectMessage, 'Uuid'>): PlainMessage {
  const { Timestamp, Severity, Pid, Fields = [], ...texts } = message;
  const plain: PlainMessage = { ...texts, Fields: fieldsOf(Fields) };
  if (Timestamp !== undefined) plain.Timestamp = BigInt(Timestamp);
  if (Severity !== undefined) plain.Severity = Number(Severity);
  if (Pid !== undefined) plain.Pid = Number(Pid);
  return plain;
}

function fieldsOf(fields: NonNullable<InjectMessage['Fields']>): Field[] {
  if (Array.isArray(fields)) return (fields as (FieldValue & { name: string })[]).map((field) => plainField(field.name, field));
  return Object.entries(fields).map(([name, value]) => plainField(name, value));
}

function plainField(name: string, input: FieldInput): Field {
  if (typeof input !== 'object') return { name, value: [input] };
  if (Array.isArray(input)) return { name, value: Array.from(input as (Value | bigint)[]) };
  if ('toPayload' in input) return { name, value: [input.toPayload()] };
  const { value, value_type, representation } = input as FieldValue;
  const field: Field = { name, value: valuesOf(value) };
  if (value_type !== undefined) field.value_type = value_type;
  if (representation !== undefined) field.representation = representation;
  return field;
}

/** Bytes are one value, whatever realm they are of. */
function valuesOf(value: FieldValue['value']): (Value | bigint)[] {
  if (ArrayBuffer.isView(value)) return [Uint8Array.from(value) as unknown as Value];
  return typeof value === 'object' ? Array.from(value as (Value | bigint)[]) : [value];
}

/** The fields by name, in alphabetical order: scripts need not keep an order. */
export function sorted(message: PlainMessage): PlainMessage {
  return { ...message, Fields: message.Fields.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}
