import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageBatch } from '../../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import type { FieldColumn } from '../../../../engine/message/batch/columns.ts';
import { takeRows } from '../../../../engine/message/batch/gather.ts';
import { encodeJsonLines, formatMessage } from '../../../../engine/message/json/json.ts';
import { JsonSink } from '../../../../engine/message/json/json-sink.ts';
import type { PackedPieces } from '../../../../engine/message/batch/packed.ts';
import { anyText, messages } from '../arbitraries.ts';

/** Text of what JSON, terminals and UTF-8 treat differently. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom('"', '\\', '/', '\b', '\t', '\n', '\f', '\r', '\0', '\u001b', '\u007f', '\u0080', '\u009b', '\u009f', '\u00a0'),
      fc.constantFrom('\u2027', '\u2028', '\u202e', '\u202f', '\u2065', '\u2066', '\u2069', '\u206a', '\ufeff', '\uffff'),
      fc.constantFrom('\ud800', '\udbff', '\udc00', '\udfff', '\u{10000}', '\u{10ffff}', '\u07ff', '\u0800', '\ud7ff', '\ue000'),
      fc.string({ unit: 'binary' }),
      fc.string(),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

const text = ({ bytes }: PackedPieces): string => Buffer.from(bytes).toString();

function piecesOf({ bytes, ends }: PackedPieces): string[] {
  return Array.from(ends, (end, i) => Buffer.from(bytes.subarray(i === 0 ? 0 : ends[i - 1], end)).toString());
}

describe('encodeJsonLines', () => {
  it.each([
    ['any text', anyText],
    ['text that needs escapes', hostileText],
  ])('writes the lines that formatMessage writes: %s', (_, texts) => {
    fc.assert(
      fc.property(messages(texts), (list) => {
        const lines = list.map((message) => `${formatMessage(message)}\n`);
        expect(piecesOf(encodeJsonLines(batchOf(list), null))).toEqual(lines);
        const some = Uint32Array.from(list.keys()).filter((row) => row % 2 === 0);
        const reversed = some.toReversed();
        expect(piecesOf(encodeJsonLines(batchOf(list), some))).toEqual([...some].map((row) => lines[row]));
        expect(piecesOf(encodeJsonLines(batchOf(list), reversed))).toEqual([...reversed].map((row) => lines[row]));
        expect(piecesOf(encodeJsonLines(takeRows(batchOf(list), some), null))).toEqual([...some].map((row) => lines[row]));
      }),
      { numRuns: 500 },
    );
  });

  it('writes the same with memory that it has used before', () => {
    const sink = new JsonSink(16);
    fc.assert(
      fc.property(messages(), (list) => {
        expect(text(encodeJsonLines(batchOf(list), null, sink))).toBe(list.map((message) => `${formatMessage(message)}\n`).join(''));
      }),
    );
  });

  const row = (column: FieldColumn, length: number): MessageBatch =>
    new MessageBatch({ length, timestamps: new BigInt64Array(length), fields: [column] });
  const base = { name: 'x', representation: null, rows: null, offsets: null };
  const valuesOf = (batch: MessageBatch): string[] =>
    piecesOf(encodeJsonLines(batch, null)).map((line) => /"value":\[(.*)\]\}\]\}\n$/s.exec(line)?.[1] as string);

  it('writes integers with all their digits', () => {
    const powers = Array.from({ length: 19 }, (_, i) => 10n ** BigInt(i));
    const twos = Array.from({ length: 63 }, (_, i) => 2n ** BigInt(i));
    const near = [0n, ...powers, ...twos, 2n ** 63n].flatMap((value) => [value - 1n, value, value + 1n, -value]);
    const values = BigInt64Array.from(near.filter((value) => BigInt.asIntN(64, value) === value));
    expect(valuesOf(row({ ...base, valueType: 2, values }, values.length))).toEqual(Array.from(values, String));
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), (list) => {
        const integers = BigInt64Array.from(list);
        expect(valuesOf(row({ ...base, valueType: 2, values: integers }, list.length))).toEqual(list.map(String));
      }),
    );
  });

  it('writes doubles as JSON does, and those that it does not have by their names', () => {
    const exact = [
      0,
      1,
      -1,
      2 ** 31,
      2 ** 31 - 1,
      -(2 ** 31),
      -(2 ** 31) - 1,
      2 ** 53,
      0.1,
      -0.5,
      5e-324,
      1.7976931348623157e308,
      1e21,
      1e-7,
    ];
    const values = Float64Array.from([...exact, -0, NaN, Infinity, -Infinity]);
    expect(valuesOf(row({ ...base, valueType: 3, values }, values.length))).toEqual([
      ...exact.map((value) => JSON.stringify(value)),
      '-0',
      '"nan"',
      '"inf"',
      '"-inf"',
    ]);
  });

  it('writes every code unit as formatMessage does, alone and between others', () => {
    for (let from = 0; from < 0x10000; from += 0x400) {
      const units = Array.from({ length: 0x400 }, (_, i) => String.fromCharCode(from + i));
      const list = units.map((unit) => ({
        uuid: new Uint8Array(16),
        timestamp: 0n,
        payload: unit,
        hostname: `a${unit}\u00e9`,
        fields: [],
      }));
      expect(text(encodeJsonLines(batchOf(list), null))).toBe(list.map((message) => `${formatMessage(message)}\n`).join(''));
    }
  });

  it('refuses rows that the batch does not have', () => {
    expect(() => encodeJsonLines(row({ ...base, valueType: 4, values: new Uint8Array(1) }, 1), Uint32Array.of(1))).toThrow(RangeError);
  });
});
