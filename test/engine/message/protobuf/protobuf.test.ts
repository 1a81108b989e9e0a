import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { message as generated } from '../generated/message.js';
import { decodeMessage, encodeMessage, MessageDecodeError } from '../../../../engine/message/protobuf/protobuf.ts';
import { decodeScriptMessage, encodeScriptMessage } from '../../../../engine/message/protobuf/script-protobuf.ts';
import type { Field, Message } from '../../../../engine/message/types.ts';
import { hex, wellFormed, example, head } from './fixtures.ts';

const project = resolve(import.meta.dirname, '../../../..');
const schema = readFileSync(join(project, 'engine/message/schema/message.proto'), 'utf8');
const typeOf = (proto: string): protobuf.Type => protobuf.parse(proto).root.lookupType('message.Message');
const reflected = typeOf(schema);
const unpacked = typeOf(schema.replaceAll(' [packed = true]', ''));
const extended = typeOf(
  schema
    .replace('repeated Field fields = 10;', 'repeated Field fields = 10; optional string more = 15; repeated fixed32 numbers = 2000;')
    .replace(
      'repeated bool value_bool = 8',
      'optional double other = 9; optional group Old = 16 { optional int32 a = 1; } repeated bool value_bool = 8',
    ),
);

const valueLists = ['valueString', 'valueBytes', 'valueInteger', 'valueDouble', 'valueBool'] as const;

/** The message as protobufjs wants it, with int64 as decimal strings. */
function toReflected(m: Message): Record<string, unknown> {
  const { timestamp, fields, ...headers } = m;
  return { ...headers, timestamp: String(timestamp), fields: fields.map(toReflectedField) };
}

function toReflectedField({ name, representation, valueType, values }: Field): Record<string, unknown> {
  const list = valueType === 2 ? values.map(String) : values;
  return { name, valueType, [valueLists[valueType]]: list, ...(representation === undefined ? {} : { representation }) };
}

const encodeWith = (type: protobuf.Type, object: Record<string, unknown>): Uint8Array => type.encode(type.fromObject(object)).finish();

describe('encodeMessage', () => {
  it('keeps messages apart, wherever one ends in the memory that they share', () => {
    const list = Array.from({ length: 4000 }, (_, i): Message => ({
      uuid: new Uint8Array(16).fill(i),
      timestamp: BigInt(i),
      ...(i % 5 === 0 ? {} : { payload: (i % 7 === 0 ? 'ü' : 'x').repeat((i * 37) % 400) }),
      fields: [
        { name: 'd', valueType: 3, values: Array.from({ length: i % 40 }, (_, k) => i / (k + 1)) },
        { name: 'b', valueType: 1, values: [new Uint8Array(i % 200).fill(i)] },
        { name: 'n', valueType: 2, values: [BigInt(-i)] },
      ],
    }));
    const encoded = list.map((message) => encodeMessage(message));
    expect(encoded.map((bytes) => decodeMessage(bytes))).toEqual(list);
    const large: Message = { uuid: new Uint8Array(16), timestamp: 1n, payload: 'ä'.repeat(700_000), fields: [] };
    expect([large, list[1] as Message, large].map((message) => decodeMessage(encodeMessage(message)))).toEqual([large, list[1], large]);
  });

  it('writes what protobufjs writes', () => {
    fc.assert(
      fc.property(wellFormed, (m) => {
        expect(Buffer.from(encodeMessage(m))).toEqual(Buffer.from(encodeWith(reflected, toReflected(m))));
      }),
      { numRuns: 500 },
    );
  });

  it('packs single values, and writes the value type of strings and empty representations', () => {
    const m: Message = {
      ...example,
      fields: [
        { name: 'n', valueType: 2, representation: '', values: [-1n] },
        { name: 's', valueType: 0, values: ['x'] },
      ],
    };
    const fields = '5213 0a016e 1002 1a00 320a ffffffffffffffffff01 5208 0a0173 1000 220178';
    expect(Buffer.from(encodeMessage(m)).toString('hex')).toContain(fields.replaceAll(' ', ''));
  });

  it('writes lone surrogates as U+FFFD, in short and in long texts', () => {
    for (const length of [1, 100]) {
      const text = `${'a'.repeat(length)}\ud800`;
      expect(decodeMessage(encodeMessage({ ...example, payload: text })).payload).toBe(text.toWellFormed());
    }
  });

  it('writes texts around the lengths where it changes its way', () => {
    for (let length = 0; length < 140; length++) {
      for (const unit of ['a', 'é', '€']) {
        const m = { ...example, payload: unit.repeat(length) };
        expect(decodeMessage(encodeMessage(m))).toEqual(m);
        expect(decodeMessage(encodeScriptMessage(m))).toEqual(m);
      }
    }
  });

  it('writes messages of any size', () => {
    const values = Array.from({ length: 100_000 }, (_, i) => BigInt(i) ** 3n);
    const m: Message = { ...example, payload: 'x'.repeat(3_000_000), fields: [{ name: 'many', valueType: 2, values }] };
    expect(decodeMessage(encodeMessage(m))).toEqual(m);
    expect(decodeMessage(encodeMessage(example))).toEqual(example);
  });
});

