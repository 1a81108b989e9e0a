import type { MessageBatch } from '../message/batch/batch.ts';
import type { FieldColumn } from '../message/batch/columns.ts';
import { ValueType } from '../message/types.ts';

/** The same integer in every row of a batch, as a field. */
function integerColumn(name: string, value: number, length: number): FieldColumn {
  return integerField(name, new BigInt64Array(length).fill(BigInt(value)));
}

/** An integer for each row of a batch, as a field. */
export function integerField(name: string, values: BigInt64Array): FieldColumn {
  return { name, representation: null, valueType: ValueType.INTEGER, rows: null, offsets: null, values };
}

/** The same text in every row of a batch, as a field. */
function textColumn(name: string, text: string, length: number): FieldColumn {
  const values = { text, starts: new Uint32Array(length), ends: new Uint32Array(length).fill(text.length) };
  return { name, representation: null, valueType: ValueType.STRING, rows: null, offsets: null, values };
}

/** Adds fields that are the same in every row, behind those that are there. */
export function withConstantFields(batch: MessageBatch, fields: Readonly<Record<string, string | number>>): MessageBatch {
  const columns = Object.entries(fields).map(([name, value]) =>
    typeof value === 'number' ? integerColumn(name, value, batch.length) : textColumn(name, value, batch.length),
  );
  return batch.with({ fields: [...batch.fields, ...columns] });
}

/** The same with texts only; names may repeat. */
export function withTextFields(batch: MessageBatch, fields: readonly (readonly [name: string, text: string])[]): MessageBatch {
  return batch.with({ fields: [...batch.fields, ...fields.map(([name, text]) => textColumn(name, text, batch.length))] });
}
