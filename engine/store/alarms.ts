import type { MessageBatch } from '../message/batch/batch.ts';
import type { FieldColumn } from '../message/batch/columns.ts';
import { ValueType } from '../message/types.ts';
import { cellsWith, NO_CELLS, type CellList } from './cells.ts';
import type { Rows } from './query.ts';
import { severityReader } from './summary.ts';
import { isStatusName } from './values.ts';

/** Levels of records that call for attention: errors (severity 0 to 3, or an HTTP status of 500 and more) and warnings (severity 4, or a status from 400 on). */
export type AlarmLevel = 'error' | 'warning';

/** The cells of an entry's rows that hold errors and warnings. */
export interface Alarms {
  readonly error: CellList;
  readonly warning: CellList;
}

export const NO_ALARMS: Alarms = { error: NO_CELLS, warning: NO_CELLS };

/** The numbers that stand for alarms. */
export const ALARM_CODES = { error: 2, warning: 1 } as const;
/** 8: a record without a severity. */
const UNSET = 8;

/** Finds the cells with errors and warnings. @param rows the rows that count; null: all */
export function alarmsOf(batch: MessageBatch, rows: Rows): Alarms {
  const codes = alarmCodes(batch);
  if (codes === null) return NO_ALARMS;
  const count = rows === null ? batch.length : rows.length;
  const cells = (level: AlarmLevel): CellList => cellsWith(codes, ALARM_CODES[level], rows, count);
  return { error: cells('error'), warning: cells('warning') };
}

/** The positions among an entry's rows that hold alarms of a level. */
export function alarmPositions(batch: MessageBatch, rows: Rows, level: AlarmLevel): Rows {
  const codes = alarmCodes(batch);
  return positionsWith(codes ?? new Uint8Array(batch.length), ALARM_CODES[level], rows, rows === null ? batch.length : rows.length);
}

function positionsWith(codes: Uint8Array, code: number, rows: Rows, count: number): Uint32Array {
  const found: number[] = [];
  for (let i = 0; i < count; i++) if (codes[rows === null ? i : (rows[i] as number)] === code) found.push(i);
  return Uint32Array.from(found);
}

/** The alarm of each row as a number; null: none has one. */
export function alarmCodes(batch: MessageBatch): Uint8Array | null {
  const { severity } = batch;
  const statuses = batch.fields.filter(isStatusColumn);
  if (severity === null && statuses.length === 0) return null;
  if (severity?.constant !== undefined && severity.constant > 4 && severity.constant < UNSET) return null;
  const codes = new Uint8Array(batch.length);
  const severityOf = severityReader(severity);
  for (const { rows, values } of statuses) {
    const count = rows === null ? batch.length : rows.length;
    for (let entry = 0; entry < count; entry++) {
      const value = Number(values[entry]);
      if (value >= 400 && value < 600)
        codes[rows === null ? entry : (rows[entry] as number)] = value < 500 ? ALARM_CODES.warning : ALARM_CODES.error;
    }
  }
  if (severity === null) return codes;
  for (let row = 0; row < codes.length; row++) {
    const found = severityOf(row);
    if (found < UNSET) codes[row] = found < 4 ? ALARM_CODES.error : found === 4 ? ALARM_CODES.warning : 0;
  }
  return codes;
}

type NumberColumn = FieldColumn & { readonly valueType: 2 | 3 };

const isStatusColumn = (column: FieldColumn): column is NumberColumn =>
  isStatusName(column.name) && column.offsets === null && (column.valueType === ValueType.DOUBLE || column.valueType === ValueType.INTEGER);
