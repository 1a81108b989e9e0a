import { RECORD_TYPE } from '../../plugins/lib/otlp/otlp_names.ts';
import { HEADERS, OPTIONAL_HEADERS } from '../api/headers.ts';
import type { Field, Message } from '../message/types.ts';
import { formatUuid } from '../message/uuid.ts';
import { valueOf } from './any-value.ts';
import { placeOf, type Group } from './field-names.ts';
import { severityNumberOf, severityOf } from './severity.ts';
import { int64, type AnyValue, type KeyValue, type LogRecord, type Origin } from './types.ts';

/** A message as a log record, with what it comes from. */
export interface RecordWithOrigin {
  readonly record: LogRecord;
  readonly origin: Origin;
}

/** A message as it is sent; received again, it is the same but for what docs/otlp.md names. */
export function recordOf(message: Message): RecordWithOrigin {
  const { payload, logger, type = RECORD_TYPE } = message;
  const groups: Readonly<Record<Group, AttributeList>> = {
    record: new AttributeList(),
    resource: new AttributeList(),
    scope: new AttributeList(),
  };
  const parts = new Map<string, Field>();
  for (const field of message.fields) {
    const { group, key, isAttribute } = placeOf(field, payload !== undefined);
    if (isAttribute || parts.has(`${group} ${key}`)) groups[group].add(key, valueOf(field));
    else parts.set(`${group} ${key}`, field);
  }
  const partText = (name: string): string => String(parts.get(name)?.values[0] ?? '');
  const partNumber = (name: string): number => Number(parts.get(name)?.values[0] ?? 0);
  const body = parts.get('record body');
  const severityNumber = partNumber('record severity_number') || (severityNumberOf(message.severity ?? -1) ?? 0);
  addHeaders(groups, message, severityNumber);
  const observed = parts.get('record observed_timestamp')?.values[0];
  const eventName = partText('record event_name');
  return {
    record: {
      timeUnixNano: int64(message.timestamp),
      ...(typeof observed === 'bigint' ? { observedTimeUnixNano: int64(observed) } : {}),
      severityNumber,
      severityText: partText('record severity_text'),
      ...(payload === undefined ? {} : { body: { stringValue: payload } }),
      ...(body === undefined ? {} : { body: valueOf(body) }),
      attributes: groups.record.all,
      droppedAttributesCount: partNumber('record dropped_attributes_count'),
      flags: partNumber('record trace_flags'),
      traceId: Buffer.from(partText('record trace_id'), 'hex'),
      spanId: Buffer.from(partText('record span_id'), 'hex'),
      eventName: eventName !== '' || type === RECORD_TYPE ? eventName : type,
    },
    origin: {
      resource: { attributes: groups.resource.all, droppedAttributesCount: partNumber('resource dropped_attributes_count') },
      resourceSchemaUrl: partText('resource schema_url'),
      scope: {
        name: logger ?? '',
        version: partText('scope version'),
        attributes: groups.scope.all,
        droppedAttributesCount: partNumber('scope dropped_attributes_count'),
      },
      scopeSchemaUrl: partText('scope schema_url'),
    },
  };
}

/** Headers for which records have no place of their own. */
function addHeaders(groups: Readonly<Record<Group, AttributeList>>, message: Message, severityNumber: number): void {
  groups.record.addUnlessThere(HEADERS.uuid.attribute.key, { stringValue: formatUuid(message.uuid) });
  for (const { member, attribute } of HELD_BY_ATTRIBUTES) {
    const value = message[member];
    if (value === undefined || (member === 'severity' && value === severityOf(severityNumber))) continue;
    groups[attribute.of].addUnlessThere(
      attribute.key,
      typeof value === 'string' ? { stringValue: value } : { intValue: int64(BigInt(value)) },
    );
  }
}

const HELD_BY_ATTRIBUTES = OPTIONAL_HEADERS.flatMap(({ member, attribute }) => (attribute === undefined ? [] : [{ member, attribute }]));

/** Attributes of unique keys: what repeats becomes one list, as keys of OTLP may not repeat. */
class AttributeList {
  readonly #values = new Map<string, AnyValue>();

  get all(): readonly KeyValue[] {
    return Array.from(this.#values, ([key, value]) => ({ key, value }));
  }

  add(key: string, value: AnyValue): void {
    const known = this.#values.get(key);
    this.#values.set(key, known === undefined ? value : { arrayValue: { values: [...elementsOf(known), ...elementsOf(value)] } });
  }

  addUnlessThere(key: string, value: AnyValue): void {
    if (!this.#values.has(key)) this.#values.set(key, value);
  }
}

const elementsOf = (value: AnyValue): readonly AnyValue[] => value.arrayValue?.values ?? [value];
