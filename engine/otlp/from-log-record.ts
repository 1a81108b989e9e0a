import { HEADERS } from '../api/headers.ts';
import { ValueType, type Field, type Message } from '../message/types.ts';
import { parseUuid } from '../message/uuid.ts';
import { randomUuid } from '../message/random-uuid.ts';
import { fieldOf, has } from './any-value.ts';
import { partName, RECORD_TYPE } from './field-names.ts';
import { Attributes, countPart, integerField, textPart, type OriginHead } from './origin.ts';
import { severityNumberOf, severityOf } from './severity.ts';
import { bigintOf, type Int64, type LogRecord } from './types.ts';

/**
 * A log record as a message. The page docs/otlp.md has the table.
 * @param receivedNs time of a record that has none
 */
export function messageOfRecord(record: LogRecord, { fields: originFields, ...head }: OriginHead, receivedNs: bigint): Message {
  const { severityNumber = 0, body, eventName = '' } = record;
  const attributes = new Attributes(record.attributes);
  const uid = attributes.takeText(HEADERS.uuid.attribute.key, isUuid);
  const own = attributes.takeHeaders('record');
  const payload = body !== undefined && body !== null && has(body, 'stringValue') ? body.stringValue : undefined;
  const hasPayload = payload !== undefined;
  return {
    uuid: (uid === null ? null : parseUuid(uid)) ?? randomUuid(),
    timestamp: timeOf(record.timeUnixNano) ?? timeOf(record.observedTimeUnixNano) ?? receivedNs,
    type: eventName === '' ? RECORD_TYPE : eventName,
    ...head,
    ...own,
    severity: own.severity ?? severityOf(severityNumber),
    payload,
    fields: [
      ...attributes.fields('record', hasPayload),
      ...(hasPayload || body === undefined || body === null ? [] : [fieldOf(partName('record', 'body'), body)]),
      ...partsOf(record),
      ...originFields,
    ],
  };
}

/** The time of a record; null: unknown. */
export function timeOf(time: Int64 | undefined): bigint | null {
  const ns = time === undefined ? 0n : bigintOf(time);
  return ns === 0n ? null : ns;
}

function partsOf(record: LogRecord): Field[] {
  const { severityNumber = 0, severityText, traceId, spanId, flags, eventName, droppedAttributesCount } = record;
  const observed = timeOf(record.observedTimeUnixNano);
  const isPlain = severityNumberOf(severityOf(severityNumber) ?? -1) === severityNumber;
  return [
    ...textPart('record', 'severity_text', severityText),
    ...(isPlain || severityNumber === 0 ? [] : [integerField('severity_number', BigInt(severityNumber))]),
    ...hexPart('trace_id', traceId, 16),
    ...hexPart('span_id', spanId, 8),
    ...countPart('record', 'trace_flags', flags),
    ...(observed === null ? [] : [integerField('observed_timestamp', observed, 'ns')]),
    ...(eventName === RECORD_TYPE ? textPart('record', 'event_name', eventName) : []),
    ...countPart('record', 'dropped_attributes_count', droppedAttributesCount),
  ];
}

/** An id in hexadecimal; one of another length, or of zeros, is none (W3C Trace Context). */
function hexPart(name: string, id: Uint8Array | undefined, length: number): Field[] {
  if (id?.length !== length || id.every((byte) => byte === 0)) return [];
  return [{ name, valueType: ValueType.STRING, values: [Buffer.from(id).toString('hex')] }];
}

/** In the form that is written again for it. */
const isUuid = (text: string): boolean => text === text.toLowerCase() && text.length === 36 && parseUuid(text) !== null;
