/**
 * Turns whole messages into JSON for the HTTP interface of InfluxDB 0.8: the column `time` (milliseconds), the headers Type, Payload, Hostname,
 * Pid, Logger, Severity and EnvVersion, then the fields in their order. Bytes and a field named Timestamp are left out; the second and later
 * fields of a name have their number behind it (`s`, `s2`); several values become a list.
 *
 * With multi_series each field is a series of its own, named by series, a dot and the field's name, with its first value in the
 * column `value`; there only bytes are left out.
 *
 * series may hold `%{…}` with the name of a header above or of a field, of which the first value counts; what is neither stays as it is
 * written. A bool is written as `true` or `false`.
 */
import { boolConfig, stringConfig } from '../modules/config.ts';
import { BYTES, messageFields, valueText, valuesOf, words, type FieldScalar, type MessageField } from '../modules/fields.ts';
import { injectOutput } from '../modules/inject.ts';

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

type Columns = [name: string, value: unknown][];

const HEADERS = ['Type', 'Payload', 'Hostname', 'Pid', 'Logger', 'Severity', 'EnvVersion'];
const PLACE = /%\{([^\s}]*)\}/g;
const DIGITS = 14;

const series = stringConfig('series', 'series');
const multiple = boolConfig('multi_series', false);
const skipped = words(stringConfig('skip_fields', ''));
const headers = boolConfig('exclude_base_fields', false) ? [] : HEADERS.filter((name) => !skipped.includes(name));
const skippedFields = new Set(skipped.filter((name) => !HEADERS.includes(name)));

export function process_message(): ProcessStatus {
  const name = series.replace(PLACE, (written, variable: string) => seriesText(variable) ?? written);
  const fields = messageFields().filter((field) => field.type !== BYTES && !skippedFields.has(field.name));
  const base = baseColumns();
  const points = multiple ? fields.map((field) => pointOf(field, name, base)) : [point(name, [...base, ...fieldColumns(fields)])];
  return injectOutput('json', 'influx_message', JSON.stringify(points));
}

function seriesText(variable: string): string | null {
  const value: FieldScalar | null = read_message(HEADERS.includes(variable) ? variable : `Fields[${variable}]`);
  return value === null ? null : valueText(value);
}

function baseColumns(): Columns {
  const milliseconds = (read_message('Timestamp') ?? 0) / 1e6;
  return [['time', Number(milliseconds.toPrecision(DIGITS))], ...headers.map((name): Columns[0] => [name, read_message(name)])];
}

function fieldColumns(fields: readonly MessageField[]): Columns {
  return fields
    .filter(({ name }) => name !== 'Timestamp')
    .map((field) => {
      const name = field.instance === 0 ? field.name : `${field.name}${field.instance + 1}`;
      return [name, field.count === 1 ? field.value : valuesOf(field)];
    });
}

function pointOf(field: MessageField, name: string, base: Columns): object {
  return point(`${name}.${field.name}`, [...base, ['value', field.value]]);
}

function point(name: string, columns: Columns): object {
  return { points: [columns.map(([, value]) => value)], name, columns: columns.map(([column]) => column) };
}
