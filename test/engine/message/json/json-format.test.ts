import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { formatBatch, formatMessage, parseMessage } from '../../../../engine/message/json/json.ts';
import type { Field, Message } from '../../../../engine/message/types.ts';
import { message, messages } from '../arbitraries.ts';
import { uuid, plain } from './fixtures.ts';

describe('formatMessage', () => {
  it('writes lines that are read back as they were', () => {
    fc.assert(
      fc.property(message(), (m) => {
        const line = formatMessage(m);
        expect(line).not.toContain('\n');
        expect(parseMessage(line)).toEqual(m);
      }),
      { numRuns: 1000 },
    );
  });

  it('writes every member in its form', () => {
    const fields: Field[] = [
      { name: 's', valueType: 0, values: ['a"\n', ''] },
      { name: 'b', valueType: 1, representation: '', values: [Uint8Array.of(0, 1, 255)] },
      { name: 'i', valueType: 2, values: [9007199254740993n, -1n] },
      { name: 'd', valueType: 3, representation: 'ms', values: [1.5, 1e21, NaN, Infinity, -Infinity, -0] },
      { name: 't', valueType: 4, values: [true, false] },
      { name: 'none', valueType: 2, values: [] },
    ];
    const m: Message = {
      uuid,
      timestamp: 1614949679123456789n,
      type: 't',
      logger: '',
      severity: 6,
      payload: 'p',
      envVersion: '1',
      pid: -1,
      hostname: 'h',
      fields,
    };
    expect(formatMessage(m)).toBe(
      '{"Uuid":"00010203-0405-4607-8809-0a0b0c0d0e0f","Timestamp":"1614949679123456789","Type":"t","Logger":"","Severity":6,"Payload":"p","EnvVersion":"1","Pid":-1,"Hostname":"h",' +
        '"Fields":[{"name":"s","value_type":0,"value":["a\\"\\n",""]},{"name":"b","value_type":1,"representation":"","value":["AAH/"]},' +
        '{"name":"i","value_type":2,"value":[9007199254740993,-1]},{"name":"d","value_type":3,"representation":"ms","value":[1.5,1e+21,"nan","inf","-inf",-0]},' +
        '{"name":"t","value_type":4,"value":[true,false]},{"name":"none","value_type":2,"value":[]}]}',
    );
    expect(formatMessage(plain)).toBe('{"Uuid":"00010203-0405-4607-8809-0a0b0c0d0e0f","Timestamp":"1"}');
  });
});

describe('formatBatch', () => {
  it('writes the lines that formatMessage writes', () => {
    fc.assert(
      fc.property(messages(), (list) => {
        const lines = list.map(formatMessage);
        expect([...formatBatch(batchOf(list))]).toEqual(lines);
        const last = Uint32Array.from(list.length === 0 ? [] : [list.length - 1, 0]);
        expect([...formatBatch(batchOf(list), last)]).toEqual([...last].map((row) => lines[row]));
      }),
    );
  });
});
