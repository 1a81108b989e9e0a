import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logsRequest } from '../../../engine/otlp/request.ts';
import { ValueType, type Field, type Message } from '../../../engine/message/types.ts';
import { request, messagesOf, TEXT } from './fixtures.ts';

const FIELD_NAME = fc
  .string({ minLength: 1, maxLength: 10 })
  .filter((name) => !['body', 'event_name', 'host.name', 'severity_number'].includes(name));

const FIELD: fc.Arbitrary<Field> = fc.oneof(
  fc.record({ name: FIELD_NAME, valueType: fc.constant(ValueType.STRING), values: fc.array(TEXT, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    name: FIELD_NAME,
    valueType: fc.constant(ValueType.INTEGER),
    values: fc.array(fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ name: FIELD_NAME, valueType: fc.constant(ValueType.DOUBLE), values: fc.array(fc.double(), { minLength: 1, maxLength: 3 }) }),
  fc.record({ name: FIELD_NAME, valueType: fc.constant(ValueType.BOOL), values: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }) }),
  fc.record({
    name: FIELD_NAME,
    valueType: fc.constant(ValueType.BYTES),
    values: fc.array(fc.uint8Array({ maxLength: 4 }), { minLength: 1, maxLength: 1 }),
  }),
);

describe('messages', () => {
  it('come out of OTLP as they went in', () => {
    const message: fc.Arbitrary<Message> = fc
      .record({
        uuid: fc.uint8Array({ minLength: 16, maxLength: 16 }),
        timestamp: fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }).filter((ns) => ns !== 0n),
        type: TEXT.filter((text) => text !== ''),
        logger: fc.option(
          TEXT.filter((text) => text !== ''),
          { nil: undefined },
        ),
        severity: fc.option(fc.oneof(fc.integer({ min: 0, max: 7 }), fc.integer()), { nil: undefined }),
        payload: fc.option(TEXT, { nil: undefined }),
        envVersion: fc.option(TEXT, { nil: undefined }),
        pid: fc.option(fc.integer(), { nil: undefined }),
        hostname: fc.option(TEXT, { nil: undefined }),
        fields: fc.uniqueArray(FIELD, { maxLength: 6, selector: ({ name }) => name }),
      })
      .map((each) => Object.fromEntries(Object.entries(each).filter(([, value]) => value !== undefined)) as unknown as Message);
    fc.assert(
      fc.property(message, (sent) => {
        expect(messagesOf(logsRequest([sent]))).toEqual([sent]);
      }),
    );
  });

  it('are grouped by where they come from, and none is lost', () => {
    const few = fc.record({ host: fc.constantFrom('a', 'b'), logger: fc.constantFrom('x', 'y'), number: fc.nat() });
    fc.assert(
      fc.property(fc.array(few, { maxLength: 20 }), (list) => {
        const sent = list.map(({ host, logger, number }): Message => {
          const values = [BigInt(number)];
          return { uuid: new Uint8Array(16), timestamp: 1n, hostname: host, logger, fields: [{ name: 'n', valueType: 2, values }] };
        });
        const bytes = logsRequest(sent);
        const { resourceLogs } = request.decode(bytes);
        expect(resourceLogs).toHaveLength(new Set(list.map(({ host }) => host)).size);
        const texts = (messages: readonly Message[]): string[] =>
          messages.map(({ hostname, logger, fields }) => `${hostname} ${logger} ${String(fields[0]?.values[0])}`).sort();
        expect(texts(messagesOf(bytes))).toEqual(texts(sent));
      }),
    );
  });
});
