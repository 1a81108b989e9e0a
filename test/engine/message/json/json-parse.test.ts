import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageFormatError, parseMessage } from '../../../../engine/message/json/json.ts';
import type { Field, Message } from '../../../../engine/message/types.ts';
import { plain } from './fixtures.ts';

describe('parseMessage', () => {
  const parse = (members: object): Message =>
    parseMessage(JSON.stringify({ Uuid: '00010203-0405-4607-8809-0a0b0c0d0e0f', Timestamp: '1', ...members }));
  const fieldsOf = (json: string): readonly Field[] => parseMessage(`{"Timestamp":1,"Fields":${json}}`).fields;

  it('makes a uuid and a timestamp where there are none', () => {
    const before = BigInt(Date.now()) * 1_000_000n;
    const { uuid, timestamp, ...rest } = parseMessage('{}');
    expect(uuid).toHaveLength(16);
    expect(uuid).not.toEqual(parseMessage('{}').uuid);
    expect(timestamp).toBeGreaterThanOrEqual(before);
    expect(rest).toEqual({ fields: [] });
  });

  it('takes null for what is not set', () => {
    const unset = { Type: null, Logger: null, Severity: null, Payload: null, EnvVersion: null, Pid: null, Hostname: null, Fields: null };
    expect(parse(unset)).toEqual(plain);
  });

  it.each<[string, bigint]>([
    ['"1614949679123456789"', 1614949679123456789n],
    ['1614949679123456789', 1614949679123456789n],
    ['-1', -1n],
    ['1e18', 10n ** 18n],
    ['"007"', 7n],
    ['"2021-03-05T13:07:59Z"', 1614949679_000000000n],
    ['9223372036854775807', 2n ** 63n - 1n],
  ])('reads the timestamp %s', (json, ns) => expect(parseMessage(`{"Timestamp":${json}}`).timestamp).toBe(ns));

  it.each<[string, Field]>([
    ['{"name":"a","value":"x"}', { name: 'a', valueType: 0, values: ['x'] }],
    ['{"name":"a","value":["x","y"],"value_type":0}', { name: 'a', valueType: 0, values: ['x', 'y'] }],
    ['{"name":"a","value":7}', { name: 'a', valueType: 3, values: [7] }],
    ['{"name":"a","value":[12345678901234567890]}', { name: 'a', valueType: 3, values: [1.2345678901234567e19] }],
    ['{"name":"a","value":false}', { name: 'a', valueType: 4, values: [false] }],
    ['{"name":"a","value":[]}', { name: 'a', valueType: 0, values: [] }],
    ['{"name":"a","value":[],"value_type":2}', { name: 'a', valueType: 2, values: [] }],
    [
      '{"name":"a","value":[9007199254740993,"9007199254740995",3],"value_type":2}',
      { name: 'a', valueType: 2, values: [9007199254740993n, 9007199254740995n, 3n] },
    ],
    ['{"name":"a","value": [ -9223372036854775808 ],"value_type":2}', { name: 'a', valueType: 2, values: [-(2n ** 63n)] }],
    [
      '{"name":"a","value":"AAE=","value_type":1,"representation":"x"}',
      { name: 'a', representation: 'x', valueType: 1, values: [Uint8Array.of(0, 1)] },
    ],
    ['{"name":"a","value":["-inf",0.5],"value_type":3,"representation":null}', { name: 'a', valueType: 3, values: [-Infinity, 0.5] }],
  ])('reads the field %s', (json, field) => expect(fieldsOf(`[${json}]`)).toEqual([field]));

  it('reads fields by name', () => {
    expect(fieldsOf('{"a":1,"b":["x"],"c":{"value":[2],"value_type":2,"representation":"B"}}')).toEqual([
      { name: 'a', valueType: 3, values: [1] },
      { name: 'b', valueType: 0, values: ['x'] },
      { name: 'c', valueType: 2, representation: 'B', values: [2n] },
    ]);
  });

  it.each([
    ['', ''],
    ['{', ''],
    ['[]', ''],
    ['7', ''],
    ['null', ''],
    ['{"Uuid":"x"}', 'Uuid'],
    ['{"Uuid":7}', 'Uuid'],
    ['{"Timestamp":"soon"}', 'Timestamp'],
    ['{"Timestamp":1.5}', 'Timestamp'],
    ['{"Timestamp":true}', 'Timestamp'],
    ['{"Timestamp":9223372036854775808}', 'Timestamp'],
    ['{"Type":7}', 'Type'],
    ['{"Hostname":{}}', 'Hostname'],
    ['{"Severity":1.5}', 'Severity'],
    ['{"Severity":"high"}', 'Severity'],
    ['{"Pid":2147483648}', 'Pid'],
    ['{"Fields":"x"}', 'Fields'],
    ['{"Fields":[7]}', 'Fields[0]'],
    ['{"Fields":[{"value":7}]}', 'Fields[0].name'],
    ['{"Fields":[{"name":"a"}]}', 'Fields[0].value'],
    ['{"Fields":[{"name":"a","value":null}]}', 'Fields[0].value'],
    ['{"Fields":[{"name":"a","value":[{}]}]}', 'Fields[0].value'],
    ['{"Fields":[{"name":"a","value":[1]},{"name":"a","value":[1,"x"]}]}', 'Fields[1].value[1]'],
    ['{"Fields":[{"name":"a","value":1,"value_type":0}]}', 'Fields[0].value[0]'],
    ['{"Fields":[{"name":"a","value":"*","value_type":1}]}', 'Fields[0].value[0]'],
    ['{"Fields":[{"name":"a","value":"A","value_type":1}]}', 'Fields[0].value[0]'],
    ['{"Fields":[{"name":"a","value":1.5,"value_type":2}]}', 'Fields[0].value[0]'],
    ['{"Fields":[{"name":"a","value":9223372036854775808,"value_type":2}]}', 'Fields[0].value[0]'],
    ['{"Fields":[{"name":"a","value":"x","value_type":3}]}', 'Fields[0].value[0]'],
    ['{"Fields":[{"name":"a","value":1,"value_type":4}]}', 'Fields[0].value[0]'],
    ['{"Fields":[{"name":"a","value":1,"value_type":5}]}', 'Fields[0].value_type'],
    ['{"Fields":[{"name":"a","value":1,"value_type":"3"}]}', 'Fields[0].value_type'],
    ['{"Fields":[{"name":"a","value":1,"representation":7}]}', 'Fields[0].representation'],
    ['{"Fields":{"a b":[true,1]}}', 'Fields["a b"].value[1]'],
  ])('refuses %s and names the member', (line, path) => {
    const error = (() => {
      try {
        return parseMessage(line);
      } catch (error) {
        return error;
      }
    })();
    expect(error).toBeInstanceOf(MessageFormatError);
    expect(error).toMatchObject({ path });
  });

  it('fails only with a MessageFormatError on any JSON', () => {
    const member = fc.oneof(
      fc.jsonValue(),
      fc.array(fc.record({ name: fc.jsonValue(), value: fc.jsonValue(), value_type: fc.oneof(fc.nat(5), fc.jsonValue()) })),
    );
    const json = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom('Uuid', 'Timestamp', 'Type', 'Severity', 'Fields', '__proto__'), member),
    );
    fc.assert(
      fc.property(json, (json) => {
        try {
          parseMessage(JSON.stringify(json));
        } catch (error) {
          if (!(error instanceof MessageFormatError)) throw error;
        }
      }),
      { numRuns: 1000 },
    );
  });
});
