import { describe, expect, it } from 'vitest';
import { recordMessage } from '../../../../plugins/lib/otlp/otlp_records.ts';
import type { LogField, LogMessage } from '../../../../plugins/modules/table_writer.ts';

const pair = (key: string, value: object) => ({ key, value: value as { stringValue: string } });

function plain({ Fields = [], ...headers }: LogMessage): Record<string, unknown> {
  return { ...headers, ...byName(Fields) };
}

function byName(fields: readonly LogField[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, value, representation: form }) => [name, form === undefined ? value : [value, form]]));
}

describe('recordMessage', () => {
  it('has headers and fields', () => {
    const record = {
      timeUnixNano: '1614949679000000000',
      observedTimeUnixNano: '1614949680000000000',
      severityNumber: 17,
      severityText: 'ERROR',
      body: { stringValue: 'no' },
      traceId: '0AF7651916CD43DD8448EB211C80319C',
      flags: 1,
      attributes: [pair('status', { intValue: '404' }), pair('body', { stringValue: 'x' })],
    };
    expect(plain(recordMessage(record))).toEqual({
      Timestamp: 1614949679000000000n,
      Type: 'otlp.log',
      Severity: 3,
      Payload: 'no',
      status: 404n,
      body: 'x',
      severity_text: 'ERROR',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
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
    [25, 'warn', 4, 25n],
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

  it('has the headers that attributes hold, once and where they fit', () => {
    const uid = '01234567-89ab-cdef-0123-456789abcdef';
    const attributes = [
      ...[pair('log.record.uid', { stringValue: uid }), pair('log.record.uid', { stringValue: uid })],
      ...[pair('sluicebox.severity', { intValue: '-9' }), pair('sluicebox.env_version', { stringValue: '' })],
    ];
    expect(plain(recordMessage({ attributes, severityNumber: 9, droppedAttributesCount: 2, eventName: 'otlp.log' }))).toEqual({
      ...{ Type: 'otlp.log', Uuid: uid, Severity: -9, EnvVersion: '', 'log.record.uid': uid },
      ...{ event_name: 'otlp.log', dropped_attributes_count: 2n },
    });
    const unfit = [pair('log.record.uid', { stringValue: uid.toUpperCase() }), pair('sluicebox.severity', { stringValue: '1' })];
    expect(plain(recordMessage({ attributes: unfit }))).toEqual({
      ...{ Type: 'otlp.log', 'log.record.uid': uid.toUpperCase(), 'sluicebox.severity': '1' },
    });
  });
});
