/**
 * Writes each message as one line of flat JSON for search tools, `jq` and data frames: the headers that are set, then the fields.
 *
 * Fields that have a header's name, and the second and later fields of a name, have a number behind their name (`Type2`, `user2`). Several values
 * become a list, bytes become base64, and NaN and infinities become null. With nested_fields all fields are in one object of that name. For the
 * complete form, from which messages can be read back, use the built-in encoder `json`.
 */
import { stringConfig } from '../modules/config.ts';
import { DateFormat } from '../modules/date_format.ts';
import { ownText } from '../base/excerpt.ts';
import { messageFields, words, type MessageField } from '../base/fields.ts';
import { HEADERS } from '../base/headers.ts';
import { injectOutput } from '../base/inject.ts';
import { fieldText, nameText, scalarText } from '../lib/json/json_text.ts';

export const meta: PluginMeta = {
  name: 'json_lines',
  kind: 'encoder',
  summary: 'Writes each message as a flat line of JSON.',
  parameters: {
    timestamp: {
      type: 'string',
      summary: 'Form of the Timestamp: rfc3339, in UTC, or a number of these units.',
      default: 'rfc3339',
      values: ['rfc3339', 's', 'ms', 'us', 'ns'],
    },
    skip_fields: { type: 'string', summary: 'Headers and fields that are left out, separated by blanks.', default: '' },
    nested_fields: { type: 'string', summary: 'Name of the object that holds the fields; they are beside the headers when it is not set.' },
  },
  examples: [
    {
      title: 'a request',
      in: {
        Timestamp: 1614949679.25e9,
        Type: 'web.access',
        Hostname: 'box1',
        Fields: { status: 200, user: 'alice', tags: ['a', 'b'] },
      },
      out: {
        Payload:
          '{"Timestamp":"2021-03-05T13:07:59.25Z","Type":"web.access","Hostname":"box1","status":200,"user":"alice","tags":["a","b"]}\n',
      },
    },
    {
      title: 'fields apart from headers',
      config: { timestamp: 'ms', nested_fields: 'fields', skip_fields: 'Payload' },
      in: { Timestamp: 1614949679.25e9, Payload: 'GET /', Fields: { status: 200 } },
      out: { Payload: '{"Timestamp":1614949679250,"fields":{"status":200}}\n' },
    },
  ],
};

const TIMESTAMP = 'Timestamp';
const UNITS: Readonly<Record<string, number>> = { s: 1e9, ms: 1e6, us: 1e3 };
const RFC3339 = new DateFormat('%Y-%m-%dT%H:%M:%S');

const timestampForm = stringConfig('timestamp');
const skipped = new Set(words(stringConfig('skip_fields')));
const nested = stringConfig('nested_fields', null);
const nestedHead = nested === null ? '' : `${JSON.stringify(nested)}:`;

/** Longer values of headers are not remembered. */
const MAX_REMEMBERED = 100;

/** A header of the messages. Most have few different values. */
class Header {
  readonly name: string;
  readonly head: string;
  readonly #isRemembered: boolean;
  #last = '';
  #lastText = '';

  constructor(name: string) {
    this.name = name;
    this.head = `"${name}":`;
    this.#isRemembered = name !== 'Payload';
  }

  /** The value in the current message as JSON; empty when the header is not set. */
  value(): string {
    if (this.name === TIMESTAMP) return timestamp();
    const value = read_message(this.name);
    if (value === null || value === '') return '';
    if (value === this.#last) return this.#lastText;
    const text = scalarText(value);
    if (this.#isRemembered && typeof value === 'string' && value.length <= MAX_REMEMBERED) {
      this.#last = ownText(value);
      this.#lastText = text;
    }
    return text;
  }
}

const headers = [TIMESTAMP, ...HEADERS].filter((name) => !skipped.has(name)).map((name) => new Header(name));

export function process_message(): ProcessStatus {
  const fields = fieldMembers(messageFields());
  let line = '';
  let isNested = false;
  for (const header of headers) {
    const value = header.value();
    if (value === '') continue;
    const isReplaced = header.name === nested;
    isNested ||= isReplaced;
    line += (line === '' ? '' : ',') + header.head + (isReplaced ? `{${fields}}` : value);
  }
  const rest = nested === null ? fields : isNested ? '' : `${nestedHead}{${fields}}`;
  if (rest !== '') line += (line === '' ? '' : ',') + rest;
  return injectOutput('json', '', `{${line}}\n`);
}

/** Places of the fields of messages that have the same names in the same order. */
interface Layout {
  readonly names: readonly string[];
  /** The member of each field; -1: it is left out. A member that several fields have gets the value of the last one. */
  readonly places: readonly number[];
  /** Texts in front of the value of each member. */
  readonly heads: readonly string[];
}

/** The layout of the message before. */
let layout: Layout = { names: [], places: [], heads: [] };

/** The members for the fields, with commas between them. */
function fieldMembers(fields: readonly MessageField[]): string {
  if (!hasLayout(fields)) layout = layoutOf(fields);
  const { places, heads } = layout;
  const values: string[] = [];
  for (let i = 0; i < fields.length; i++) {
    const place = places[i] as number;
    if (place >= 0) values[place] = fieldText(fields[i] as MessageField);
  }
  let text = '';
  for (let i = 0; i < heads.length; i++) text += (heads[i] as string) + (values[i] as string);
  return text;
}

function hasLayout(fields: readonly MessageField[]): boolean {
  const { names } = layout;
  if (fields.length !== names.length) return false;
  for (let i = 0; i < names.length; i++) if ((fields[i] as MessageField).name !== names[i]) return false;
  return true;
}

function layoutOf(fields: readonly MessageField[]): Layout {
  const members = new Map<string, number>();
  const places = fields.map((field) => {
    if (skipped.has(field.name)) return -1;
    const name = nameOf(field);
    const place = members.get(name) ?? members.size;
    members.set(name, place);
    return place;
  });
  const heads = Array.from(members.keys(), (name, i) => `${i === 0 ? '' : ','}${nameText(name)}:`);
  return { names: fields.map(({ name }) => name), places, heads };
}

function timestamp(): string {
  if (timestampForm === 'ns') return String(read_integer(TIMESTAMP));
  const ns = read_message(TIMESTAMP) ?? 0;
  const unit = UNITS[timestampForm];
  if (unit !== undefined) return String(Number((ns / unit).toPrecision(16)));
  // Doubles hold present-day times to some 200 ns.
  const micros = Math.round(ns / 1e3);
  const seconds = Math.floor(micros / 1e6);
  return `"${RFC3339.text(seconds)}${fractionOf(micros - seconds * 1e6)}Z"`;
}

/** The point and the digits of so many microseconds; nothing without any. */
function fractionOf(micros: number): string {
  if (micros === 0) return '';
  let digits = 6;
  let rest = micros;
  for (; rest % 10 === 0; rest /= 10) digits--;
  return `.${String(rest).padStart(digits, '0')}`;
}

function nameOf({ name, instance }: MessageField): string {
  const taken = nested === null && (HEADERS.includes(name) || name === TIMESTAMP) ? 1 : 0;
  return instance + taken === 0 ? name : `${name}${instance + taken + 1}`;
}
