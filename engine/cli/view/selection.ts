import type { Matcher } from '../../matcher/matcher.ts';
import { parseExpression } from '../expression.ts';
import { UNIVERSAL } from './clock.ts';
import { timeOf } from './times.ts';
import { entryOf, type IntColumn } from '../../message/batch/columns.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';

/** The records that are shown. */
export interface Selection {
  /** The least bad severity; null: any. */
  readonly level: number | null;
  readonly where: Matcher | null;
  /** Times in nanoseconds: from, and below which; null: any. */
  readonly since: bigint | null;
  readonly until: bigint | null;
}

/** The rows that are within the time, and which of them are selected by the rest; null: all of them. */
export interface Selected {
  readonly rows: Uint32Array;
  readonly hits: ReadonlySet<number> | null;
}

/** @param keepsOthers those that are within the time but not selected are kept, as they may stand near a selected one */
export function select(batch: MessageBatch, selection: Selection, keepsOthers: boolean): Selected {
  const timed = timedRows(batch, selection);
  let hits: Uint32Array | null = timed;
  if (selection.level !== null) hits = asBadAs(batch, selection.level, hits);
  if (selection.where !== null) hits = selection.where.select(batch, hits);
  const all = (rows: Uint32Array | null): Uint32Array => rows ?? Uint32Array.from({ length: batch.length }, (_, row) => row);
  if (!keepsOthers || hits === timed) return { rows: all(hits), hits: null };
  return { rows: all(timed), hits: new Set(all(hits)) };
}

/** The selection that the options ask for; null: all records. @throws {UsageError} */
export function selectionOf(values: {
  readonly where?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}): Pick<Matcher, 'select'> | null {
  const where = values.where === undefined ? null : parseExpression('--where', values.where);
  const [since, until] = (['since', 'until'] as const).map((name) => {
    const text = values[name];
    return text === undefined ? null : timeOf(`--${name}`, text, UNIVERSAL);
  }) as [bigint | null, bigint | null];
  if (since === null && until === null) return where;
  return { select: (batch) => select(batch, { level: null, where, since, until }, false).rows };
}

function timedRows({ timestamps, length }: MessageBatch, { since, until }: Selection): Uint32Array | null {
  if (since === null && until === null) return null;
  const rows = new Uint32Array(length);
  let count = 0;
  for (let row = 0; row < length; row++) {
    const time = timestamps[row] as bigint;
    if ((since === null || time >= since) && (until === null || time < until)) rows[count++] = row;
  }
  return rows.subarray(0, count);
}

function asBadAs({ severity, length }: MessageBatch, level: number, from: Uint32Array | null): Uint32Array {
  if (severity === null) return new Uint32Array();
  const rows = new Uint32Array(from?.length ?? length);
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = from?.[at] ?? at;
    const own = severityAt(severity, row);
    if (own >= 0 && own <= level) rows[count++] = row;
  }
  return rows.subarray(0, count);
}

function severityAt(column: IntColumn, row: number): number {
  if (column.constant !== undefined) return column.constant;
  const entry = entryOf(column.rows, row);
  return entry < 0 ? -1 : (column.values[entry] as number);
}
