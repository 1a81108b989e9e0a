import { intAt, textAt, type MessageBatch } from '../../message/batch/batch.ts';
import { entryOf, type FieldColumn } from '../../message/batch/columns.ts';
import { ValueType } from '../../message/types.ts';
import { rawText } from '../segment.ts';
import { millisecondsOf } from '../times.ts';
import { fieldReader } from '../values.ts';

/** Reads what a row is sorted by; null: the row has none. Integers are numbers unless these are not exact. */
export type KeyReader = (row: number) => number | bigint | string | null;

/**
 * A reader of the keys of a column of the table.
 * @param by `time`, `severity`, `source`, `type`, `text`, or a field (`Fields[status]`)
 * @param labelOf short name of the source of a row
 */
export function keyReader(stored: MessageBatch, by: string, labelOf: (row: number) => string): KeyReader {
  switch (by) {
    case 'time': {
      const times = millisecondsOf(stored.timestamps);
      return (row) => times[row] as number;
    }
    case 'severity':
      return (row) => intAt(stored.severity, row) ?? null;
    case 'source':
      return labelOf;
    case 'type':
      return (row) => textAt(stored.type, row) || null;
    case 'text': {
      const raw = rawText(stored);
      return (row) => textAt(stored.payload, row) ?? raw.at(row);
    }
    default:
      return ofField(stored, /^Fields\[(.*)\]$/s.exec(by)?.[1] ?? by);
  }
}

function ofField({ fields }: MessageBatch, name: string): KeyReader {
  const readers = fields.filter((column) => column.name === name).map(ofColumn);
  if (readers.length === 1) return readers[0] as KeyReader;
  return (row) => {
    for (const read of readers) {
      const key = read(row);
      if (key !== null) return key;
    }
    return null;
  };
}

function ofColumn(column: FieldColumn): KeyReader {
  const { valueType, rows, offsets, values } = column;
  if (valueType !== ValueType.INTEGER && valueType !== ValueType.DOUBLE) return fieldReader(column);
  return (row) => {
    const entry = entryOf(rows, row);
    if (entry < 0 || (offsets !== null && offsets[entry] === offsets[entry + 1])) return null;
    const value = values[offsets === null ? entry : (offsets[entry] as number)] as number | bigint;
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  };
}
