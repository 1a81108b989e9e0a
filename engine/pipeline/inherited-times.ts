import { fieldAt, textAt, type MessageBatch } from '../message/batch/batch.ts';
import type { FieldColumn } from '../message/batch/columns.ts';
import { nowNs } from '../message/timestamp.ts';
import { ValueType } from '../message/types.ts';
import { withField } from '../message/batch/gather.ts';
import type { Failure } from '../sandbox/contract/types.ts';
import type { DecodedBatch } from './decoded.ts';

/** The field by which a decoder says that a record has no time of its own. */
const UNDATED = 'undated';
/** Records that were written longer ago have no times of now. */
const RECENT_NS = 1_000_000_000n;
/** Bits of a time, in nanoseconds, that a comparison can leave out: four seconds. */
const LOW_BITS = 32n;

/** Facts about the times of a batch besides those of its messages. */
export interface TimeHints {
  /** Time of the last message of the earlier batches; null: none yet. */
  readonly before: bigint | null;
  /** Time at which the batch was decoded: a message of this time was given none by its decoder. null: not known. */
  readonly decodedNs: { readonly from: bigint; readonly to: bigint } | null;
  /** Times at which the records were written, by row of the input; null: not known. */
  readonly written: BigInt64Array | null;
}

/**
 * Makes the hints for a batch that was decoded just now.
 * @param from when its decoding began
 */
export function hintsOf(written: BigInt64Array | null, from: bigint): Omit<TimeHints, 'before'> {
  // A file that was written just now may have times of just now.
  const isOld = (written?.at(-1) ?? from) < from - RECENT_NS;
  return { decodedNs: isOld ? { from, to: nowNs() } : null, written };
}

/**
 * Gives refused records, those that passed as they are, such as the header of a table, and messages whose decoder found no time, the time of the
 * message before them (or after them, at the beginning). Their own is the time of reading, which may be years off in an old log. When no message has a time, they have that of the file.
 */
export function withInheritedTimes(
  decoded: DecodedBatch,
  hints: TimeHints,
): { readonly decoded: DecodedBatch; readonly last: bigint | null } {
  const { before, written } = hints;
  const { batch } = decoded;
  const { length } = batch;
  const timeless = timelessRows(decoded, hints);
  if (timeless.length === 0) return { decoded, last: length === 0 ? before : (batch.timestamps[length - 1] as bigint) };
  const timestamps = batch.timestamps.slice();
  const first = before ?? firstTime(batch, timeless);
  for (const row of timeless) {
    const inherited = row > 0 && first !== null ? timestamps[row - 1] : first;
    timestamps[row] = inherited ?? written?.[decoded.origins?.[row] ?? row] ?? (timestamps[row] as bigint);
  }
  return { decoded: withMarks(withTimes(decoded, timestamps), timeless), last: first === null ? null : (timestamps[length - 1] as bigint) };
}

/** Whether a batch has messages without a time of their own. */
export const hasTimeless = (decoded: DecodedBatch, hints: Omit<TimeHints, 'before'>): boolean =>
  timelessRows(decoded, { ...hints, before: null }).length > 0;

/** The rows of a batch that have no time of their own, ascending. */
function timelessRows(decoded: DecodedBatch, { decodedNs, written }: TimeHints): readonly number[] {
  const { batch, failures, marksUndated } = decoded;
  const rows = new Set(marksUndated ? [] : failures.map(({ row }) => row));
  if (written !== null) for (const row of passedRows(decoded, written)) rows.add(row);
  for (const row of undatedRows(batch)) rows.add(row);
  if (decodedNs !== null) for (const row of rowsWithin(batch.timestamps, decodedNs.from, decodedNs.to)) rows.add(row);
  return [...rows].toSorted((a, b) => a - b);
}

function undatedRows(batch: MessageBatch): readonly number[] {
  const columns = batch.fields.filter(({ name, valueType }) => name === UNDATED && valueType === ValueType.BOOL);
  if (columns.length === 0) return [];
  return Array.from({ length: batch.length }, (_, row) => row).filter((row) =>
    columns.some((column) => fieldAt(column, row)?.values[0] === true),
  );
}

