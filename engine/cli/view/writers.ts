import { exactCell } from '../../api/csv.ts';
import { headerNamed } from '../../api/headers.ts';
import { SEVERITY_NAMES } from '../../api/severities.ts';
import { withoutEscapes } from '../../base/text/terminal-escapes.ts';
import { fieldAt, intAt, textAt, type MessageBatch } from '../../message/batch/batch.ts';
import { encodeJsonLines } from '../../message/json/json-encode.ts';
import { JsonSink } from '../../message/json/json-sink.ts';
import { UNTOLD } from '../../message/summary/record-summary.ts';
import { formatTimestamp } from '../../message/timestamp.ts';
import type { Output } from '../output.ts';
import type { Shown } from './around.ts';
import { CODES, painterOf } from './colours.ts';
import { LineWriter, type LineForm } from './lines.ts';

/** Writes records in some form. */
export interface RecordWriter {
  write(shown: readonly Shown[]): Promise<void>;
  /** Looks at records that are about to be written. */
  expect?(part: Shown['part']): void;
  /** Writes what can be told at the end alone. */
  end(): void;
}

/** Records as lines for people. */
export function linesTo(out: Output, form: LineForm): RecordWriter {
  const lines = new LineWriter(form);
  const gap = `${painterOf(form.hasColours)('--', CODES.dim)}\n`;
  const written = eachTo(out, ({ part, row, isApart }) => (isApart ? gap : '') + lines.line(part.batch, row, part.source));
  return { ...written, expect: (part) => lines.expect(part) };
}

/** Records as they were read. */
export const rawTo = (out: Output): RecordWriter => eachTo(out, ({ part, row }) => `${part.raw(row)}\n`);

function eachTo(out: Output, text: (shown: Shown) => string): RecordWriter {
  return {
    async write(shown) {
      for (const one of shown) {
        out.add(text(one));
        await out.room();
      }
    },
    end: () => undefined,
  };
}

/** The number of records. */
export function countTo(out: Output): RecordWriter {
  let count = 0;
  return {
    write: async (shown) => {
      count += shown.length;
      return Promise.resolve();
    },
    end: () => out.add(`${count}\n`),
  };
}

/** Messages as decode prints them. */
export function jsonTo(out: Output): RecordWriter {
  const sink = new JsonSink();
  return {
    async write(shown) {
      for (let from = 0; from < shown.length;) {
        const { batch } = (shown[from] as Shown).part;
        let to = from + 1;
        while (shown[to]?.part.batch === batch) to++;
        const rows = Uint32Array.from(shown.slice(from, to), ({ row }) => row);
        await out.write(encodeJsonLines(batch, rows, sink).bytes);
        from = to;
      }
    },
    end: () => undefined,
  };
}

/** Columns of a table that every log has. */
const COMMON = {
  time: (batch: MessageBatch, row: number): string => formatTimestamp(batch.timestamps[row] as bigint),
  level: (batch: MessageBatch, row: number): string => SEVERITY_NAMES[intAt(batch.severity, row) ?? -1]?.[0] ?? '',
  message: (batch: MessageBatch, row: number): string => withoutEscapes(textAt(batch.payload, row) ?? ''),
} as const;

/**
 * A table, with the names of the columns first: those that are asked for, or the time, the level, the text and the fields of the first records.
 * @param tell called with a sentence about fields that come too late for a column
 */
export function csvTo(out: Output, fields: readonly string[] | null, tell: (text: string) => void): RecordWriter {
  const common = fields === null ? (['time', 'level', 'message'] as const) : (['time', 'level'] as const);
  let names: readonly string[] | null = null;
  const late = new Set<string>();
  return {
    async write(shown) {
      for (const { part, row } of shown) {
        const { batch } = part;
        if (names === null) {
          names = fields ?? [...fieldsOf(batch)];
          out.add(`${[...common, ...names].map(exactCell).join(',')}\n`);
        }
        if (fields === null) for (const name of fieldsOf(batch)) if (!names.includes(name)) late.add(name);
        const cells = [...common.map((name) => COMMON[name](batch, row)), ...names.map((name) => cell(batch, row, name))];
        out.add(`${cells.map(exactCell).join(',')}\n`);
        await out.room();
      }
    },
    end() {
      if (late.size > 0) tell(`left out as no column of the first records: ${[...late].join(', ')}; --fields names columns`);
    },
  };
}

const fieldsOf = ({ fields }: MessageBatch): string[] => [...new Set(fields.map(({ name }) => name))].filter((name) => !UNTOLD.test(name));

/** The values of a field or a header as they are. */
function cell(batch: MessageBatch, row: number, name: string): string {
  const header = headerNamed(name);
  if (header?.kind === 'text') return withoutEscapes(textAt(batch[header.member], row) ?? '');
  if (header?.kind === 'int') return intAt(batch[header.member], row)?.toString() ?? '';
  const column = batch.fields.find((one) => one.name === name && fieldAt(one, row) !== undefined);
  return (column === undefined ? [] : (fieldAt(column, row)?.values ?? [])).map(String).join(', ');
}
