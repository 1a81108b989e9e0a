import { textAt, type MessageBatch } from '../../message/batch/batch.ts';
import { entryCount, type FieldColumn, type TextColumn } from '../../message/batch/columns.ts';
import { ValueType } from '../../message/types.ts';

/**
 * Texts for messages whose records are not known: host, fields as `name=value`, and payload.
 * @param known texts of some of them, which stay
 */
export function recordTexts(batch: MessageBatch, known: TextColumn | null): TextColumn {
  const parts: string[] = Array.from({ length: batch.length }, (_, row) => pairOf('host', textAt(batch.hostname, row)));
  for (const column of batch.fields) addField(parts, column, batch.length);
  const texts = parts.map((part, row) => textAt(known, row) ?? `${part} ${textAt(batch.payload, row) ?? ''}`.trim());
  const starts = new Uint32Array(batch.length);
  const ends = new Uint32Array(batch.length);
  let at = 0;
  for (const [row, { length }] of texts.entries()) {
    starts[row] = at;
    ends[row] = at += length;
  }
  return { text: texts.join(''), starts, ends, rows: null };
}

function addField(parts: string[], column: FieldColumn, length: number): void {
  const { name, rows, offsets } = column;
  const valueOf = reader(column);
  for (let entry = 0, entries = entryCount(column, length); entry < entries; entry++) {
    const row = rows?.[entry] ?? entry;
    const to = offsets === null ? entry + 1 : (offsets[entry + 1] as number);
    for (let value = offsets?.[entry] ?? entry; value < to; value++) {
      const pair = pairOf(name, valueOf(value));
      parts[row] = parts[row] === '' ? pair : `${parts[row] as string} ${pair}`;
    }
  }
}

/** Reads a value of a column as text. */
function reader(column: FieldColumn): (value: number) => string {
  switch (column.valueType) {
    case ValueType.STRING: {
      const { text, starts, ends } = column.values;
      return (value) => text.slice(starts[value], ends[value]);
    }
    case ValueType.BYTES: {
      const { bytes, starts, ends } = column.values;
      return (value) => Buffer.from(bytes.subarray(starts[value], ends[value])).toString('hex');
    }
    case ValueType.BOOL:
      return (value) => String(column.values[value] === 1);
    case ValueType.INTEGER:
    case ValueType.DOUBLE:
      return (value) => String(column.values[value]);
  }
}

/** Values with blanks, quotes or line ends are quoted as in JSON. */
const pairOf = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `${name}=${/[\s"=\\]|^$/.test(value) ? JSON.stringify(value) : value}`;
