/** The parameters that users know, by name, type and default: configurations that were written for them must go on working. */
import { expect, test } from 'vitest';
import { metaOf } from './support/sandbox.ts';

type Parameter = readonly [type: ParameterMeta['type'], value?: ParameterMeta['default'] | typeof REQUIRED];

const REQUIRED = Symbol('required');

const ROWS: Record<string, Parameter> = { rows: ['uint', 1440] };
const VERSION: Record<string, Parameter> = { preservation_version: ['uint', 0] };
const ANOMALIES: Record<string, Parameter> = { anomaly_config: ['string'] };
const GRAPH: Record<string, Parameter> = { ...ROWS, sec_per_row: ['uint', 60], ...ANOMALIES, ...VERSION };
const LINES: Record<string, Parameter> = {
  decimal_precision: ['string', '6'],
  name_prefix: ['string'],
  name_prefix_delimiter: ['string', ''],
  skip_fields: ['string'],
  source_value_field: ['string'],
  tag_fields: ['string', 'all_base'],
  timestamp_precision: ['string', 'ms'],
  value_field_key: ['string', 'value'],
};

const PARAMETERS: Record<string, Record<string, Parameter>> = {
  'filters/cbufd_aggregator': { enable_delta: ['bool', false], ...ANOMALIES, ...VERSION },
  'filters/cbufd_host_aggregator': {
    max_hosts: ['uint', REQUIRED],
    rows: ['uint', REQUIRED],
    host_expiration: ['uint', 120],
    ...VERSION,
  },
  'filters/procstat': { whitelist: ['string', ''], extras: ['bool', false], percent_integer: ['bool', true] },
  'filters/diskstats': { ...ROWS, ...ANOMALIES },
  'filters/frequent_items': {
    message_variable: ['string', REQUIRED],
    max_items: ['uint', 1000],
    min_output_weight: ['uint', 100],
    reset_days: ['uint', 1],
  },
  'filters/svc_memstat': GRAPH,
  'filters/message_schema': {},
  'filters/process_message_failures': { anomaly_config: ['string', 'mww_nonparametric("DEFAULT", 1, 5, 10, 0.7)'] },
  'filters/http_status': { ...GRAPH, alert_throttle: ['uint', 3600] },
  'filters/influx_batch': { ...LINES, flush_count: ['string', '0'] },
  'filters/loadavg': GRAPH,
  'filters/memstats': GRAPH,
  'filters/mysql_slow_query': GRAPH,
  'filters/stat_graph': {
    title: ['string', 'Stats'],
    rows: ['uint', 300],
    sec_per_row: ['uint', 1],
    stats: ['string', REQUIRED],
    stat_labels: ['string', REQUIRED],
    stat_aggregation: ['string', 'sum'],
    stat_unit: ['string', 'count'],
    ...ANOMALIES,
    ...VERSION,
  },
  'filters/unique_items': { message_variable: ['string', REQUIRED], title: ['string'], enable_delta: ['bool', false], ...VERSION },
  'encoders/alert': {},
  'encoders/cbuf_librato': { message_key: ['string', '%{Logger}:%{payload_name}'] },
  'encoders/es_payload': {
    index: ['string', 'heka-%{%Y.%m.%d}'],
    type_name: ['string', 'message'],
    id: ['string'],
    es_index_from_timestamp: ['bool', false],
  },
  'encoders/schema_influx': {
    series: ['string', 'series'],
    skip_fields: ['string', ''],
    multi_series: ['bool', false],
    exclude_base_fields: ['bool', false],
  },
  'encoders/schema_influx_line': LINES,
  'encoders/statmetric_influx': {},
  'encoders/plain_text': {
    append_newlines: ['bool', true],
    prefix_ts: ['bool', false],
    ts_from_message: ['bool', true],
    ts_format: ['string', '[%Y/%b/%d:%H:%M:%S %z]'],
  },
};

test.each(Object.entries(PARAMETERS))('%s', (plugin, expected) => {
  const { parameters } = metaOf(`${plugin}.ts`);
  const actual = Object.keys(expected).map((name) => {
    const { type, default: value, required } = parameters[name] ?? {};
    return [name, required === true ? [type, REQUIRED] : value === undefined ? [type] : [type, value]];
  });
  expect(Object.fromEntries(actual)).toEqual(expected);
  for (const [name, { required }] of Object.entries(parameters)) if (!(name in expected)) expect(required, name).not.toBe(true);
});
