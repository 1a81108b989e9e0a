import { UsageError } from '../command.ts';
import { parseInteger } from '../../message/integer.ts';
import { ValueType, type Field } from '../../message/types.ts';

/** Options that make fields, each with a description of its value. */
export const FIELD_OPTIONS = {
  field: 'text',
  'field-int': 'a whole number of 64 bits',
  'field-double': 'a number, nan, inf or -inf',
  'field-bool': 'true or false',
  'field-bytes': 'bytes in base64',
} as const;

export type FieldKind = keyof typeof FIELD_OPTIONS;

/** One option that makes a field, as it was written: `NAME=VALUE`, `NAME:REPRESENTATION=VALUE` or `NAME[]=VALUE`. */
export interface FieldFlag {
  readonly kind: FieldKind;
  readonly value: string;
}

/**
 * Adds a field to those of a message, or, for `NAME[]=VALUE`, a value to its last field of that name.
 * @throws {UsageError} for a flag that cannot be read
 */
export function fieldOf(fields: readonly Field[], { kind, value: flag }: FieldFlag): Field[] {
  const { name, representation, value, further } = parseFlag(kind, flag);
  const added = withValue(kind, name, value);
  if (!further) return [...fields, representation === undefined ? added : { ...added, representation }];
  const at = fields.findLastIndex((field) => field.name === name);
  const before = fields[at];
  if (before === undefined) throw new UsageError(`--${kind} ${flag}: there is no field ${name} yet to which a value could be added.`);
  if (before.valueType !== added.valueType) throw new UsageError(`--${kind} ${flag}: the field ${name} has values of another type.`);
  if (representation !== undefined) throw new UsageError(`--${kind} ${flag}: the representation is given with the first value.`);
  return fields.with(at, { ...before, values: [...before.values, ...added.values] } as Field);
}

interface ParsedFlag {
  readonly name: string;
  readonly representation: string | undefined;
  readonly value: string;
  /** `NAME[]`: the value is added to the last field of that name. */
  readonly further: boolean;
}

/** Pattern of a field option. A backslash escapes the next character, so that names may hold colons and equals signs. */
const FLAG = /^(?<name>(?:[^\\:=]|\\.)+?)(?<further>\[\])?(?::(?<representation>(?:[^\\=]|\\.)*))?=(?<value>.*)$/s;

function parseFlag(kind: FieldKind, flag: string): ParsedFlag {
  const groups = FLAG.exec(flag)?.groups;
  if (groups === undefined) throw new UsageError(`--${kind} takes NAME=VALUE or NAME:REPRESENTATION=VALUE, not '${flag}'`);
  const { name = '', representation, value = '', further } = groups;
  return { name: unescape(name), representation: representation && unescape(representation), value, further: further !== undefined };
}

const unescape = (text: string): string => text.replace(/\\(.)/gs, '$1');

function withValue(kind: FieldKind, name: string, text: string): Field {
  switch (kind) {
    case 'field':
      return { name, valueType: ValueType.STRING, values: [text] };
    case 'field-int':
      return { name, valueType: ValueType.INTEGER, values: [parsed(kind, name, text, parseInteger(text, 64))] };
    case 'field-double':
      return { name, valueType: ValueType.DOUBLE, values: [parsed(kind, name, text, doubleOf(text))] };
    case 'field-bool':
      return { name, valueType: ValueType.BOOL, values: [parsed(kind, name, text, text === 'true' || (text === 'false' ? false : null))] };
    case 'field-bytes':
      return { name, valueType: ValueType.BYTES, values: [parsed(kind, name, text, bytesOf(text))] };
  }
}

function parsed<T>(kind: FieldKind, name: string, text: string, value: T | null): T {
  if (value === null) throw new UsageError(`--${kind} ${name}: '${text}' is not ${FIELD_OPTIONS[kind]}`);
  return value;
}

const NAMED: Readonly<Record<string, number>> = { nan: NaN, inf: Infinity, '-inf': -Infinity };

function doubleOf(text: string): number | null {
  if (Object.hasOwn(NAMED, text)) return NAMED[text] as number;
  const number = /^\s*$/.test(text) ? NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

function bytesOf(text: string): Uint8Array | null {
  return BASE64.test(text) ? new Uint8Array(Buffer.from(text, 'base64')) : null;
}
