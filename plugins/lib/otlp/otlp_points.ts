/** Points of metrics of OTLP in JSON as messages. */
import type { ExactJson, ExactObject } from '../../modules/json.ts';
import type { LogField, LogMessage } from '../../modules/table_writer.ts';
import { addAttributes, addInteger, addWord } from './otlp_fields.ts';
import { integerOf, numberOf, objectOf, objectsOf, textOf, timeOf } from './otlp_values.ts';

const TEMPORALITIES = ['', 'delta', 'cumulative'];
/** Flag of a point that only says that there is no value. */
const NO_VALUE = 1;
/** Kinds of points that have no value of their own, by their members. */
const HISTOGRAMS = Object.entries({ histogram: 'histogram', exponentialHistogram: 'exponential_histogram', summary: 'summary' });

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
      return messagesOf(histogram, [...named, ...kindOf(kind, histogram)], (point) => histogramOf(point, unit, kind === 'summary'));
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
  addAttributes(fields, objectsOf(point['attributes']), 'point');
  const message: LogMessage = { Type: 'otlp.metric', Fields: fields };
  if (time !== null) message.Timestamp = time;
  return message;
}

function valueOf(point: ExactObject, unit: string): LogField[] {
  const value = integerOf(point['asInt']) ?? numberOf(point['asDouble']);
  return value === null ? [] : [withUnit('value', value, unit)];
}

/** Numbers that are 0 are not written in protobuf, unless the schema says that they may be missing: those of a summary may not. */
function histogramOf(point: ExactObject, unit: string, isSummary: boolean): LogField[] {
  const fields: LogField[] = [{ name: 'count', value: integerOf(point['count']) ?? 0n }];
  for (const name of ['sum', 'min', 'max']) {
    const value = numberOf(point[name]) ?? (isSummary && name === 'sum' ? 0 : null);
    if (value !== null) fields.push(withUnit(name, value, unit));
  }
  addList(fields, 'bucket_counts', listOf(point['bucketCounts']).map(integerOf));
  addList(fields, 'explicit_bounds', listOf(point['explicitBounds']).map(numberOf));
  addInteger(fields, 'scale', point['scale']);
  addInteger(fields, 'zero_count', point['zeroCount']);
  for (const side of ['positive', 'negative']) addBuckets(fields, side, objectOf(point[side]));
  const quantiles = objectsOf(point['quantileValues']);
  addList(
    fields,
    'quantiles',
    quantiles.map(({ quantile }) => numberOf(quantile) ?? 0),
  );
  const values = quantiles.map(({ value }) => numberOf(value) ?? 0);
  if (values.length > 0) fields.push({ ...withUnit('quantile_values', 0, unit), value: values });
  return fields;
}

/** Adds the counts of the buckets on one side of 0. */
function addBuckets(fields: LogField[], side: string, { offset, bucketCounts }: ExactObject): void {
  const counts = listOf(bucketCounts).map(integerOf);
  if (counts.length === 0) return;
  fields.push({ name: `${side}_offset`, value: integerOf(offset) ?? 0n });
  addList(fields, `${side}_counts`, counts);
}

const withUnit = (name: string, value: number | bigint, unit: string): LogField =>
  unit === '' ? { name, value } : { name, value, representation: unit };

const listOf = (list: ExactJson | undefined): readonly ExactJson[] => (Array.isArray(list) ? (list as readonly ExactJson[]) : []);

/** Adds a list that is not empty, unless something in it is no number. */
function addList(fields: LogField[], name: string, values: readonly (number | bigint | null)[]): void {
  if (values.length > 0 && !values.includes(null)) fields.push({ name, value: values as number[] });
}
