/**
 * Turns messages of Type `svc.statmetric`, which carry statistics in fields, into JSON for the HTTP interface of InfluxDB 0.8: a series
 * for each field with its first value at Fields[timestamp] (seconds). Bytes are left out. A message without a time is refused.
 */
import { BYTES, messageFields } from '../base/fields.ts';
import { injectOutput } from '../base/inject.ts';
import { firstText, nameText, scalarText } from '../lib/json/json_text.ts';

export const meta: PluginMeta = {
  name: 'statmetric_influx',
  kind: 'encoder',
  summary: 'Turns statistics into a series of points for each.',
  parameters: {},
  examples: [
    {
      title: 'a counter',
      in: {
        Type: 'svc.statmetric',
        Fields: { timestamp: 1614949679, 'stats.counters.hits.count': 5, 'stats.counters.hits.rate': 0.5 },
      },
      out: {
        Payload:
          '[{"points":[[1614949679000,5]],"name":"stats.counters.hits.count","columns":["time","value"]},' +
          '{"points":[[1614949679000,0.5]],"name":"stats.counters.hits.rate","columns":["time","value"]}]',
      },
    },
    { title: 'no time', in: { Fields: { hits: 1 } }, fails: 'timestamp is not a number' },
  ],
};

const TIME = 'timestamp';
const refusal: ProcessStatus = [-1, 'timestamp is not a number'];

export function process_message(): ProcessStatus {
  const timestamp = read_message(`Fields[${TIME}]`);
  const seconds = typeof timestamp === 'string' && timestamp.trim() !== '' ? Number(timestamp) : timestamp;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return refusal;
  const time = scalarText(seconds * 1000);
  const series = messageFields()
    .filter(({ name, type }) => name !== TIME && type !== BYTES)
    .map((field) => `{"points":[[${time},${firstText(field)}]],"name":${nameText(field.name)},"columns":["time","value"]}`);
  return injectOutput('json', 'influx_stats', `[${series.join(',')}]`);
}
