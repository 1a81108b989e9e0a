/** The fields of the current message and the texts of their values. */
import { formatSignificant } from './number_format.ts';
import { utf8Text } from './utf8_text.ts';

/** A value as a script reads it. */
export type FieldScalar = Scalar | Uint8Array;

export const BYTES = 1;
const INTEGER = 2;

/** A field of the current message. */
export interface MessageField {
  readonly name: string;
  /** 0 string, 1 bytes, 2 integer, 3 double, 4 bool. */
  readonly type: number;
  /** The number of fields with this name before this one. */
  readonly instance: number;
  /** The number of values. */
  readonly count: number;
  /** The first value; null when there is none, or when it is an empty byte value. */
  readonly value: FieldScalar | null;
  readonly representation: string;
}

/** Up to this many fields a linear search for the same name is faster than a table. */
const FEW = 16;

/** The names of the fields of the message before, and the instance of each: most messages have the same ones. Those of a message with very many are not kept. */
let lastNames: readonly string[] = [];
let lastInstances: readonly number[] = [];
const MOST_KEPT = 256;

/** All fields of the current message, in order. */
export function messageFields(): MessageField[] {
  const fields: MessageField[] = [];
  let instances: Map<string, number> | null = null;
  let isRepeated = true;
  for (;;) {
    const field = read_next_field();
    const name = field[1];
    if (name === null) break;
    isRepeated &&= lastNames[fields.length] === name;
    if (isRepeated) {
      fields.push(fieldOf(field, name, lastInstances[fields.length] as number));
      continue;
    }
    if (instances === null && fields.length >= FEW) instances = new Map(fields.map((field) => [field.name, field.instance + 1]));
    const instance = instances === null ? instancesOf(name, fields) : (instances.get(name) ?? 0);
    instances?.set(name, instance + 1);
    fields.push(fieldOf(field, name, instance));
  }
  if ((!isRepeated || fields.length !== lastNames.length) && fields.length <= MOST_KEPT) {
    lastNames = fields.map((field) => field.name);
    lastInstances = fields.map((field) => field.instance);
  }
  return fields;
}

const fieldOf = (field: ReturnType<typeof read_next_field>, name: string, instance: number): MessageField => ({
  name,
  type: field[0] as number,
  instance,
  count: field[4] ?? 0,
  value: field[2],
  representation: field[3] ?? '',
});

/** The number of fields with this name, taken from the instance number of the last one. */
function instancesOf(name: string, fields: readonly MessageField[]): number {
  for (let i = fields.length - 1; i >= 0; i--) {
    const field = fields[i] as MessageField;
    if (field.name === name) return field.instance + 1;
  }
  return 0;
}

/** One value of a field. */
export function valueAt(field: MessageField, index: number): FieldScalar | null {
  return index === 0 ? field.value : read_message(`Fields[${field.name}]`, field.instance, index);
}

/** All digits of a value of a field with integers; null when the number that was read has them, or is none of an integer. */
export function exactDigits({ name, instance, type }: MessageField, index: number, value: FieldScalar | null): string | null {
  if (type !== INTEGER || typeof value !== 'number' || Number.isSafeInteger(value)) return null;
  return String(read_integer(`Fields[${name}]`, instance, index) ?? value);
}

/** A value as text: numbers in plain form, `true` and `false`, bytes as the UTF-8 that they hold. */
export function valueText(value: FieldScalar): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return plainNumber(value);
  return typeof value === 'boolean' ? String(value) : utf8Text(value);
}

/** A number for names, tags and keys: whole numbers with all their digits, others with up to 14 significant ones. */
export function plainNumber(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? String(value) : formatSignificant(value, 14);
}

/** The words of a parameter that lists names, separated by white space. */
export function words(text: string | null): string[] {
  return text === null ? [] : text.split(/\s+/).filter((word) => word !== '');
}
