import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logsRequest } from '../../../engine/otlp/request.ts';
import { OtlpType } from '../../../engine/otlp/schema.ts';
import { bigintOf, int64, type AnyValue, type KeyValue, type LogRecord, type Resource, type Scope } from '../../../engine/otlp/types.ts';
import { KEPT_ATTRIBUTES, KEPT_VALUE, messagesOf, RECORD, request, RESOURCE, SCOPE, TEXT } from './fixtures.ts';

/** A record in a form that can be compared. Attributes are a set. */
function plainRecord(record: LogRecord): unknown {
  const { timeUnixNano = int64(0n), observedTimeUnixNano = int64(0n), body, traceId = [], spanId = [], attributes } = record;
  const { severityNumber = 0, severityText = '', droppedAttributesCount = 0, flags = 0, eventName = '' } = record;
  return {
    time: bigintOf(timeUnixNano),
    observed: bigintOf(observedTimeUnixNano),
    severityNumber,
    severityText,
    body: body === undefined || body === null ? null : textOf(body),
    attributes: plainAttributes(attributes),
    droppedAttributesCount,
    flags,
    traceId: [...traceId],
    spanId: [...spanId],
    eventName,
  };
}

/** A value as it was on the wire. */
const textOf = (value: AnyValue): string => Buffer.from(anyValue.encode(value)).toString('hex');
const anyValue = new OtlpType<AnyValue>('AnyValue');

const plainAttributes = (attributes: readonly KeyValue[] = []): unknown =>
  attributes
    .filter(({ key }) => key !== 'log.record.uid')
    .map(({ key = '', value }) => [key, textOf(value ?? {})])
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
    const attributes = KEPT_ATTRIBUTES;
    const kept = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T> =>
      fc.tuple(arbitrary, attributes).map(([it, of]) => ({ ...it, attributes: of }));
    const record = fc
      .tuple(kept(RECORD), fc.option(KEPT_VALUE, { nil: null }), fc.constantFrom('', 'x', 'ü'))
      .map(([it, body, severityText]) => ({ ...it, body, severityText }));
    const one = fc.record({ resource: kept(RESOURCE), schemaUrl: TEXT, scope: kept(SCOPE), scopeUrl: TEXT, record });
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
