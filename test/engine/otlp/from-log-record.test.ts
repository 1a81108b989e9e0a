import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logsRequest } from '../../../engine/otlp/request.ts';
import { jsonOf } from '../../../engine/otlp/any-value.ts';
import { bigintOf, int64, type KeyValue, type LogRecord, type Resource, type Scope } from '../../../engine/otlp/types.ts';
import { request, messagesOf, TEXT, SCOPE, RESOURCE, RECORD } from './fixtures.ts';

/** A record in a form that can be compared. Attributes are a set. */
function plainRecord(record: LogRecord): unknown {
  const { timeUnixNano = int64(0n), observedTimeUnixNano = int64(0n), body, traceId = [], spanId = [], attributes } = record;
  const { severityNumber = 0, severityText = '', droppedAttributesCount = 0, flags = 0, eventName = '' } = record;
  return {
    time: bigintOf(timeUnixNano),
    observed: bigintOf(observedTimeUnixNano),
    severityNumber,
    severityText,
    body: body === undefined || body === null ? null : jsonOf(body),
    attributes: plainAttributes(attributes),
    droppedAttributesCount,
    flags,
    traceId: [...traceId],
    spanId: [...spanId],
    eventName,
  };
}

const plainAttributes = (attributes: readonly KeyValue[] = []): unknown =>
  attributes
    .filter(({ key }) => key !== 'log.record.uid')
    .map(({ key = '', value }) => [key, JSON.stringify(jsonOf(value ?? {}))])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));

const plainOrigin = (resource: Resource = {}, resourceUrl = '', scope: Scope = {}, scopeUrl = ''): unknown => [
  [plainAttributes(resource.attributes), resource.droppedAttributesCount ?? 0, resourceUrl],
  [scope.name ?? '', scope.version ?? '', plainAttributes(scope.attributes), scope.droppedAttributesCount ?? 0, scopeUrl],
];

function plainRequest(bytes: Uint8Array): unknown[] {
  return request
    .decode(bytes)
    .resourceLogs.flatMap(({ resource, schemaUrl, scopeLogs }) =>
      scopeLogs.flatMap((each) =>
        each.logRecords.map((record) => [plainOrigin(resource, schemaUrl, each.scope, each.schemaUrl), plainRecord(record)]),
      ),
    );
}

describe('log records of OTLP', () => {
  it('come out as they went in', () => {
    const one = fc.record({ resource: RESOURCE, schemaUrl: TEXT, scope: SCOPE, scopeUrl: TEXT, record: RECORD });
    fc.assert(
      fc.property(one, ({ resource: of, schemaUrl, scope: by, scopeUrl, record }) => {
        const sent = request.encode({
          resourceLogs: [{ resource: of, schemaUrl, scopeLogs: [{ scope: by, schemaUrl: scopeUrl, logRecords: [record] }] }],
        });
        expect(plainRequest(logsRequest(messagesOf(sent)))).toEqual(plainRequest(sent));
      }),
    );
  });
});