describe('decodeMessage', () => {
  it('gives back what was encoded', () => {
    fc.assert(
      fc.property(wellFormed, (m) => {
        expect(decodeMessage(encodeMessage(m))).toEqual(m);
        expect(decodeMessage(encodeScriptMessage(m))).toEqual(m);
      }),
    );
  });

  it('reads what protobufjs writes unpacked and with fields it does not know', () => {
    const unknown = { more: 'x', numbers: [1, 2] };
    fc.assert(
      fc.property(wellFormed, (m) => {
        const object = toReflected(m);
        expect(decodeMessage(encodeWith(unpacked, object))).toEqual(m);
        const fields = (object.fields as object[]).map((field) => ({ ...field, other: 1.5, old: { a: 5 } }));
        expect(decodeMessage(encodeWith(extended, { ...object, ...unknown, fields }))).toEqual(m);
      }),
    );
  });

  it('reads every message of the generated code, and the generated code every one of its', () => {
    fc.assert(
      fc.property(wellFormed, (m) => {
        const again = generated.Message.encode(generated.Message.decode(encodeMessage(m))).finish();
        expect(decodeMessage(again)).toEqual(m);
      }),
    );
  });

  it.each<[string, string, Field]>([
    [
      'packed and unpacked integers, mixed',
      '520f 0a0161 1002 3005 3202 0607 3008 3200',
      { name: 'a', valueType: 2, values: [5n, 6n, 7n, 8n] },
    ],
    ['a negative integer', '5210 0a0161 1002 30 ffffffffffffffffff01', { name: 'a', valueType: 2, values: [-1n] }],
    ['bools of any varint', '520a 0a0161 1004 4203 008001', { name: 'a', valueType: 4, values: [false, true] }],
    ['a field without values', '5205 0a0161 1003', { name: 'a', valueType: 3, values: [] }],
    ['a field of the default type', '5203 0a0161', { name: 'a', valueType: 0, values: [] }],
    ['an unknown value type as the default', '5208 0a0161 1009 220178', { name: 'a', valueType: 0, values: ['x'] }],
    ['only the values that the type selects', '520a 0a0161 1002 3005 220178', { name: 'a', valueType: 2, values: [5n] }],
    ['a name behind the values', '5206 220178 0a0161', { name: 'a', valueType: 0, values: ['x'] }],
    ['invalid UTF-8 with replacements', '5209 0a0161 2204 61ffc380', { name: 'a', valueType: 0, values: ['a\ufffd\u00c0'] }],
    ['a wrong wire type as unknown', '5208 0a0161 1802 220178', { name: 'a', valueType: 0, values: ['x'] }],
  ])('reads %s', (_, bytes, field) => {
    expect(decodeMessage(withLengths(head + bytes)).fields).toEqual([field]);
  });

  it('takes the last of repeated headers', () => {
    expect(decodeMessage(hex(`${head} 1a0161 1a0162 10 02`))).toMatchObject({ type: 'b', timestamp: 2n });
  });

  it.each([
    ['nothing', ''],
    ['no uuid', '10 01'],
    ['no timestamp', '0a10 000102030405460788090a0b0c0d0e0f'],
    ['a short uuid', '0a02 0001 10 01'],
    ['a field without a name', `${head} 5202 1002`],
    ['a cut text', `${head} 1a05 61`],
    ['a cut varint', `${head} 28 ff`],
    ['a varint of 11 bytes', `${head} 28 ffffffffffffffffffff01`],
    ['a cut double', `${head} 5206 0a0161 39 0000`],
    ['a field that reaches behind its end', `${head} 5203 0a0561`],
    ['field number 0', `${head} 0001`],
    ['a group that does not end', `${head} 7b 0801`],
    ['the end of no group', `${head} 7c`],
    ['groups in groups in groups', `${head} ${'7b'.repeat(100)}`],
    ['a length above 32 bits', `${head} 1a ffffffffff01`],
  ])('refuses %s', (_, bytes) => {
    expect(() => decodeMessage(hex(bytes))).toThrow(MessageDecodeError);
  });

  it('fails only with a MessageDecodeError on any bytes', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 100 }),
      fc.tuple(wellFormed, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 5 })).map(([m, changes]) => {
        const bytes = encodeMessage(m);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        return bytes;
      }),
    );
    fc.assert(
      fc.property(bytes, (bytes) => {
        for (const decode of [decodeMessage, decodeScriptMessage]) {
          try {
            decode(bytes);
          } catch (error) {
            if (!(error instanceof MessageDecodeError)) throw error;
          }
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the generated code', () => {
  it('is what its command makes of the schema', () => {
    const command =
      'node_modules/.bin/pbjs -t static-module -w esm --no-verify --no-convert --no-delimited --no-typeurl --no-service --force-long -o test/engine/message/generated/message.js -d engine/message/schema/message.proto';
    const own = 'test/engine/message/generated';
    const target = mkdtempSync(join(tmpdir(), 'message-'));
    try {
      const args = command.split(' ').map((part) => part.replace(own, target));
      execFileSync(process.execPath, args, { cwd: project });
      for (const file of ['message.js', 'message.d.ts']) {
        expect(readFileSync(join(target, file), 'utf8')).toBe(readFileSync(join(project, own, file), 'utf8'));
      }
    } finally {
      rmSync(target, { recursive: true });
    }
  });
});

/** Bytes from hex in which every `52` field's length is corrected, so that cases can be written without counting. */
function withLengths(text: string): Uint8Array {
  const [before, after] = text.replaceAll(' ', '').split(/(?<=^0a10.{32}1001)52../) as [string, string];
  const length = (after.length / 2).toString(16).padStart(2, '0');
  return hex(`${before}52${length}${after}`);
}
