/**
 * Messages as lines of InfluxDB's line protocol, `MEASUREMENT[,TAG=VALUE…] KEY=VALUE TIME`. Each value of a dynamic field is a line.
 *
 * In measurements and tags, blanks and commas get a backslash in front, and a line end is written as such a blank. In texts, quotes get a backslash.
 * A backslash at the end of a measurement or tag is left out. A backslash in front of a quote or at the end of a text is doubled. All other backslashes are
 * written as they are. Tags without a value are left out. So are NaN and infinity, which the protocol does not have. Further values of an array
 * are named `NAME_vidx_1` and so on, further fields of the same name `NAME_fidx_1`.
 */
import { fieldsConfig, stringConfig } from './config.ts';
import { BYTES, messageFields, valueAt, valueText, type FieldScalar, type MessageField } from '../base/fields.ts';
import { FLUSH_COUNT, LINES } from '../base/line_parameters.ts';
import { unitsIn } from '../base/instant.ts';
import { formatFixed } from '../base/number_format.ts';
import { Template, messageSeconds, systemSeconds } from './interpolate.ts';
import { ownText } from '../base/excerpt.ts';
import { remembered } from '../base/remembered.ts';

/** Options for the lines that are written. */
export interface LineOptions {
  /** Digits behind the decimal point of numbers. */
  readonly precision: number;
  /** Prefix of the field's name. */
  readonly prefix: Template | null;
  /** Between prefix and name. */
  readonly delimiter: string;
  /** Fields that make no lines. */
  readonly skipped: ReadonlySet<string>;
  /** The only field that makes a line; null: all do. */
  readonly source: string | null;
  /** Headers that are tags. */
  readonly headers: readonly HeaderTag[];
  /** Fields that are tags; null: all are. */
  readonly fields: ReadonlySet<string> | null;
  /** Nanoseconds of the lines' unit of time. */
  readonly unit: number;
  /** The key of the value. */
  readonly key: string;
}

/** One value of a field, and the name for its line. */
export interface Value {
  readonly name: string;
  readonly field: MessageField;
  readonly value: FieldScalar;
}

/** The tags that `all_base` stands for. */
const BASE_TAGS = ['Hostname', 'Logger', 'Severity', 'Type'];
const SECOND = 1e9;
const UNITS: Readonly<Record<string, number>> = { ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 };
const MAX_PRECISION = 100;

/**
 * Reads the parameters that all scripts which write line protocol have.
 * @param further headers with a text that name_prefix may hold beside those that every template knows
 */
export function lineOptions(further: readonly string[] = []): LineOptions {
  const prefix = stringConfig('name_prefix', null);
  const tags = fieldsConfig('tag_fields', LINES.tag_fields.default);
  const all = tags.some((tag) => isMagic(tag, 'all'));
  const base = all || tags.some((tag) => isMagic(tag, 'all_base'));
  return {
    precision: precisionConfig(),
    prefix: prefix === null ? null : new Template(prefix, further),
    delimiter: stringConfig('name_prefix_delimiter', LINES.name_prefix_delimiter.default),
    skipped: new Set(fieldsConfig('skip_fields', null)),
    source: stringConfig('source_value_field', null),
    headers: BASE_TAGS.filter((name) => base || tags.includes(name)).map((name) => new HeaderTag(name)),
    fields: all ? null : new Set(tags.filter((tag) => !isMagic(tag, 'all_base') && !BASE_TAGS.includes(tag))),
    unit: unitConfig(),
    key: stringConfig('value_field_key', LINES.value_field_key.default),
  };
}

/** The parameter flush_count: the number of messages after which a batch is output; 0 when it is not above 0. */
export function flushCount(): number {
  const text = stringConfig('flush_count', FLUSH_COUNT.default);
  if (!/^(?:[+-]?\d+)?$/.test(text)) throw new TypeError(`flush_count must be a whole number, not ${JSON.stringify(text)}`);
  return Math.max(0, Number(text));
}

function unitConfig(): number {
  const unit = stringConfig('timestamp_precision', LINES.timestamp_precision.default);
  if (Object.hasOwn(UNITS, unit)) return UNITS[unit] as number;
  throw new TypeError(`timestamp_precision must be ms, s, m or h, not ${JSON.stringify(unit)}`);
}

function precisionConfig(): number {
  const text = stringConfig('decimal_precision', LINES.decimal_precision.default);
  const precision = Number(text);
  if (/^\d+$/.test(text) && precision <= MAX_PRECISION) return precision;
  throw new TypeError(`decimal_precision must be a whole number from 0 to ${MAX_PRECISION}`);
}

function isMagic(word: string, magic: string): boolean {
  return word === magic || word === `**${magic}**`;
}

/** More characters are no message that a database takes. */
const MAX_LENGTH = 2 ** 24;

/**
 * The lines of the current message, each with its end; an empty line when none of its fields makes one, nothing when it has no fields. Null when they
 * are too long.
 */