/** The rows that their decoder passed as they are: with the time at which the record was written, and all of its text. */
function passedRows({ batch, raw, origins }: DecodedBatch, written: BigInt64Array): number[] {
  const { payload } = batch;
  if (payload === null || raw === null) return [];
  const times = halvesOf(batch.timestamps);
  const given = halvesOf(written);
  const rows: number[] = [];
  for (let row = 0; row < batch.length; row++) {
    const from = origins === null ? row : (origins[row] as number);
    const isSame = times[row * 2] === given[from * 2] && times[row * 2 + 1] === given[from * 2 + 1];
    if (isSame && textAt(payload, row) === textAt(raw, row)) rows.push(row);
  }
  return rows;
}

/** The rows with a time in [from, to]. Only those whose upper halves fit are compared as a whole. */
function rowsWithin(times: BigInt64Array, from: bigint, to: bigint): number[] {
  const halves = halvesOf(times);
  const [least, most] = [Number(from >> LOW_BITS), Number(to >> LOW_BITS)];
  const rows: number[] = [];
  for (let row = 0; row < times.length; row++) {
    const upper = halves[row * 2 + 1] as number;
    if (upper < least || upper > most) continue;
    const time = times[row] as bigint;
    if (time >= from && time <= to) rows.push(row);
  }
  return rows;
}

/** Times as pairs of their lower and upper halves, which are compared faster. */
function halvesOf({ buffer, byteOffset, length }: BigInt64Array): Int32Array {
  return new Int32Array(buffer, byteOffset, length * 2);
}

/** The first time of a batch that is one; null: there is none. */
function firstTime({ timestamps, length }: MessageBatch, timeless: readonly number[]): bigint | null {
  let row = 0;
  while (timeless[row] === row) row++;
  return row === length ? null : (timestamps[row] as bigint);
}

/** Marks messages whose time is none of their own with the field `undated`, unless their decoder does that itself. */
function withMarks(decoded: DecodedBatch, timeless: readonly number[]): DecodedBatch {
  const { batch, failures } = decoded;
  if (batch.fields.some(({ name }) => name === UNDATED)) return decoded;
  const refused = new Set(failures.map(({ row }) => row));
  const rows = timeless.filter((row) => !refused.has(row));
  if (rows.length === 0) return decoded;
  const marked = withField(batch, markOf(rows));
  if (decoded.decoded === batch) return { ...decoded, batch: marked, decoded: marked };
  let before = 0;
  const places = rows.map((row) => {
    while ((failures[before]?.row ?? Infinity) < row) before++;
    return row - before;
  });
  return { ...decoded, batch: marked, decoded: withField(decoded.decoded, markOf(places)) };
}

function markOf(rows: readonly number[]): FieldColumn {
  const values = new Uint8Array(rows.length).fill(1);
  return { name: UNDATED, representation: '', valueType: ValueType.BOOL, values, rows: Uint32Array.from(rows), offsets: null };
}

/** The decoded records with other times. */
export function withTimes(decoded: DecodedBatch, timestamps: BigInt64Array): DecodedBatch {
  if (timestamps === decoded.batch.timestamps) return decoded;
  const batch = decoded.batch.with({ timestamps });
  return { ...decoded, batch, decoded: decoded.decoded === decoded.batch ? batch : messagesAt(decoded, timestamps) };
}

/** The messages with the times of their rows in the whole batch, which has refused records between them. */
function messagesAt({ decoded, failures }: DecodedBatch, times: BigInt64Array): MessageBatch {
  const refused = new Set(failures.map(({ row }: Failure) => row));
  const timestamps = new BigInt64Array(decoded.length);
  for (let row = 0, message = 0; message < timestamps.length; row++) {
    if (!refused.has(row)) timestamps[message++] = times[row] as bigint;
  }
  return decoded.with({ timestamps });
}
