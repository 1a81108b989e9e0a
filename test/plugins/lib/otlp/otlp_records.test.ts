import { describe, expect, it } from 'vitest';
import { originOf, recordMessage, spanMessage } from '../../../../plugins/lib/otlp/otlp_records.ts';
import type { LogField, LogMessage } from '../../../../plugins/modules/table_writer.ts';

const pair = (key: string, value: object) => ({ key, value: value as { stringValue: string } });

function plain({ Fields = [], ...headers }: LogMessage): Record<string, unknown> {
  return { ...headers, ...byName(Fields) };
}

function byName(fields: readonly LogField[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, value, representation: form }) => [name, form === undefined ? value : [value, form]]));
}

describe('originOf', () => {
  it('takes headers from the resource and the scope', () => {
    const attributes = [
      pair('host.name', { stringValue: 'box1' }),
      pair('process.pid', { intValue: '7' }),
      pair('os', { stringValue: 'x' }),
    ];
    const { head, fields } = originOf({ attributes }, { name: 'shop', version: '1', attributes: [pair('a', { boolValue: true })] });
    expect(head).toEqual({ Logger: 'shop', Hostname: 'box1', Pid: 7 });
    expect(byName(fields)).toEqual({ 'scope.version': '1', 'scope.a': true, 'resource.os': 'x' });
  });

  it('leaves what is no header among the fields', () => {
    const attributes = [
      pair('host.name', { intValue: 1 }),
      pair('process.pid', { intValue: -1 }),
      pair('process.pid', { intValue: '2147483648' }),
    ];
    const { head, fields } = originOf({ attributes }, {});
    expect(head).toEqual({});
    expect(fields.map(({ name }) => name)).toEqual(['resource.host.name', 'resource.process.pid', 'resource.process.pid']);
  });
});

describe('recordMessage', () => {
  it('has headers and fields', () => {
    const record = {
      timeUnixNano: '1614949679000000000',
      observedTimeUnixNano: '1614949680000000000',
      severityNumber: 17,
      severityText: 'ERROR',
      body: { stringValue: 'no' },
      traceId: 'ab',
      flags: 1,
      attributes: [pair('status', { intValue: '404' }), pair('body', { stringValue: 'x' })],
    };
    expect(plain(recordMessage(record))).toEqual({
      Timestamp: 1614949679000000000n,
      Type: 'otlp.log',
      Severity: 3,
      Payload: 'no',
      status: 404n,
      'attributes.body': 'x',
      severity_text: 'ERROR',
      trace_id: 'ab',
      trace_flags: 1n,
      observed_timestamp: [1614949680000000000n, 'ns'],
    });
  });

  it.each<[number: string | number | undefined, text: string | undefined, severity: number | undefined, own: bigint | undefined]>([
    [1, undefined, 7, 1n],
    [5, undefined, 7, undefined],
    [9, undefined, 6, undefined],
    [10, undefined, 5, undefined],
    [14, undefined, 4, 14n],
    [24, undefined, 0, 24n],
    ['SEVERITY_NUMBER_WARN', undefined, 4, undefined],
    ['SEVERITY_NUMBER_ERROR2', undefined, 2, undefined],
    [25, 'warn', 4, undefined],
    [0, 'nothing known', undefined, undefined],
    [undefined, undefined, undefined, undefined],
  ])('severity %s %s', (number, text, severity, own) => {
    const message = recordMessage({
      ...(number === undefined ? {} : { severityNumber: number }),
      ...(text === undefined ? {} : { severityText: text }),
    });
    expect([message.Severity, byName(message.Fields ?? [])['severity_number']]).toEqual([severity, own]);
  });

  it('has the observed time where there is no other, and the name of an event', () => {
    expect(plain(recordMessage({ observedTimeUnixNano: '5', eventName: 'opened', body: { intValue: 7 } }))).toEqual({
      Timestamp: 5n,
      Type: 'opened',
      body: 7n,
      observed_timestamp: [5n, 'ns'],
    });
  });
});

describe('spanMessage', () => {
  it('has its duration, kind and status', () => {
    const span = {
      name: 'GET /',
      traceId: 'ab',
      spanId: 'cd',
      kind: 2,
      startTimeUnixNano: '1000000000',
      endTimeUnixNano: '1250000000',
      status: { code: 'STATUS_CODE_ERROR', message: 'no' },
      events: [{ name: 'x' }],
      links: [],
    };
    expect(plain(spanMessage(span))).toEqual({
      Type: 'otlp.span',
      Timestamp: 1000000000n,
      Payload: 'GET /',
      Severity: 3,
      trace_id: 'ab',
      span_id: 'cd',
      kind: 'server',
      duration: [0.25, 's'],
      status: 'error',
      status_message: 'no',
      events: ['[{"name":"x"}]', 'json'],
    });
  });

  it('of nothing is empty', () => expect(spanMessage({})).toEqual({ Type: 'otlp.span', Fields: [] }));
});
