import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import type { FieldColumn } from '../../../../engine/message/batch/columns.ts';
import { jsonPiece, JsonSink } from '../../../../engine/message/json/json-sink.ts';
import { halvesOf, JsonValues } from '../../../../engine/message/json/json-values.ts';
import { ValueType, type Field } from '../../../../engine/message/types.ts';

/** The values of a field as JSON. */
function listed(field: Field): string {
  const out = new JsonSink();
  const values = new JsonValues(out);
  const column = batchOf([{ uuid: new Uint8Array(16), timestamp: 0n, fields: [field] }]).fields[0] as FieldColumn;
  values.list(values.step(column, jsonPiece('')), 0, field.values.length);
  return Buffer.from(out.bytes).toString();
}

describe('JsonValues', () => {
  it.each<[field: Field, json: string]>([
    [{ name: 'a', valueType: ValueType.STRING, values: ['a"\n', '', 'é'] }, '"a\\"\\n","","é"'],
    [{ name: 'a', valueType: ValueType.BYTES, values: [Uint8Array.of(0, 255), new Uint8Array()] }, '"AP8=",""'],
    [{ name: 'a', valueType: ValueType.DOUBLE, values: [1.5, -2] }, '1.5,-2'],
    [{ name: 'a', valueType: ValueType.BOOL, values: [true, false] }, 'true,false'],
    [{ name: 'a', valueType: ValueType.STRING, values: [] }, ''],
  ])('%#', (field, json) => expect(listed(field)).toBe(json));

  it('writes integers of 64 bits with all digits', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 5 }), (values) => {
        expect(listed({ name: 'a', valueType: ValueType.INTEGER, values })).toBe(values.join(','));
      }),
    );
  });

  it('has the halves of integers', () => {
    expect([...halvesOf(BigInt64Array.of(1n, -1n, 2n ** 32n).subarray(1))]).toEqual([-1, -1, 0, 1]);
  });
});
