import { describe, expect, it } from 'vitest';
import { spanMessage } from '../../../../plugins/lib/otlp/otlp_spans.ts';
import type { LogMessage } from '../../../../plugins/modules/table_writer.ts';

const pair = (key: string, value: object) => ({ key, value: value as { stringValue: string } });

function plain({ Fields = [], ...headers }: LogMessage): Record<string, unknown> {
  return {
    ...headers,
    ...Object.fromEntries(Fields.map(({ name, value, representation: form }) => [name, form === undefined ? value : [value, form]])),
  };
}

describe('spanMessage', () => {
  it('has its duration, kind and status', () => {
    const span = {
      name: 'GET /',
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      parentSpanId: '',
      kind: 2,
      startTimeUnixNano: '1000000000',
      endTimeUnixNano: '1250000000',
      status: { code: 'STATUS_CODE_ERROR', message: 'no' },
      events: [{ name: 'x', timeUnixNano: 7, attributes: [pair('n', { intValue: '9007199254740993' })] }, {}],
      links: [{ traceId: 'ab', spanId: '', attributes: [] }],
    };
    expect(plain(spanMessage(span))).toEqual({
      Type: 'otlp.span',
      Timestamp: 1000000000n,
      Payload: 'GET /',
      Severity: 3,
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      span_id: 'b7ad6b7169203331',
      kind: 'server',
      duration: [0.25, 's'],
      status: 'error',
      status_message: 'no',
      events: ['[{"timeUnixNano":"7","name":"x","attributes":{"n":9007199254740993}},{}]', 'json'],
      links: ['[{"traceId":"ab"}]', 'json'],
    });
  });

  it('of nothing is empty', () => expect(spanMessage({})).toEqual({ Type: 'otlp.span', Fields: [] }));
});
