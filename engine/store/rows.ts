import { COLUMN_ORDER, headerNamed, type Header } from '../api/headers.ts';
import { RULE_FIELD, RULE_LEVEL_FIELD, type RuleLevel } from '../api/rule-fields.ts';
import type { FieldInfo, RecordDetail, RecordHeaders, RecordRow } from '../api/types.ts';
import { fieldAt, intAt, messageWith, textAt, type MessageBatch } from '../message/batch/batch.ts';
import { withoutEscapes } from '../base/text/terminal-escapes.ts';
import { ValueType, type Field } from '../message/types.ts';
import { typeFacts } from '../message/value-types.ts';
import { partOf, rawText, withoutRaw } from './segment.ts';
import type { RecordStore } from './record-store.ts';
import { RecordSummaries, type PlanOf } from './record-summaries.ts';
import { milliseconds } from './times.ts';
import type { ViewRow } from './view-entry.ts';
import { RecordView } from './view.ts';

const NOTHING = (): void => undefined;

/** Characters of a text that the table gets. */
const MAX_TEXT = 2000;
/** Rules of a record that the table gets. */
const MOST_RULES = 20;

/** Reads one variable of a row as text; null when it has none. */
export type ColumnReader = (batch: MessageBatch, row: number) => string | null;

function readHeader(header: Header, batch: MessageBatch, row: number): string | null {
  switch (header.kind) {
    case 'text':
      return textAt(batch[header.member], row) ?? null;
    case 'int':
      return intAt(batch[header.member], row)?.toString() ?? null;
    case 'time':
      return (batch.timestamps[row] as bigint).toString();
    case 'uuid':
      return uuidText(batch.uuids, row);
  }
}

/** Parts of rows that not every table shows. */
interface RowExtras {
  /** Makes their summaries; absent: they have none. */
  readonly planOf?: PlanOf | undefined;
  /** The row before the first one, from which on the time between rows is told; null: there is none. Absent: it is not told. */
  readonly before?: ViewRow | null | undefined;
  /** Records that a row of the page stands for; absent: one. */
  readonly countOf?: (row: number) => number;
}

/** The rows of a page as the table shows them. `columns` are message variables (`Hostname`, `Fields[status]`) or bare field names. */
export function recordRows(
  page: readonly ViewRow[],
  columns: readonly string[],
  { planOf, before, countOf = () => 1 }: RowExtras = {},
): RecordRow[] {
  const readers = columns.map(columnReader);
  const summaries = planOf === undefined ? undefined : new RecordSummaries(planOf);
  const rows = page.map((place, i): RecordRow => {
    const [row, repeats] = [recordRow(place, readers, summaries), countOf(i)];
    return repeats === 1 ? row : { ...row, repeats };
  });
  return before === undefined ? rows : withDistances(rows, before === null ? null : timeOf(before));
}

const timeOf = ({ stored, row }: Pick<ViewRow, 'stored' | 'row'>): bigint => stored.timestamps[row] as bigint;

/** The rows with the times between them. @param before the time of the row before the first one; null: there is none */
export function withDistances<Row extends Pick<RecordRow, 'timeNs'>>(
  rows: readonly Row[],
  before: bigint | null,
): (Row & { since: number | null })[] {
  let last = before;
  return rows.map((row) => {
    const time = BigInt(row.timeNs);
    const since = last === null ? null : Number(time - last);
    last = time;
    return { ...row, since };
  });
}

/** The first records of a source as they were read, as far as they are in memory or in the file. */
export async function firstRaw(store: RecordStore, source: number, count: number): Promise<string[]> {
  const view = new RecordView(store, { sources: [source] }, NOTHING, NOTHING);
  try {
    return (await view.page(0, count)).map(({ stored, row }) => rawText(stored).at(row));
  } finally {
    view.close();
  }
}

/** Everything about one record. */
export function recordDetail(place: ViewRow): RecordDetail {
  const { stored, row, segment } = place;
  const batch = withoutRaw(stored);
  const fields: FieldInfo[] = [];
  for (const column of batch.fields) {
    const field = fieldAt(column, row);
    if (field) fields.push(fieldInfo(field));
  }
  const part = partOf(segment, row);
  const headers = messageWith(batch, row, []);
  return {
    ...(Object.fromEntries(COLUMN_ORDER.map(({ member }) => [member, headers[member] ?? null])) as RecordHeaders),
    ...recordRow(place, []),
    uuid: uuidText(batch.uuids, row),
    raw: rawText(stored).at(row),
    decoder: part.decoder,
    fields,
  };
}

