import { fieldAt, MessageBatch } from '../message/batch.ts';
import { entryOf, type TextColumn } from '../message/columns.ts';
import { asFailed, mergeRows } from '../message/gather.ts';
import { ValueType } from '../message/types.ts';
import type { Failure } from '../sandbox/types.ts';

/** One batch of records after decoding, in the order in which the records were read. */
export interface DecodedBatch {
  /**
   * The messages. A refused record is included as it was read, with Fields[decode_failure] and Fields[decode_error].
   */
  readonly batch: MessageBatch;
  /** The messages without the refused records. */
  readonly decoded: MessageBatch;
  /** Original record of each message; null when the messages are the records themselves. */
  readonly raw: TextColumn | null;
  /** Refused records: their row in `batch`, ascending, and the decoder's reason. */
  readonly failures: readonly Failure[];
  /** Row of the input batch for each message; null: row i came from row i. */
  readonly origins: Uint32Array | null;
}

/** Result of decoding an input batch; `failures` name rows of the input, ascending. */
export interface DecodeOutcome {
  readonly injected: MessageBatch | null;
  readonly origins: Uint32Array | null;
  readonly failures: readonly Failure[];
}

/** The field by which a decoder says that a record has no time of its own. */
const UNDATED = 'undated';

const NO_MESSAGES = new MessageBatch({ length: 0, timestamps: new BigInt64Array(0) });

/** Merges the messages of a decoder with the records it refused, in the order of the input. */
export function mergeDecoded(input: MessageBatch, outcome: DecodeOutcome): DecodedBatch {
  const { injected, failures } = outcome;
  if (failures.length === 0 && injected !== null) {
    const { origins } = outcome;
    return { batch: injected, decoded: injected, raw: textOfRows(input.payload, origins), failures: [], origins };
  }
  const refused = asFailed(
    input,
    Uint32Array.from(failures, (failure) => failure.row),
    failures.map((failure) => failure.reason),
  );
  if (injected === null || injected.length === 0) {
    const origins = Uint32Array.from(failures, (failure) => failure.row);
    const raw = textOfRows(input.payload, origins);
    return { batch: refused, decoded: NO_MESSAGES, raw, failures: failures.map(({ reason }, row) => ({ row, reason })), origins };
  }
  const plan = interleave(outcome.origins, injected.length, failures);
  return {
    batch: mergeRows([
      { batch: injected, order: plan.messages },
      { batch: refused, order: Uint32Array.from(plan.failures, (failure) => failure.row) },
    ]),
    decoded: injected,
    raw: textOfRows(input.payload, plan.origins),
    failures: plan.failures,
    origins: plan.origins,
  };
}

/**
 * Gives refused records, and messages that their decoder marked with the field undated, the time of the record before them (or after them, at the
 * beginning). Their own is the time of reading, which may be years off in an old log.
 * @param before time of the last message of the earlier batches; null: none yet
 */
export function withInheritedTimes(
  decoded: DecodedBatch,
  before: bigint | null,
): { readonly decoded: DecodedBatch; readonly last: bigint | null } {
  const { batch, failures } = decoded;
  const { length } = batch;
  const timeless = timelessRows(decoded);
  if (timeless.length === 0) return { decoded, last: length === 0 ? before : (batch.timestamps[length - 1] as bigint) };
  if (before === null && timeless.length === length) return { decoded, last: null };
  const timestamps = batch.timestamps.slice();
  for (const row of timeless) {
    timestamps[row] = row > 0 ? (timestamps[row - 1] as bigint) : (before ?? firstTime(batch, timeless));
  }
  const timed = batch.with({ timestamps });
  const last = timestamps[length - 1] as bigint;
  if (decoded.decoded === batch) return { decoded: { ...decoded, batch: timed, decoded: timed }, last };
  return { decoded: { ...decoded, batch: timed, decoded: withTimesOf(decoded.decoded, timestamps, failures) }, last };
}

/** The rows of a batch that have no time of their own, ascending. */
function timelessRows({ batch, failures }: DecodedBatch): readonly number[] {
  const refused = failures.map(({ row }) => row);
  const undated = rowsWithFlag(batch, UNDATED);
  return undated.length === 0 ? refused : [...refused, ...undated].toSorted((a, b) => a - b);
}

/** The rows in which a field is true. */
function rowsWithFlag({ fields, length }: MessageBatch, name: string): readonly number[] {
  const columns = fields.filter((column) => column.name === name && column.valueType === ValueType.BOOL);
  if (columns.length === 0) return [];
  return Array.from({ length }, (_, row) => row).filter((row) =>
    columns.some((column) => fieldAt(column, row)?.values[0] === true),
  );
}

function firstTime({ timestamps }: MessageBatch, timeless: readonly number[]): bigint {
  let row = 0;
  while (timeless[row] === row) row++;
  return timestamps[row] as bigint;
}

/** Gives the messages the times of their rows in the whole batch, which has refused records between them. */
function withTimesOf(decoded: MessageBatch, times: BigInt64Array, failures: readonly Failure[]): MessageBatch {
  const timestamps = new BigInt64Array(decoded.length);
  let refused = 0;
  for (let row = 0, message = 0; message < timestamps.length; row++) {
    if (failures[refused]?.row === row) refused++;
    else timestamps[message++] = times[row] as bigint;
  }
  return decoded.with({ timestamps });
}

interface Interleaving {
  /** Output row of each message. */
  readonly messages: Uint32Array;
  readonly origins: Uint32Array;
  /** Output row of each failure, with its reason. */
  readonly failures: readonly Failure[];
}

/** Interleaves messages and failures by record. A record's messages come before its failure, since the script injected them first. */
function interleave(origins: Uint32Array | null, injected: number, failures: readonly Failure[]): Interleaving {
  const total = injected + failures.length;
  const messages = new Uint32Array(injected);
  const from = new Uint32Array(total);
  const placed: Failure[] = [];
  let message = 0;
  for (let at = 0; at < total; at++) {
    const failure = failures[placed.length];
    const origin = message < injected ? (origins === null ? message : (origins[message] as number)) : Infinity;
    if (failure === undefined || origin <= failure.row) {
      messages[message++] = at;
      from[at] = origin;
    } else {
      placed.push({ row: at, reason: failure.reason });
      from[at] = failure.row;
    }
  }
  return { messages, origins: from, failures: placed };
}

/** Returns a column with the texts of these rows; the text is shared, not copied. */
function textOfRows(column: TextColumn | null, rows: Uint32Array | null): TextColumn | null {
  if (column === null || column.constant !== undefined || rows === null) return column;
  const starts = new Uint32Array(rows.length);
  const ends = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const entry = entryOf(column.rows, rows[i] as number);
    if (entry < 0) continue;
    starts[i] = column.starts[entry] as number;
    ends[i] = column.ends[entry] as number;
  }
  return { text: column.text, starts, ends, rows: null };
}