export function messageLines(options: LineOptions): string | null {
  const values = messageValues();
  if (values.length === 0) return '';
  const start = options.prefix?.text(systemSeconds()) ?? '';
  if (areTooLong(values, start.length)) return null;
  const tags = tagText(values, options);
  if (tags.length * values.length > MAX_LENGTH) return null;
  const middle = `${tags} ${options.key}=`;
  const end = ` ${messageUnits(options.unit)}\n`;
  if (options.source !== null) return sourceLine(values, options, escaped(start) + middle, end);

  const { skipped, precision } = options;
  const beginning = lineStarts(start, options, middle);
  let lines = '';
  for (const { name, field, value } of values) {
    if (skipped.size > 0 && skipped.has(field.name)) continue;
    lines += beginning(name) + fieldValue(value, precision) + end;
  }
  return lines === '' ? '\n' : lines;
}

/** Whether lines of these values are too long: with all of their names, and so many characters in front of each. */
export function areTooLong(values: readonly Value[], start: number): boolean {
  let length = start * values.length;
  for (const { name } of values) length += name.length;
  return length > MAX_LENGTH;
}

/** The whole units in the current message's time. Milliseconds are those that a script meant which wrote the time as a double. */
function messageUnits(unit: number): number {
  return unit < SECOND ? unitsIn(read_message('Timestamp') ?? 0, unit) : Math.floor(messageSeconds() / (unit / SECOND));
}

/** Longer texts are not compared with those of the next message. */
const MAX_KEPT = 1000;
/** Text in front of a value, by the value's name, for messages with the same tags and the same prefix as the last one. */
let lastStarts: { readonly start: string; readonly middle: string; of: ((name: string) => string) | null } = {
  start: '',
  middle: '',
  of: null,
};

/** A function for all that stands in front of a value, by its name. */
function lineStarts(start: string, { prefix, delimiter }: LineOptions, middle: string): (name: string) => string {
  const isSame = lastStarts.middle === middle && lastStarts.start === start;
  if (isSame && lastStarts.of !== null) return lastStarts.of;
  const stays = prefix === null && delimiter === '';
  const of = (name: string): string => (stays ? escapedName(name) : escaped(start + delimiter + name)) + middle;
  if (isSame) return (lastStarts.of = remembered(of));
  if (middle.length + start.length <= MAX_KEPT) lastStarts = { start, middle, of: null };
  return of;
}

/** The line of the only field that makes one: its last value. */
function sourceLine(values: readonly Value[], { source, precision }: LineOptions, start: string, end: string): string {
  const last = values.findLast(({ field }) => field.name === source);
  return last === undefined ? '\n' : start + fieldValue(last.value, precision) + end;
}

/** The values of the current message's fields, in order; NaN and infinity are left out. */
export function messageValues(): Value[] {
  const values: Value[] = [];
  for (const field of messageFields()) {
    const name = field.instance === 0 ? field.name : `${field.name}_fidx_${field.instance}`;
    for (let i = 0; i < field.count; i++) {
      const value = valueAt(field, i) ?? (field.type === BYTES ? '' : null);
      if (value !== null && !isNoNumber(value)) values.push({ name: i === 0 ? name : `${name}_vidx_${i}`, field, value });
    }
  }
  return values;
}

function isNoNumber(value: FieldScalar): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}

function tagText(values: readonly Value[], { headers, fields }: LineOptions): string {
  let text = '';
  for (const header of headers) text += header.text();
  if (fields?.size === 0) return text;
  for (const { name, field, value } of values) if (fields === null || fields.has(field.name)) text += tag(name, value);
  return text;
}

/** Longer values of headers are not remembered. */
const MAX_REMEMBERED = 100;

/** The tag of a header, which has few different values. */
class HeaderTag {
  readonly #name: string;
  readonly #textOf: (value: string) => string;
  #last = '';
  #lastText = '';

  constructor(name: string) {
    this.#name = name;
    this.#textOf = remembered((value) => tag(name, value));
  }

  /** The tag of the current message; empty when the header is not set. */
  text(): string {
    const value = read_message(this.#name);
    if (typeof value !== 'string') return tag(this.#name, value);
    if (value === this.#last) return this.#lastText;
    const text = this.#textOf(value);
    if (value.length <= MAX_REMEMBERED) {
      this.#last = ownText(value);
      this.#lastText = text;
    }
    return text;
  }
}

function tag(name: string, value: FieldScalar | null): string {
  const text = value === null ? '' : escaped(valueText(value));
  return text === '' ? '' : `,${escaped(name)}=${text}`;
}

function fieldValue(value: FieldScalar, precision: number): string {
  if (typeof value === 'number') return formatFixed(value, precision);
  return typeof value === 'boolean' ? String(value) : `"${quoted(valueText(value))}"`;
}

/** A text between quotes. */
function quoted(text: string): string {
  if (!text.includes('"') && !text.includes('\\')) return text;
  return text.replace(/\\+|"/g, (match, at: number) => {
    if (match === '"') return '\\"';
    const next = text[at + match.length];
    return next === undefined || next === '"' ? match + match : match;
  });
}

/** A name that is likely to come again. */
const escapedName = remembered((name) => escaped(name));

const SPECIAL = /[ ,\n\r\\]/;

function escaped(text: string): string {
  if (!SPECIAL.test(text)) return text;
  let end = text.length;
  while (text[end - 1] === '\\') end--;
  return text.slice(0, end).replace(/[ ,\n\r]/g, (character) => (character === ',' ? '\\,' : '\\ '));
}
