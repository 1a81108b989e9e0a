import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from '../../../engine/parquet/read/byte-reader.ts';
import { readStruct, ThriftView } from '../../../engine/parquet/read/thrift-reader.ts';
import { ThriftStruct } from '../../../engine/parquet/thrift.ts';

const INTEGER = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

describe('ThriftStruct', () => {
  it('writes the compact protocol', () => {
    const bytes = ThriftStruct.bytes((struct) =>
      struct
        .i32(1, -1)
        .bool(3, true)
        .binary(4, 'ab')
        .struct(5, (inner) => inner.i64(1, 300)),
    );
    expect([...bytes]).toEqual([0x15, 1, 0x21, 0x18, 2, 97, 98, 0x1c, 0x16, 0xd8, 4, 0, 0]);
  });

  it('writes what is read back', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 5 }), { maxLength: 40 });
    fc.assert(
      fc.property(
        INTEGER,
        fc.nat(2 ** 50),
        fc.boolean(),
        texts,
        fc.array(INTEGER, { maxLength: 40 }),
        (small, large, flag, list, numbers) => {
          const bytes = ThriftStruct.bytes((struct) =>
            struct
              .i32(1, small)
              .i64(2, large)
              .bool(3, flag)
              .strings(4, list)
              .structs(6, list, (inner, text) => inner.binary(2, text))
              .i32s(9, numbers),
          );
          const fields = readStruct(new ByteReader(bytes));
          expect([fields.get(3), fields.get(9)]).toEqual([flag, numbers]);
          const view = new ThriftView(fields);
          expect([view.number(1), view.number(2), view.texts(4)]).toEqual([small, large, list]);
          expect(view.structs(6).map((inner) => inner.text(2))).toEqual(list);
        },
      ),
    );
  });
});
