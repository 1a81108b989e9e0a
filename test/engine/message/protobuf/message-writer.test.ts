import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWhole } from '../../../../engine/message/protobuf/message-reader.ts';
import { writeMessage, type WriterRules } from '../../../../engine/message/protobuf/message-writer.ts';
import { decodeMessage, encodeMessage } from '../../../../engine/message/protobuf/protobuf.ts';
import { ProtoReader } from '../../../../engine/message/protobuf/proto-reader.ts';
import { ProtoWriter } from '../../../../engine/message/protobuf/proto-writer.ts';
import { ValueType, type Field, type Message } from '../../../../engine/message/types.ts';
import { readUtf8, writeUtf8 } from '../../../../engine/message/utf8.ts';
import { message } from '../arbitraries.ts';

const PLAIN: WriterRules = { stringType: false, alwaysPacked: false };
const uuid = new Uint8Array(16).fill(0xab);

function bytesOf(written: Message, rules: WriterRules): Uint8Array {
  const writer = new ProtoWriter({ write: writeUtf8 });
  writeMessage(writer, written, rules);
  return writer.finish();
}

const fieldHex = (field: Field, rules: WriterRules): string =>
  Buffer.from(bytesOf({ uuid, timestamp: 0n, fields: [field] }, rules))
    .toString('hex')
    .slice((2 + 16 + 2) * 2);

describe('writeMessage', () => {
  it('writes what is read back, by any rules', () => {
    const rules = fc.record({ stringType: fc.boolean(), alwaysPacked: fc.boolean() });
    fc.assert(
      fc.property(message(), rules, (m, by) => {
        expect(readWhole(new ProtoReader(bytesOf(m, by), readUtf8))).toEqual(decodeMessage(encodeMessage(m)));
      }),
      { numRuns: 300 },
    );
  });

  it('leaves out what is not set', () => {
    const bytes = bytesOf({ uuid, timestamp: 5n, severity: 0, fields: [] }, PLAIN);
    expect(Buffer.from(bytes).toString('hex')).toBe(`0a10${'ab'.repeat(16)}10052800`);
  });

  it.each<[field: Field, rules: WriterRules, hex: string]>([
    [{ name: 'a', valueType: ValueType.STRING, values: ['x'] }, PLAIN, '52060a0161220178'],
    [{ name: 'a', valueType: ValueType.STRING, values: ['x'] }, { ...PLAIN, stringType: true }, '52080a01611000220178'],
    [{ name: 'a', valueType: ValueType.BOOL, values: [true] }, PLAIN, '52070a016110044001'],
    [{ name: 'a', valueType: ValueType.BOOL, values: [true] }, { ...PLAIN, alwaysPacked: true }, '52080a01611004420101'],
    [{ name: 'a', valueType: ValueType.BOOL, values: [true, false] }, PLAIN, '52090a0161100442020100'],
    [{ name: 'a', valueType: ValueType.BOOL, values: [] }, { ...PLAIN, alwaysPacked: true }, '52050a01611004'],
    [{ name: 'a', valueType: ValueType.STRING, representation: '', values: [] }, PLAIN, '52050a01611a00'],
  ])('field %#', (field, rules, hex) => expect(fieldHex(field, rules)).toBe(hex));
});
