import { batchOf } from '../../message/batch/builder.ts';
import type { FieldColumn } from '../../message/batch/columns.ts';
import { ValueType, type Field, type Message } from '../../message/types.ts';
import { keyOfText, type ColumnKey, type NamedColumn } from '../column-names.ts';
import { ParquetError } from './byte-reader.ts';
import type { ReadColumn } from './column-slice.ts';

/** The column of the fields that have none of their own. */
export interface MoreRows {
  readonly keys: ReadColumn;
  readonly values: ReadColumn;
  /** The fields by their names in the maps. */
  readonly byColumn: ReadonlyMap<string, NamedColumn>;
}

const NO_UUID = new Uint8Array(16);

/** The fields that the rows [from, to) have in maps, as columns. */
export function moreColumns({ keys, values, byColumn }: MoreRows, from: number, to: number): readonly FieldColumn[] {
  const { rows, offsets, values: names } = keys.slice(from, to);
  const [keyTexts, valueTexts] = [names.texts(), values.slice(from, to).values.texts()];
  const messages = Array.from({ length: to - from }, (): Message & { fields: Field[] } => ({ uuid: NO_UUID, timestamp: 0n, fields: [] }));
  if (offsets === null) return [];
  for (let entry = 0; entry + 1 < offsets.length; entry++) {
    const message = messages[rows === null ? entry : (rows[entry] as number)];
    for (let i = offsets[entry] as number; i < (offsets[entry + 1] as number); i++) {
      const keyText = keyTexts.text.slice(keyTexts.starts[i], keyTexts.ends[i]);
      const key = byColumn.get(keyText) ?? keyOfText(keyText);
      if (key === null) throw new ParquetError('a field of its maps is not described');
      message?.fields.push(fieldOf(key, valueTexts.text.slice(valueTexts.starts[i], valueTexts.ends[i])));
    }
  }
  return batchOf(messages).fields;
}

/** The opposite of how `MoreFields` writes values as text. */
function fieldOf({ name, representation, valueType, list }: ColumnKey, text: string): Field {
  const texts = list ? (JSON.parse(text) as string[]) : [text];
  const base = representation === null ? { name } : { name, representation };
  switch (valueType) {
    case ValueType.STRING:
      return { ...base, valueType, values: texts };
    case ValueType.BYTES:
      return { ...base, valueType, values: texts.map((each) => Buffer.from(each, 'base64')) };
    case ValueType.INTEGER:
      return { ...base, valueType, values: texts.map(BigInt) };
    case ValueType.DOUBLE:
      return { ...base, valueType, values: texts.map(Number) };
    case ValueType.BOOL:
      return { ...base, valueType, values: texts.map((each) => each === 'true') };
  }
}
