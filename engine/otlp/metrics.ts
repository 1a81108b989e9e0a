import { ValueType, type Field, type Message } from '../message/types.ts';
import { randomUuid } from '../message/random-uuid.ts';
import { fieldOf } from './any-value.ts';
import { timeOf } from './from-log-record.ts';
import { integerField, textPart, type OriginHead } from './origin.ts';
import { TEMPORALITIES } from './temporality.ts';
import { bigintOf, type Metric, type NumberDataPoint } from './types.ts';

/** Type of the messages. */
const METRIC_TYPE = 'otlp.metric';

/** Names of the fields that are no attributes. */
const OWN = new Set(['metric', 'value', 'kind', 'temporality', 'monotonic', 'start_timestamp']);
/** Flag of a point that only says that there is no value. */
const NO_VALUE = 1;

/** The messages of a metric, one for each point. */
export interface MetricMessages {
  readonly messages: readonly Message[];
  /** Points for which there is no message: those of histograms and summaries. */
  readonly rejected: number;
}

/** The points of a sum or a gauge as messages. */
export function messagesOfMetric(metric: Metric, head: OriginHead, receivedNs: bigint): MetricMessages {
  const { gauge, sum, histogram, exponentialHistogram, summary } = metric;
  const rejected = [histogram, exponentialHistogram, summary].reduce((points, each) => points + (each?.dataPoints?.length ?? 0), 0);
  const points = sum?.dataPoints ?? gauge?.dataPoints ?? [];
  const ofMetric = fieldsOfMetric(metric);
  const messages: Message[] = [];
  for (const point of points) {
    const value = valueField(point, metric.unit ?? '');
    if (value !== null) messages.push(messageOfPoint(point, value, ofMetric, head, receivedNs));
  }
  return { messages, rejected };
}

function messageOfPoint(point: NumberDataPoint, value: Field, ofMetric: readonly Field[], head: OriginHead, receivedNs: bigint): Message {
  const start = timeOf(point.startTimeUnixNano);
  const { fields: originFields, ...headers } = head;
  const attributes = (point.attributes ?? []).map(({ key = '', value: of }) => fieldOf(OWN.has(key) ? `attributes.${key}` : key, of ?? {}));
  return {
    uuid: randomUuid(),
    timestamp: timeOf(point.timeUnixNano) ?? receivedNs,
    type: METRIC_TYPE,
    ...headers,
    fields: [...ofMetric, value, ...(start === null ? [] : [integerField('start_timestamp', start, 'ns')]), ...attributes, ...originFields],
  };
}

function fieldsOfMetric({ name, sum }: Metric): Field[] {
  const named = textPart('record', 'metric', name);
  if (sum === undefined || sum === null) return [...named, ...textPart('record', 'kind', 'gauge')];
  return [
    ...named,
    ...textPart('record', 'kind', 'sum'),
    ...textPart('record', 'temporality', TEMPORALITIES[sum.aggregationTemporality ?? 0]),
    { name: 'monotonic', valueType: ValueType.BOOL, values: [sum.isMonotonic === true] },
  ];
}

/** null: the point has no value. */
function valueField(point: NumberDataPoint, representation: string): Field | null {
  const { asDouble, asInt, flags = 0 } = point;
  if ((flags & NO_VALUE) !== 0) return null;
  if (Object.hasOwn(point, 'asInt') && asInt !== undefined) return integerField('value', bigintOf(asInt), representation);
  if (!Object.hasOwn(point, 'asDouble') || asDouble === undefined) return null;
  return { name: 'value', valueType: ValueType.DOUBLE, representation, values: [asDouble] };
}
