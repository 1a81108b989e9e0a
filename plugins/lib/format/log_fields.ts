/** The types of fields in log lines: how a value is recognised, and how it gets into a message. */
import type { ClfDate, DateReader } from '../../base/dates.ts';
import { nanoseconds } from '../../base/instant.ts';
import { BYTES_CODE, clfDateCode, clientCode, INTEGER_CODE, QUOTED_CODE, STATUS_CODE, WORD_CODE, type FieldCode } from './field_code.ts';
import { client, host, hostForm, wholeHost, type HostForm } from '../hosts.ts';
import {
  decimal,
  decimalIn,
  digitCount,
  digits,
  either,
  fractionIn,
  hexDigits,
  integerIn,
  isDash,
  isSpace,
  listOf,
  oneOf,
  run,
  upToQuote,
  upToSpace,
  type Scan,
} from '../../base/scan.ts';

/** The type of a field of a log line: the text that it accepts, and the columns that it is written to. */
export interface FieldType {
  readonly scan: Scan;
  /** Accepts further texts, when the delimiter behind the field marks the end. */
  readonly further?: Scan;
  /** Whether it then accepts any text. */
  readonly isText?: true;
  /** Whether a line without the field does not have the format. */
  readonly required?: true;
  /** The columns for a field of this name. */
  readonly columns: (name: string) => readonly WriterColumn[];
  /** Writes the piece [from, to) of the text, which `scan` accepted, into the columns that begin with `column`. */
  readonly write: (writer: MessageWriter, column: number, text: string, from: number, to: number) => void;
  /** Code for generated functions, in place of calls of `scan` and `write`. */
  readonly code?: FieldCode;
}

/** The value that the piece [from, to) of a text stands for. */
type NumberIn = (text: string, from: number, to: number) => number;

const COMMA = 44;
const [BLANK, OPEN] = [32, 91];
const HOST_FORMS: readonly HostForm[] = ['ipv4', 'ipv6', 'hostname', 'unix'];
const SEPARATOR = oneOf([', ', ' : ']);
const SEPARATORS = /, | : /;
const DASH = oneOf(['-']);

/** A text that reaches as far as `scan` says, or to the delimiter behind it. */
export function freeText(scan: Scan): FieldType {
  const code = scan === upToQuote ? QUOTED_CODE : scan === upToSpace ? WORD_CODE : null;
  return { ...textField(scan), isText: true, ...(code === null ? {} : { code }) };
}

/** A text of a form as it stands in the line. */
export function textField(scan: Scan): FieldType {
  return {
    scan,
    columns: (name) => [{ name, kind: 'slice' }],
    write: (writer, column, _text, from, to) => writer.slice(column, from, to),
  };
}

/** A double. */
export function numberField(scan: Scan, valueOf: NumberIn, representation?: string): FieldType {
  return {
    scan,
    columns: (name) => [numberColumn(name, representation)],
    write: (writer, column, text, from, to) => writer.number(column, valueOf(text, from, to)),
  };
}

/** The time of the message, as a date; `timeOf` is for one that says no zone. */
export function dateField(reader: DateReader, timeOf = nanoseconds): FieldType {
  return {
    scan: (text, at, end) => reader.read(text, at, end),
    required: true,
    columns: () => [],
    write: (writer) => writer.timestamp(timeOf(reader)),
  };
}

/** The time of the message, in the common log format. */
export function clfDateField(date: ClfDate): FieldType {
  const field = dateField(date);
  return { ...field, code: clfDateCode(date, field.scan) };
}

/** A host, with its form as representation, without brackets. */
function hostField(scan: Scan): FieldType {
  return {
    scan,
    further: wholeHost,
    columns: (name) => HOST_FORMS.map((representation) => ({ name, kind: 'slice', representation })),
    write: (writer, column, text, from, to) => {
      const brackets = text.charCodeAt(from) === OPEN ? 1 : 0;
      writer.slice(column + HOST_FORMS.indexOf(hostForm(text, from, to)), from + brackets, to - brackets);
    },
  };
}

