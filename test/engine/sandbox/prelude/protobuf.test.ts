import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeMessage, encodeMessage } from '../../../../engine/message/protobuf/protobuf.ts';
import { encodeScriptMessage } from '../../../../engine/message/protobuf/script-protobuf.ts';
import { headerValues, type Message } from '../../../../engine/message/types.ts';
import { decodeRow, encodeRow, encodeTable } from '../../../../engine/sandbox/prelude/protobuf.ts';
import { newRowMessage, type RowMessage, type RowValue } from '../../../../engine/sandbox/prelude/reading/row-message.ts';
import { encodedSize } from '../../../../engine/sandbox/prelude/size.ts';
import { message, wellFormedText } from '../../message/arbitraries.ts';

function rowOf(one: Message): RowMessage {
  const { uuid, timestamp, fields } = one;
  return {
    ...newRowMessage(timestamp),
    headers: headerValues(one),
    uuid,
    fields: fields.map(({ name, representation, valueType, values }) => ({
      ...{ name, representation: representation ?? null, type: valueType },
      values: valueType === 4 ? values.map(Number) : ([...values] as RowValue[]),
    })),
  };
}

test('a row is encoded as the service does it, and a table as scripts do', () => {
  fc.assert(
    fc.property(message(wellFormedText), (one) => {
      const row = rowOf(one);
      expect(Buffer.from(encodeRow(row))).toEqual(Buffer.from(encodeMessage(one)));
      expect(Buffer.from(encodeTable(row))).toEqual(Buffer.from(encodeScriptMessage(one)));
      expect(decodeMessage(encodeTable(row))).toEqual(one);
      expect(decodeRow(encodeTable(row), 'test')).toEqual(row);
    }),
  );
});

test('the size of a table is known before it is encoded', () => {
  fc.assert(
    fc.property(message(), (one) => {
      const row = rowOf(one);
      expect(encodedSize(row)).toBe(encodeTable(row).length);
    }),
  );
});
