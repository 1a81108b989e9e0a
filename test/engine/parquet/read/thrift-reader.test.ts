import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ByteReader, ParquetError } from '../../../../engine/parquet/read/byte-reader.ts';
import { readStruct, ThriftView } from '../../../../engine/parquet/read/thrift-reader.ts';

const read = (...bytes: number[]) => readStruct(new ByteReader(Buffer.from(bytes)));

it('reads fields whose ids are far apart', () => expect([...read(0x05, 0xc8, 1, 0x0e, 0)]).toEqual([[100, 7]]));

it.each<[string, number[], RegExp]>([
  ['an unknown type', [0x17, 0], /a field of the type 7/],
  ['an end within a value', [0x15], /ends within a value/],
  ['a list that is longer than all bytes', [0x19, 0xf5, 0xff, 0x7f], /too long/],
  ['structures within each other', Array.from({ length: 40 }, () => 0x1c), /nested too deeply/],
])('refuses %s', (_what, bytes, reason) => expect(() => read(...bytes)).toThrow(reason));

it('takes any bytes, or says what is wrong with them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        expect(read(...bytes)).toBeInstanceOf(Map);
      } catch (error) {
        expect(error).toBeInstanceOf(ParquetError);
      }
    }),
  );
});

it('names a field that is missing, or is of another type', () => {
  const view = new ThriftView(read(0x15, 2, 0));
  expect([view.number(1), view.has(2)]).toEqual([1, false]);
  for (const get of [() => view.number(2), () => view.text(1), () => view.texts(1), () => view.struct(1), () => view.structs(1)]) {
    expect(get).toThrow(/lack field [12]$/);
  }
});
