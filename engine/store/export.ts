import { exactCell, spreadsheetCell } from '../api/csv.ts';
import { columnVariable } from '../api/columns.ts';
import type { ExportFormat } from '../api/export-types.ts';
import { intAt, textAt, type MessageBatch } from '../message/batch/batch.ts';
import type { FieldColumn, TextValues } from '../message/batch/columns.ts';
import { formatBatch } from '../message/json/json-encode.ts';
import { formatTimestamp } from '../message/timestamp.ts';
import { ValueType } from '../message/types.ts';
import { columnReader } from './rows.ts';
import { partOf, rawText, withoutRaw } from './segment.ts';
import type { ViewRow } from './view-entry.ts';
import type { RecordView } from './view.ts';

/** Records that are formatted at once. */
const PIECE = 2000;

/** The form in which records are written. */
export interface ExportForm {
  readonly format: ExportFormat;
  /** Fields that are columns of a table. */
  readonly columns: readonly string[];
  /** Short name of a source. */
  readonly labelOf: (source: number) => string;
  /** Notes of the marked records, by their numbers. */
  readonly notes: ReadonlyMap<number, string>;
}

/** Some records as text, with their number. */
export interface ExportPiece {
  readonly text: string;
  readonly count: number;
}

type Formatter = (run: readonly ViewRow[]) => string;

/** The records of a view that changes no more, in their order, as text. */
export async function* exportPieces(view: RecordView, form: ExportForm): AsyncGenerator<ExportPiece> {
  const { head, format } = formatterOf(form);
  yield { text: head, count: 0 };
  const { total } = view;
  for (let start = 0; start < total; start += PIECE) yield await pieceOf(view, format, start, PIECE);
}

/** Records that are formatted at once where only so much text is wanted. */
const SMALL_PIECE = 100;

/** Records [start, start + count) of a view as one text: about as many from the first on as fit into so many characters, and at least that one. */
export async function recordText(
  view: RecordView,
  form: ExportForm,
  { start, count, most }: { readonly start: number; readonly count: number; readonly most: number },
): Promise<ExportPiece> {
  const { format } = formatterOf(form);
  let text = '';
  let done = 0;
  while (done < count) {
    const piece = await pieceOf(view, format, start + done, Math.min(SMALL_PIECE, count - done));
    if (piece.count === 0) break;
    if (text.length + piece.text.length > most) return done === 0 ? pieceOf(view, format, start, 1) : { text, count: done };
    text += piece.text;
    done += piece.count;
  }
  return { text, count: done };
}

/** The message of one record as a line of JSON, without its line end. */
export const recordJson = (place: ViewRow): string => jsonLines([place], new Map()).trimEnd();

async function pieceOf(view: RecordView, format: Formatter, start: number, count: number): Promise<ExportPiece> {
  const page = await view.page(start, count);
  return { text: [...runsOf(page)].map(format).join(''), count: page.length };
}

function formatterOf({ format, columns, labelOf, notes }: ExportForm): { readonly head: string; readonly format: Formatter } {
  switch (format) {
    case 'raw':
      return { head: '', format: rawLines };
    case 'json':
      return { head: '', format: (run) => jsonLines(run, notes) };
    case 'csv':
    case 'exact-csv': {
      const line = csvLine(format === 'csv' ? spreadsheetCell : exactCell);
      const marks = notes.size === 0 ? [] : ['Mark', 'Note'];
      return {
        head: line(['Time', 'Severity', 'Source', 'Type', ...columns, 'Text', ...marks]),
        format: csvLines(columns, labelOf, line, notes),
      };
    }
  }
}

/** Neighbours that lie in the same records. */
function* runsOf(page: readonly ViewRow[]): Iterable<readonly ViewRow[]> {
  let from = 0;
  for (let at = 1; at <= page.length; at++) {
    if (page[at]?.stored === page[from]?.stored && at < page.length) continue;
    yield page.slice(from, at);
    from = at;
  }
}

function rawLines(run: readonly ViewRow[]): string {
  const [first] = run;
  if (first === undefined) return '';
  const text = rawText(first.stored);
  return run.map(({ row }) => `${text.at(row)}\n`).join('');
}

function jsonLines(run: readonly ViewRow[], notes: ReadonlyMap<number, string>): string {
  const [first] = run;
  if (first === undefined) return '';
  const rows = Uint32Array.from(run, ({ row }) => row);
  return [...formatBatch(withMarks(withoutRaw(first.stored), first.segment.firstId, notes), rows)].map((line) => `${line}\n`).join('');
}

/** The batch with the fields `marked` and `note` in those of its records that are marked. */
function withMarks(batch: MessageBatch, firstId: number, notes: ReadonlyMap<number, string>): MessageBatch {
  const rows: number[] = [];
  if (notes.size > 0) for (let row = 0; row < batch.length; row++) if (notes.has(firstId + row)) rows.push(row);
  if (rows.length === 0) return batch;
  const noted = rows.filter((row) => notes.get(firstId + row) !== '');
  const marked = field('marked', rows, ValueType.BOOL, new Uint8Array(rows.length).fill(1));
  if (noted.length === 0) return batch.with({ fields: [...batch.fields, marked] });
  const texts = textValues(noted.map((row) => notes.get(firstId + row) ?? ''));
  return batch.with({ fields: [...batch.fields, marked, field('note', noted, ValueType.STRING, texts)] });
}

function field(name: string, rows: readonly number[], valueType: 0, values: TextValues): FieldColumn;
function field(name: string, rows: readonly number[], valueType: 4, values: Uint8Array): FieldColumn;
function field(name: string, rows: readonly number[], valueType: 0 | 4, values: TextValues | Uint8Array): FieldColumn {
  return { name, representation: null, rows: Uint32Array.from(rows), offsets: null, valueType, values } as FieldColumn;
}

function textValues(list: readonly string[]): TextValues {
  let end = 0;
  const ends = Uint32Array.from(list, ({ length }) => (end += length));
  return { text: list.join(''), starts: Uint32Array.from(ends, (at, i) => at - (list[i]?.length ?? 0)), ends };
}

type CsvLine = (cells: readonly string[]) => string;

function csvLines(
  columns: readonly string[],
  labelOf: (source: number) => string,
  line: CsvLine,
  notes: ReadonlyMap<number, string>,
): Formatter {
  const marks = (id: number): string[] => (notes.size === 0 ? [] : [notes.has(id) ? 'marked' : '', notes.get(id) ?? '']);
  const readers = columns.map((name) => columnReader(columnVariable(name)));
  return (run) =>
    run
      .map(({ segment, row, stored }) =>
        line([
          formatTimestamp(stored.timestamps[row] as bigint),
          String(intAt(stored.severity, row) ?? ''),
          labelOf(partOf(segment, row).source),
          textAt(stored.type, row) ?? '',
          ...readers.map((read) => read(stored, row) ?? ''),
          textAt(stored.payload, row) ?? rawText(stored).at(row),
          ...marks(segment.firstId + row),
        ]),
      )
      .join('');
}

/** Makes lines of RFC 4180. */
const csvLine =
  (cell: (text: string) => string): CsvLine =>
  (cells) =>
    `${cells.map(cell).join(',')}\r\n`;
