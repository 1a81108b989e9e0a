import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeMessage, MessageDecodeError } from '../../../../engine/message/protobuf/protobuf.ts';
import { decodeScriptMessage, encodeScriptMessage } from '../../../../engine/message/protobuf/script-protobuf.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { hex, wellFormed, example, head } from './fixtures.ts';

const exampleBytes = hex(`
  0a10 000102030405460788090a0b0c0d0e0f 10 8094ebdc03 1a04 64656d6f 28 06
  52 13 0a06 737461747573 1003 39 0000000000006940
  52 10 0a04 73697a65 1002 1a01 42 32 03 05ac02
  52 09 0a04 686f7374 22 01 61
  52 08 0a02 6f6b 1004 40 01`);

describe('encodeScriptMessage', () => {
  it('writes the worked example', () => {
    expect(Buffer.from(encodeScriptMessage(example))).toEqual(Buffer.from(exampleBytes));
    expect(exampleBytes.length).toBe(92);
  });

  it('writes one negative integer unpacked', () => {
    const m: Message = { ...example, fields: [{ name: 'n', valueType: 2, values: [-1n] }] };
    expect(Buffer.from(encodeScriptMessage(m)).toString('hex')).toContain('30ffffffffffffffffff01');
  });
});

describe('decodeScriptMessage', () => {
  it('reads the worked example', () => {
    expect(decodeScriptMessage(exampleBytes)).toEqual({
      Uuid: example.uuid,
      Timestamp: 1000000000,
      Type: 'demo',
      Severity: 6,
      Fields: [
        { name: 'status', value_type: 3, value: [200] },
        { name: 'size', value_type: 2, representation: 'B', value: [5, 300] },
        { name: 'host', value: ['a'] },
        { name: 'ok', value_type: 4, value: [true] },
      ],
    });
  });

  it('reads all that the service writes, its integers as Numbers', () => {
    fc.assert(
      fc.property(wellFormed, (m) => {
        const decoded = decodeScriptMessage(encodeMessage(m));
        expect(decoded.Timestamp).toBe(Number(m.timestamp));
        const values = m.fields.map(({ valueType, values: own }) => (valueType === 2 ? own.map(Number) : own));
        expect((decoded.Fields ?? []).map(({ value }) => value)).toEqual(values);
        expect(decoded.Payload).toBe(m.payload);
        expect(decoded.Pid).toBe(m.pid);
      }),
    );
  });

  it('has no Fields when there are none', () => {
    expect(decodeScriptMessage(hex(head))).toEqual({ Uuid: example.uuid, Timestamp: 1 });
  });

  it.each([
    ['less than 20 bytes', '10 01', /2 bytes, at least 20/],
    ['an unknown tag', `${head} 5a0161`, /unknown tag \(tag 11, wire type 2, at byte 20\)/],
    ['a wrong wire type', `${head} 18 01`, /wrong wire type \(tag 3, wire type 0, at byte 20\)/],
    ['a wrong wire type in a field', `${head} 5205 0a0161 1800`, /wrong wire type \(tag 3, wire type 0, at byte 25\)/],
    ['an unknown tag in a field', `${head} 5205 0a0161 4801`, /unknown tag \(tag 9, wire type 0, at byte 25\)/],
    ['a truncated length', `${head} 1a05 61`, /truncated length \(tag 3, wire type 2, at byte 20\)/],
    ['a long varint', `${head} 28 ffffffffffffffffffff01`, /varint longer than 10 bytes \(tag 5, wire type 0, at byte 20\)/],
    ['a field without a name', `${head} 5202 1002`, /field without a name \(tag 10, wire type 2, at byte 20\)/],
    ['a short uuid', '0a02 0001 10 01 1a0d 61616161616161616161616161', /uuid of 2 bytes instead of 16 \(tag 1, wire type 2, at byte 0\)/],
    ['no uuid', '10 01 1a10 61616161616161616161616161616161', /no uuid/],
    ['no timestamp', '0a10 000102030405460788090a0b0c0d0e0f 1a0161', /no timestamp/],
    ['an unknown value type', `${head} 5205 0a0161 1009`, /value type 9 of field "a"/],
  ])('refuses %s', (_, bytes, reason) => {
    expect(() => decodeScriptMessage(hex(bytes))).toThrow(MessageDecodeError);
    expect(() => decodeScriptMessage(hex(bytes))).toThrow(reason);
  });
});
