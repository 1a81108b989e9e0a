import { exactCell, spreadsheetCell } from '../api/csv.ts';
import type { ExportFormat } from '../api/export-types.ts';
import { intAt, textAt } from '../message/batch.ts';
import { formatBatch } from '../message/json-encode.ts';
import { formatTimestamp } from '../message/timestamp.ts';
import { columnReader } from './rows.ts';
import { partOf, rawText, withoutRaw } from './segment.ts';
import type { RecordView, ViewRow } from './view.ts';

/** Records that are formatted at once. */
const PIECE = 2000;

/** The form in which records are written. */
export interface ExportForm {
  readonly format: ExportFormat;
  /** Fields that are columns of a table. */
  readonly columns: readonly string[];
  /** Short name of a source. */
  readonly labelOf: (source: number) => string;
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
  for (let start = 0; start < total; start += PIECE) {
    const page = await view.page(start, PIECE);
    yield { text: [...runsOf(page)].map(format).join(''), count: page.length };
  }
}

function formatterOf({ format, columns, labelOf }: ExportForm): { readonly head: string; readonly format: Formatter } {
  switch (format) {
    case 'raw':
      return { head: '', format: rawLines };
    case 'json':
      return { head: '', format: jsonLines };
    case 'csv':
    case 'exact-csv': {
      const line = csvLine(format === 'csv' ? spreadsheetCell : exactCell);
      return { head: line(['Time', 'Severity', 'Source', 'Type', ...columns, 'Text']), format: csvLines(columns, labelOf, line) };
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

function jsonLines(run: readonly ViewRow[]): string {
  const [first] = run;
  if (first === undefined) return '';
  const rows = Uint32Array.from(run, ({ row }) => row);
  return [...formatBatch(withoutRaw(first.stored), rows)].map((line) => `${line}\n`).join('');
}

type CsvLine = (cells: readonly string[]) => string;

function csvLines(columns: readonly string[], labelOf: (source: number) => string, line: CsvLine): Formatter {
  const readers = columns.map((name) => columnReader(`Fields[${name}]`));
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
        ]),
      )
      .join('');
}

/** Makes lines of RFC 4180. */
const csvLine =
  (cell: (text: string) => string): CsvLine =>
  (cells) =>
    `${cells.map(cell).join(',')}\r\n`;
