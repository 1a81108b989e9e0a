/** Names of the fields of messages that are made of OTLP, which attributes could have as well. */

/** The part of a request that an attribute is of. */
export type Part = 'record' | 'span' | 'point' | 'resource' | 'scope';

/** Type of messages from records without an event name. */
export const RECORD_TYPE = 'otlp.log';
/** Beginnings of the names of fields, by the part. */
export const PREFIXES: Readonly<Record<Part, string>> = { record: '', span: '', point: '', resource: 'resource.', scope: 'scope.' };
/** Stands before the key of an attribute whose field would be taken for something else. */
export const ESCAPE = 'attributes.';

const COUNT = 'dropped_attributes_count';

/** Names of the fields that are no attributes, behind the prefix of their part. */
const OWN: Readonly<Record<Part, ReadonlySet<string>>> = {
  record: new Set(
    [COUNT, 'body', 'severity_text', 'severity_number', 'trace_id', 'span_id'].concat('trace_flags', 'observed_timestamp', 'event_name'),
  ),
  span: new Set(
    ['trace_id', 'span_id', 'parent_span_id', 'trace_state', 'kind'].concat('duration', 'status', 'status_message', 'events', 'links'),
  ),
  point: new Set(
    [
      'metric',
      'kind',
      'temporality',
      'monotonic',
      'value',
      'count',
      'sum',
      'min',
      'max',
      'bucket_counts',
      'explicit_bounds',
      'scale',
    ].concat(
      ...['zero_count', 'positive_offset', 'positive_counts', 'negative_offset', 'negative_counts', 'quantiles', 'quantile_values'],
      'start_timestamp',
    ),
  ),
  resource: new Set([COUNT, 'schema_url']),
  scope: new Set([COUNT, 'schema_url', 'version']),
};

/** Whether a field of this name, behind the prefix, is no attribute. @param hasText the body of a record is its Payload */
export function isOwn(part: Part, core: string, hasText: boolean): boolean {
  if (OWN[part].has(core)) return core !== 'body' || !hasText;
  return PREFIXES[part] === '' && (core.startsWith(PREFIXES.resource) || core.startsWith(PREFIXES.scope));
}

export function withoutEscapes(key: string): string {
  let at = 0;
  while (key.startsWith(ESCAPE, at)) at += ESCAPE.length;
  return at === 0 ? key : key.slice(at);
}
