/** Points of metrics of OTLP in JSON as messages. */
import type { ExactJson, ExactObject } from '../../modules/json.ts';
import type { LogField, LogMessage } from '../../modules/table_writer.ts';
import { addAttributes, addInteger, addJson, addWord } from './otlp_fields.ts';
import { integerOf, numberOf, objectOf, objectsOf, textOf, timeOf } from './otlp_values.ts';

const TEMPORALITIES = ['', 'delta', 'cumulative'];
/** Flag of a point that only says that there is no value. */
const NO_VALUE = 1;
/** Kinds of points that have no value of their own, by their members. */
const HISTOGRAMS = Object.entries({ histogram: 'histogram', exponentialHistogram: 'exponential_histogram', summary: 'summary' });
/** Parts of such points that are kept as JSON. */
const PARTS = Object.entries({ positive: 'positive', negative: 'negative', quantileValues: 'quantile_values' });
const OWN_FIELDS = new Set(
  ['metric', 'kind', 'temporality', 'monotonic', 'value', 'count', 'sum', 'min', 'max', 'bucket_counts', 'explicit_bounds', 'scale'].concat(
    ...['zero_count', 'positive', 'negative', 'quantile_values', 'start_timestamp'],
  ),
);

/** The points of a metric. */
export function pointMessages(metric: ExactObject): LogMessage[] {
  const unit = textOf(metric['unit']) ?? '';
  const name = textOf(metric['name']);
  const named: LogField[] = name === null ? [] : [{ name: 'metric', value: name }];
  const { sum, gauge } = { sum: objectOf(metric['sum']), gauge: objectOf(metric['gauge']) };
  const monotonic: LogField = { name: 'monotonic', value: sum['isMonotonic'] === true };
  return [
    ...messagesOf(sum, [...named, ...kindOf('sum', sum), monotonic], (point) => valueOf(point, unit)),
    ...messagesOf(gauge, [...named, ...kindOf('gauge', gauge)], (point) => valueOf(point, unit)),
    ...HISTOGRAMS.flatMap(([member, kind]) => {
      const histogram = objectOf(metric[member]);
      return messagesOf(histogram, [...named, ...kindOf(kind, histogram)], (point) => histogramOf(point, unit));
    }),
  ];
}

function kindOf(kind: string, { aggregationTemporality }: ExactObject): LogField[] {
  const fields: LogField[] = [{ name: 'kind', value: kind }];
  addWord(fields, 'temporality', aggregationTemporality, TEMPORALITIES, 'AGGREGATION_TEMPORALITY_');
  return fields;
}

/** @param fieldsOf fields of a point; none: it has no value */
function messagesOf(data: ExactObject, shared: readonly LogField[], fieldsOf: (point: ExactObject) => LogField[]): LogMessage[] {
  return objectsOf(data['dataPoints']).flatMap((point) => {
    const { flags } = point;
    const own = typeof flags === 'number' && (flags & NO_VALUE) !== 0 ? [] : fieldsOf(point);
    return own.length === 0 ? [] : [messageOf(point, [...shared, ...own])];
  });
}

function messageOf(point: ExactObject, fields: LogField[]): LogMessage {
  const [start, time] = [timeOf(point['startTimeUnixNano']), timeOf(point['timeUnixNano'])];
  if (start !== null) fields.push({ name: 'start_timestamp', value: start, representation: 'ns' });
  addAttributes(fields, point, OWN_FIELDS);
  const message: LogMessage = { Type: 'otlp.metric', Fields: fields };
  if (time !== null) message.Timestamp = time;
  return message;
}

function valueOf(point: ExactObject, unit: string): LogField[] {
  const value = integerOf(point['asInt']) ?? numberOf(point['asDouble']);
  return value === null ? [] : [withUnit('value', value, unit)];
}

function histogramOf(point: ExactObject, unit: string): LogField[] {
  const count = integerOf(point['count']);
  const fields: LogField[] = count === null ? [] : [{ name: 'count', value: count }];
  for (const name of ['sum', 'min', 'max']) {
    const value = numberOf(point[name]);
    if (value !== null) fields.push(withUnit(name, value, unit));
  }
  addList(fields, 'bucket_counts', point['bucketCounts'], integerOf);
  addList(fields, 'explicit_bounds', point['explicitBounds'], numberOf);
  addInteger(fields, 'scale', point['scale']);
  addInteger(fields, 'zero_count', point['zeroCount']);
  for (const [member, name] of PARTS) addJson(fields, name, point[member]);
  return fields;
}

const withUnit = (name: string, value: number | bigint, unit: string): LogField =>
  unit === '' ? { name, value } : { name, value, representation: unit };

/** Adds a list of numbers that is not empty. */
function addList(fields: LogField[], name: string, list: ExactJson | undefined, read: (value: ExactJson) => number | bigint | null): void {
  if (!Array.isArray(list) || list.length === 0) return;
  const values = (list as readonly ExactJson[]).map(read);
  if (!values.includes(null)) fields.push({ name, value: values as number[] });
}
