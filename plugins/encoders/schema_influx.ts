/**
 * Turns whole messages into JSON for the HTTP interface of InfluxDB 0.8: the column `time` (milliseconds), the headers Type, Payload, Hostname,
 * Pid, Logger, Severity and EnvVersion, then the fields in their order. Bytes and a field named Timestamp are left out; the second and later
 * fields of a name have their number behind it (`s`, `s2`); several values become a list.
 *
 * With multi_series each field is a series of its own, named by series, a dot and the field's name, with its first value in the
 * column `value`; there only bytes are left out.
 *
 * series may hold `%{…}` with the name of a header above or of a field, of which the first value counts; any other text in braces stays as it is
 * written. A bool is written as `true` or `false`.
 */
import { boolConfig, stringConfig } from '../modules/config.ts';
import { BYTES, messageFields, valueText, words, type FieldScalar, type MessageField } from '../base/fields.ts';
import { injectOutput } from '../base/inject.ts';
import { unitsIn } from '../base/instant.ts';
import { formatSignificant } from '../base/number_format.ts';
import { fieldText, firstText, nameText, scalarText } from '../lib/json/json_text.ts';

export const meta: PluginMeta = {
  name: 'schema_influx',
  kind: 'encoder',
  summary: 'Turns whole messages into points of a time series.',
  parameters: {
    series: { type: 'string', summary: 'Name of the series; may hold `%{…}`.', default: 'series' },
    skip_fields: { type: 'string', summary: 'Headers and fields that are left out, separated by blanks.', default: '' },
    multi_series: { type: 'bool', summary: 'One series for each field.', default: false },
    exclude_base_fields: { type: 'bool', summary: 'Leave out all headers.', default: false },
  },
  examples: [
    {
      title: 'a point with some headers',
      config: { series: 'web.%{Hostname}', skip_fields: 'Payload Pid EnvVersion Severity' },
      in: { Timestamp: 54321e9, Type: 'web.access', Hostname: 'box1', Logger: 'nginx', Fields: { status: 200, sizes: [123, 456] } },
      out: {
        Payload:
          '[{"points":[[54321000,"web.access","box1","nginx",200,[123,456]]],"name":"web.box1",' +
          '"columns":["time","Type","Hostname","Logger","status","sizes"]}]',
      },
    },
    {
      title: 'a series for each field',
      config: { multi_series: true, exclude_base_fields: true },
      in: { Timestamp: 54321e9, Fields: { load: 0.5, user: 'alice' } },
      out: {
        Payload:
          '[{"points":[[54321000,0.5]],"name":"series.load","columns":["time","value"]},' +
          '{"points":[[54321000,"alice"]],"name":"series.user","columns":["time","value"]}]',
      },
    },
  ],
};

const HEADERS = ['Type', 'Payload', 'Hostname', 'Pid', 'Logger', 'Severity', 'EnvVersion'];
const PLACE = /%\{([^\s}]*)\}/g;
const DIGITS = 14;
/** Nanoseconds of a tenth of a millisecond. */
const TENTH = 100_000n;
/** More characters are no message that a database takes. */
const MAX_LENGTH = 2 ** 24;

const series = partsOf(stringConfig('series'));
const multiple = boolConfig('multi_series');
const skipped = words(stringConfig('skip_fields'));
const headers = boolConfig('exclude_base_fields') ? [] : HEADERS.filter((name) => !skipped.includes(name));
const skippedFields = new Set(skipped.filter((name) => !HEADERS.includes(name)));
const baseColumns = ['time', ...headers].map((name) => JSON.stringify(name)).join(',');

/** A piece of the series' name: a text, or a place in it and the variable that it is for. */
type Part = readonly [written: string, variable?: string];

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const { 0: written, 1: name = '', index } of text.matchAll(PLACE)) {
    parts.push([text.slice(at, index)], [written, HEADERS.includes(name) ? name : `Fields[${name}]`]);
    at = index + written.length;
  }
  return [...parts, [text.slice(at)]];
}

export function process_message(): ProcessStatus {
  const name = seriesName();
  const fields = messageFields().filter((field) => field.type !== BYTES && !skippedFields.has(field.name));
  const base = baseValues();
  if (multiple && (name.length + base.length) * fields.length > MAX_LENGTH) return [-1, 'the series of the message are too long'];
  const points = multiple ? singlePoints(fields, name, base) : wholePoint(fields, name, base);
  return injectOutput('json', 'influx_message', `[${points}]`);
}

function seriesName(): string {
  let name = '';
  for (const [written, variable] of series) {
    const value: FieldScalar | null = variable === undefined ? null : read_message(variable);
    name += value === null ? written : valueText(value);
  }
  return name;
}

/** The values of the columns that all series have. */
function baseValues(): string {
  let values = String(milliseconds(read_integer('Timestamp') ?? 0n));
  for (const name of headers) values += `,${scalarText(read_message(name))}`;
  return values;
}

/** Times of present days, in nanoseconds, as milliseconds with one decimal, others with as many as DIGITS leaves them. */
function milliseconds(ns: bigint): number {
  const tenths = unitsIn(ns + TENTH / 2n, Number(TENTH));
  return tenths >= 1e13 && tenths < 1e14 ? tenths / 10 : Number(formatSignificant(Number(ns) / 1e6, DIGITS));
}

/** One point with all fields. */
function wholePoint(fields: readonly MessageField[], name: string, base: string): string {
  let [columns, values] = [baseColumns, base];
  for (const field of fields) {
    if (field.name === 'Timestamp') continue;
    columns += `,${nameText(field.instance === 0 ? field.name : `${field.name}${field.instance + 1}`)}`;
    values += `,${fieldText(field)}`;
  }
  return point(scalarText(name), columns, values);
}

/** A point for each field. */
function singlePoints(fields: readonly MessageField[], name: string, base: string): string {
  const start = scalarText(`${name}.`).slice(0, -1);
  let points = '';
  for (const field of fields) {
    const ownName = start + scalarText(field.name).slice(1);
    points += (points === '' ? '' : ',') + point(ownName, `${baseColumns},"value"`, `${base},${firstText(field)}`);
  }
  return points;
}

function point(name: string, columns: string, values: string): string {
  return `{"points":[[${values}]],"name":${name},"columns":[${columns}]}`;
}