function recordRow({ segment, row, stored }: ViewRow, readers: readonly ColumnReader[], summaries?: RecordSummaries): RecordRow {
  const { source, decoder } = partOf(segment, row);
  return { id: segment.firstId + row, ...rowContent({ stored, row, source, decoder }, readers, summaries) };
}

/** A record with its raw column, its source and its decoder. */
interface StoredRow {
  readonly stored: MessageBatch;
  readonly row: number;
  readonly source: number;
  readonly decoder: string | null;
}

/** A line of the table without the number of its record. */
export function rowContent(place: StoredRow, readers: readonly ColumnReader[], summaries?: RecordSummaries): Omit<RecordRow, 'id'> {
  const { stored, row, source, decoder } = place;
  const ns = stored.timestamps[row] as bigint;
  const text = textAt(stored.payload, row) ?? rawText(stored).at(row);
  return {
    time: milliseconds(ns),
    timeNs: ns.toString(),
    severity: intAt(stored.severity, row) ?? null,
    source,
    logger: textAt(stored.logger, row) ?? '',
    type: textAt(stored.type, row) ?? '',
    text: withoutEscapes(text.slice(0, MAX_TEXT)),
    ...errorOf(stored, row),
    ...(isUndated(stored, row) ? { undated: true as const } : {}),
    ...rulesOf(stored, row),
    ...(summaries === undefined ? {} : { summary: summaries.of(stored, row, decoder) }),
    values: readers.map((read) => read(stored, row)?.slice(0, MAX_TEXT) ?? null),
  };
}

/** Whether the time of a record is that of a neighbour or of its file. */
export const isUndated = (stored: MessageBatch, row: number): boolean => firstField(stored, 'undated', row)?.values[0] === true;

/** The rules that are true of a record. */
function rulesOf(stored: MessageBatch, row: number): Pick<RecordRow, 'rules'> {
  const titles = firstField(stored, RULE_FIELD, row);
  if (titles === undefined) return {};
  const level = firstField(stored, RULE_LEVEL_FIELD, row)?.values[0] as RuleLevel;
  return { rules: { level, titles: valuesOf(titles).slice(0, MOST_RULES) } };
}

/** The word of the decoder of a record about it: why it refused it, or took it in part. */
function errorOf(batch: MessageBatch, row: number): Pick<RecordRow, 'failure' | 'incomplete'> {
  const error = firstField(batch, 'decode_error', row);
  if (firstField(batch, 'decode_failure', row)?.values[0] === true) return { failure: valuesOf(error).join(', ') };
  return error === undefined || error === null ? { failure: null } : { failure: null, incomplete: valuesOf(error).join(', ') };
}

/** Reads a variable, or all values of the field of that name. */
export function columnReader(name: string): ColumnReader {
  const header = headerNamed(name);
  if (header !== undefined) return (batch, row) => readHeader(header, batch, row);
  const field = /^Fields\[(.*)\]$/s.exec(name)?.[1] ?? name;
  return (batch, row) => {
    const found = fieldsAt(batch, field, row);
    return found.length === 0 ? null : found.flatMap(valuesOf).join(', ');
  };
}

function fieldsAt(batch: MessageBatch, name: string, row: number): Field[] {
  return batch.fields.flatMap((column) => (column.name === name ? (fieldAt(column, row) ?? []) : []));
}

function firstField(batch: MessageBatch, name: string, row: number): Field | undefined {
  for (const column of batch.fields) {
    if (column.name !== name) continue;
    const field = fieldAt(column, row);
    if (field) return field;
  }
  return undefined;
}

/** A field as the window shows it. */
export function fieldInfo(field: Field): FieldInfo {
  return {
    name: field.name,
    type: typeFacts(field.valueType).name,
    representation: field.representation ?? null,
    values: valuesOf(field),
  };
}

function valuesOf(field: Field | undefined): string[] {
  if (field === undefined) return [];
  if (field.valueType === ValueType.BYTES) return field.values.map((bytes) => Buffer.from(bytes).toString('hex'));
  return field.values.map(String);
}

function uuidText(uuids: Uint8Array, row: number): string {
  const hex = Buffer.from(uuids.buffer, uuids.byteOffset + row * 16, 16).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
