import { expect, it } from 'vitest';
import { encodeMessage } from '../../../engine/message/protobuf/protobuf.ts';
import { JoinedMessages } from '../../../engine/nats/joined-messages.ts';

const hex = (joined: JoinedMessages): string => joined.bytes.toString('hex');

function joinedOf(...texts: readonly string[]): JoinedMessages {
  const joined = new JoinedMessages();
  for (const text of texts) {
    joined.add(Buffer.from(text), 0, text.length);
    joined.end();
  }
  return joined;
}

it.each<[value: number, bytes: string]>([
  [0, '00'],
  [127, '7f'],
  [128, '8001'],
  [300, 'ac02'],
  [2 ** 32, '8080808010'],
  [Number.MAX_SAFE_INTEGER, 'ffffffffffffff0f'],
])('the varint of %d is %s', (value, bytes) => {
  const joined = new JoinedMessages();
  joined.addVarint(value);
  expect(hex(joined)).toBe(bytes);
});

it('a head is that of a message, with the parts that lie in other memory', () => {
  const joined = new JoinedMessages();
  const uuid = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
  joined.addHead(Buffer.concat([Buffer.alloc(3), uuid]), 3, Buffer.from('ffac02ff', 'hex'), 1, 3);
  expect(joined.bytes).toEqual(Buffer.from(encodeMessage({ uuid, timestamp: 300n, fields: [] })));
});

it('messages have their places, also when they are empty', () => {
  const joined = joinedOf('ab', '', 'cde');
  expect(Array.from({ length: joined.count }, (_, i) => [joined.startOf(i), joined.endOf(i)])).toEqual([
    [0, 2],
    [2, 2],
    [2, 5],
  ]);
  joined.add(new Uint8Array([120, 121, 122]), 1, 2);
  expect(joined.bytes.toString()).toBe('abcdey');
});

it.each([
  [2, 'abc'],
  [1, 'ab'],
  [0, ''],
])('a cut leaves the first %d messages, without one that has begun', (count, text) => {
  const joined = joinedOf('ab', 'c');
  joined.add(Buffer.from('begun'), 0, 5);
  joined.cut(count);
  expect([joined.count, joined.length, joined.bytes.toString()]).toEqual([count, text.length, text]);
});

it('grows at any byte, and is empty when it is cleared, also of much', () => {
  for (const size of [(64 << 10) - 1, 64 << 10, (17 << 20) + 1]) {
    const joined = joinedOf('x'.repeat(size));
    joined.addVarint(300);
    expect(joined.bytes.subarray(size - 1).toString('hex')).toBe('78ac02');
    joined.clear();
    expect([joined.count, joined.length]).toEqual([0, 0]);
    joined.addVarint(1);
    expect(hex(joined)).toBe('01');
  }
});
