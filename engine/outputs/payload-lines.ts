import { isAscii } from 'node:buffer';
import { isStringOneByteRepresentation } from 'node:v8';
import { textAt, type MessageBatch } from '../message/batch/batch.ts';
import type { TextColumn } from '../message/batch/columns.ts';
import { PackedPieces } from '../message/batch/packed.ts';
import type { Failure } from '../sandbox/contract/types.ts';
import type { EncodedRows } from './encode.ts';

/** Text of messages in bytes of ASCII, which may be given back when the lines are made: that of message i is bytes [starts[i], ends[i]). */
interface AsciiTexts {
  readonly bytes: Buffer;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

const LINE_FEED = 10;
/** Bytes of lines that are kept for later ones: more than those of nearly all batches. */
const MOST_KEPT = 4 << 20;

/** Memory for the lines of one batch after the other: as garbage, they would have V8 collect all that is held every few batches. */
export class LineMemory {
  #bytes = Buffer.alloc(0);
  #ends = new Uint32Array(0);

  /** So many bytes; they are valid until the next call. */
  take(size: number): Buffer {
    if (size > MOST_KEPT) return Buffer.allocUnsafeSlow(size);
    if (size > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(size);
    return this.#bytes.subarray(0, size);
  }

  /** Room for the ends of so many lines; valid as long. */
  takeEnds(count: number): Uint32Array {
    if (count > this.#ends.length) this.#ends = new Uint32Array(count);
    return this.#ends.subarray(0, count);
  }
}

/**
 * Encodes rows (ascending; null: all) as the bundled encoder `plain_text` does with its defaults: the Payload, if there is one, and a line end.
 * @param limit bytes from which on a line is refused, as by a script's `output_limit`; 0: there is none
 * @param memory for the lines, which are valid until it is given again; absent: they have their own
 */
export function payloadLines(batch: MessageBatch, rows: Uint32Array | null, limit: number, memory = new LineMemory()): EncodedRows {
  const wanted = rows ?? firstRows(batch.length);
  const texts = asciiTexts(batch.payload, wanted);
  if (texts === null || hasLine(texts, limit)) return anyLines(batch.payload, wanted, limit);
  return { pieces: adjacentLines(texts, memory) ?? copiedLines(texts, memory), rows: wanted, failures: [] };
}

/** The numbers from 0 on; they are only read. */
let numbers = new Uint32Array(0);

function firstRows(length: number): Uint32Array {
  if (length > numbers.length) numbers = Uint32Array.from({ length: Math.max(length, 2 * numbers.length) }, (_, row) => row);
  return numbers.subarray(0, length);
}

/** null: some of the text is not ASCII, or not every message has a text of its own. */
function asciiTexts(column: TextColumn | null, rows: Uint32Array): AsciiTexts | null {
  if (column === null || column.constant !== undefined || column.rows !== null) return null;
  const { starts, ends } = column;
  const bytes = column.latin?.bytes ?? (isStringOneByteRepresentation(column.text) ? Buffer.from(column.text, 'latin1') : null);
  if (bytes === null || !isAscii(bytes)) return null;
  const all = rows.length === starts.length;
  const ofRows = (places: Uint32Array): Uint32Array => (all ? places : rows.map((row) => places[row] as number));
  return { bytes, starts: ofRows(starts), ends: ofRows(ends) };
}

/** Whether a line has so many bytes, or more. */
function hasLine({ starts, ends }: AsciiTexts, limit: number): boolean {
  if (limit === 0) return false;
  for (let i = 0; i < ends.length; i++) if ((ends[i] as number) - (starts[i] as number) + 1 >= limit) return true;
  return false;
}

/** Lines that lie in the bytes as they are to be written, the last one perhaps without its end: those of a stream that was cut at line feeds. null: others. */
function adjacentLines({ bytes, starts, ends }: AsciiTexts, memory: LineMemory): PackedPieces | null {
  const first = starts[0] ?? 0;
  if (starts.length > 1 && starts[1] !== (ends[0] as number) + 1) return null;
  const lineEnds = memory.takeEnds(ends.length);
  let next = first;
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i] as number;
    if (starts[i] !== next || (end < bytes.length && bytes[end] !== LINE_FEED)) return null;
    next = end + 1;
    lineEnds[i] = next - first;
  }
  const lines = memory.take(next - first);
  bytes.copy(lines, 0, first);
  if (lines.length > 0) lines[lines.length - 1] = LINE_FEED;
  return new PackedPieces(lines, lineEnds);
}

function copiedLines({ bytes, starts, ends }: AsciiTexts, memory: LineMemory): PackedPieces {
  const lineEnds = memory.takeEnds(ends.length);
  let size = 0;
  for (let i = 0; i < ends.length; i++) lineEnds[i] = size += (ends[i] as number) - (starts[i] as number) + 1;
  const lines = memory.take(size);
  let at = 0;
  for (let i = 0; i < ends.length; i++) {
    bytes.copy(lines, at, starts[i], ends[i]);
    at = lineEnds[i] as number;
    lines[at - 1] = LINE_FEED;
  }
  return new PackedPieces(lines, lineEnds);
}

/** The slower way, for any text. */
function anyLines(column: TextColumn | null, rows: Uint32Array, limit: number): EncodedRows {
  const texts: Buffer[] = [];
  const made: number[] = [];
  const failures: Failure[] = [];
  let size = 0;
  const ends: number[] = [];
  for (const row of rows) {
    const line = Buffer.from(`${textAt(column, row) ?? ''}\n`);
    if (limit > 0 && line.length >= limit) {
      failures.push({ row, reason: `inject_payload: exceeded output_limit of ${limit}` });
      continue;
    }
    texts.push(line);
    made.push(row);
    ends.push((size += line.length));
  }
  return { pieces: new PackedPieces(Buffer.concat(texts, size), Uint32Array.from(ends)), rows: Uint32Array.from(made), failures };
}
