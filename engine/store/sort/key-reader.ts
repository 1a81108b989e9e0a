import { textAt, type MessageBatch } from '../../message/batch/batch.ts';
import { entryOf, type FieldColumn } from '../../message/batch/columns.ts';
import { ValueType } from '../../message/types.ts';
import { PLAIN_PLAN, type SummaryPlan } from '../../message/summary/record-summary.ts';
import { RecordSummaries } from '../record-summaries.ts';
import { rawText } from '../segment.ts';
import { repeatedText } from './repeats.ts';
import { millisecondsOf } from '../times.ts';
import { fieldReader, firstReader, headerReader } from '../values.ts';

/** The source of a row. */
export interface RowSource {
  /** Its short name. */
  readonly label: string;
  /** The plan of the summaries of its records; absent: rows are not sorted by those. */
  readonly plan?: SummaryPlan | undefined;
}

/** Reads what a row is sorted by; null: the row has none. Integers are numbers unless these are not exact. */
export type KeyReader = (row: number) => number | bigint | string | null;

/**
 * A reader of the keys of a column of the table.
 * @param by `time`, `severity`, `source`, `type`, `summary`, `text`, `repeats` (what repeated records share), another header (`Hostname`), or a field (`Fields[status]`)
 * @param about facts of the source of a row
 */
export function keyReader(stored: MessageBatch, by: string, about: (row: number) => RowSource): KeyReader {
  switch (by) {
    case 'time': {
      const times = millisecondsOf(stored.timestamps);
      return (row) => times[row] as number;
    }
    case 'severity':
      return headerKey(stored, 'Severity');
    case 'source':
      return (row) => about(row).label;
    case 'summary': {
      const made = new RecordSummaries<SummaryPlan>((plan) => plan);
      return (row) => made.of(stored, row, about(row).plan ?? PLAIN_PLAN);
    }
    case 'type':
      return headerKey(stored, 'Type');
    case 'text': {
      const raw = rawText(stored);
      return (row) => textAt(stored.payload, row) ?? raw.at(row);
    }
    case 'repeats': {
      const [raw, severity] = [rawText(stored), headerKey(stored, 'Severity')];
      return (row) => `${String(severity(row))} ${repeatedText(raw.at(row))}`;
    }
    case 'Timestamp':
      return (row) => stored.timestamps[row] as bigint;
    default:
      return headerReader(stored, by) === null ? firstReader(stored, by, ofColumn) : headerKey(stored, by);
  }
}

/** An empty text of a header is none. */
function headerKey(stored: MessageBatch, header: string): KeyReader {
  const read = headerReader(stored, header);
  return (row) => {
    const value = read?.(row) ?? null;
    return value === '' ? null : value;
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