function clientField(): FieldType {
  const field = hostField(client);
  return { ...field, code: clientCode(field.write) };
}

/** Texts separated by `, ` and ` : `, as an array. */
export function textListField(item: Scan): FieldType {
  return {
    scan: listOf(item, SEPARATOR),
    columns: (name) => [{ name, kind: 'text' }],
    write: (writer, column, text, from, to) => writer.list(column, text.slice(from, to).split(SEPARATORS)),
  };
}

/** Numbers separated by `, ` and ` : `, as an array; `-` counts as 0. */
export function numberListField(item: Scan, representation?: string): FieldType {
  return {
    scan: listOf(either(item, DASH), SEPARATOR),
    columns: (name) => [numberColumn(name, representation)],
    write: (writer, column, text, from, to) => writer.list(column, numbersIn(text, from, to)),
  };
}

/** Extends a type by a lone `-`, which becomes the text `-`. */
export function orDash(type: FieldType): FieldType {
  return {
    scan: either(type.scan, DASH),
    columns: (name) => [...type.columns(name), { name, kind: 'slice' }],
    write: (writer, column, text, from, to) => {
      if (isDash(text, from, to)) writer.slice(column + 1, from, to);
      else type.write(writer, column, text, from, to);
    },
  };
}

/** Integers separated by `, ` and ` : `, as an array. */
export function integerListField(representation: string): FieldType {
  return { ...numberListField(digits, representation), scan: listOf(digits, SEPARATOR) };
}

function numberColumn(name: string, representation?: string): WriterColumn {
  return representation === undefined ? { name, kind: 'number' } : { name, kind: 'number', representation };
}

function numbersIn(text: string, from: number, to: number): number[] {
  return text
    .slice(from, to)
    .split(SEPARATORS)
    .map((item) => (item === '-' ? 0 : Number(item)));
}

function byteCountIn(text: string, from: number, to: number): number {
  return isDash(text, from, to) ? 0 : integerIn(text, from, to);
}

function hexIn(text: string, from: number, to: number): number {
  return Number.parseInt(text.slice(from, to), 16);
}

function isAddressCode(code: number): boolean {
  return code !== COMMA && code !== BLANK;
}

/** A method of RFC 9110, else any word of capital letters, digits, `-` and `_`: PATCH, PROPFIND … */
const METHOD = either(
  oneOf(['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']),
  run((code) => (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 45 || code === 95),
);

/** `HTTP/` and a version: `1.1`, `2.0`, `3`. */
function protocol(text: string, at: number, end: number): number {
  if (!text.startsWith('HTTP/', at)) return -1;
  const version = decimal(text, at + 5, end);
  return version < 0 ? digits(text, at + 5, end) : version;
}

export const INTEGER: FieldType = { ...numberField(digits, integerIn), code: INTEGER_CODE };
export const HEXADECIMAL = numberField(hexDigits, hexIn);
export const MICROSECONDS = numberField(digits, integerIn, 'us');
export const MILLISECONDS = numberField(digits, integerIn, 'ms');
export const WHOLE_SECONDS = numberField(digits, integerIn, 's');
export const SECONDS = numberField(decimal, decimalIn, 's');
export const FRACTION = numberField(digits, fractionIn);
export const STATUS: FieldType = { ...numberField(digitCount(3), integerIn), code: STATUS_CODE };
/** A count of bytes; `-` is 0. */
export const BYTES: FieldType = { ...numberField(either(digits, DASH), byteCountIn, 'B'), code: BYTES_CODE };
export const HOST = hostField(host);
export const CLIENT = clientField();
/** The method of a request. Text that is not a request, such as TLS on a plain port, has its first word here. */
export const REQUEST_METHOD = { ...textField(METHOD), further: run((code) => !isSpace(code)) };
export const PROTOCOL = textField(protocol);
export const ADDRESSES = textListField(run(isAddressCode));
export const RESPONSE_LENGTHS = orDash(integerListField('B'));
export const RESPONSE_TIMES = numberListField(decimal, 's');
export const STATUSES = numberListField(digitCount(3));
