import { MessageBatch } from '../message/batch/batch.ts';
import { entryOf, type TextColumn } from '../message/batch/columns.ts';
import { asFailed, mergeRows, takeRows } from '../message/batch/gather.ts';
import { backingOf, textHeader } from '../message/latin-text.ts';
import type { Failure } from '../sandbox/contract/types.ts';

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
  /** Refused records have a time of their own, or the field `undated`; absent: none has a time of its own. */
  readonly marksUndated?: true;
  /** Number of failures, the last ones, that are records for which there was no decoder any more. */
  readonly undecoded: number;
  /** Rows of `batch` that the decoder passed on as they were (ascending); absent: none. */
  readonly unchanged?: Uint32Array | undefined;
  /** Rows of `batch` that another decoder than that of the source made (ascending); absent: none. */
  readonly others?: readonly number[];
}

/** Result of decoding an input batch; `failures` name rows of the input, ascending. */
export interface DecodeOutcome {
  readonly injected: MessageBatch | null;
  readonly origins: Uint32Array | null;
  readonly failures: readonly Failure[];
  /** Number of failures, the last ones, that are records for which there was no decoder any more; 0 by default. */
  readonly undecoded?: number;
  /** Rows of `injected` that are records as they were (ascending); absent: none. */
  readonly unchanged?: Uint32Array | undefined;
}

const NO_MESSAGES = new MessageBatch({ length: 0, timestamps: new BigInt64Array(0) });

/** Merges the messages of a decoder with the records it refused, in the order of the input. */
export function mergeDecoded(input: MessageBatch, outcome: DecodeOutcome): DecodedBatch {
  const { injected, failures, undecoded = 0, unchanged } = outcome;
  if (failures.length === 0 && injected !== null) {
    const { origins } = outcome;
    const raw = textOfRows(input.payload, origins);
    return { batch: injected, decoded: injected, raw, failures: [], origins, undecoded, unchanged };
  }
  const refused = asFailed(
    input,
    Uint32Array.from(failures, (failure) => failure.row),
    failures.map((failure) => failure.reason),
  );
  if (injected === null || injected.length === 0) {
    const origins = Uint32Array.from(failures, (failure) => failure.row);
    const raw = textOfRows(input.payload, origins);
    const placed = failures.map(({ reason }, row) => ({ row, reason }));
    return { batch: refused, decoded: NO_MESSAGES, raw, failures: placed, origins, undecoded };
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
    undecoded,
    unchanged: unchanged?.map((row) => plan.messages[row] as number),
  };
}

/** The messages without the records that the decoder refused, and with those for which there was no decoder any more. */
export function withoutRefused({ batch, decoded, failures, undecoded }: DecodedBatch): MessageBatch {
  if (undecoded === 0) return decoded;
  const refused = new Set(failures.slice(0, failures.length - undecoded).map(({ row }) => row));
  if (refused.size === 0) return batch;
  return takeRows(
    batch,
    Uint32Array.from({ length: batch.length }, (_, row) => row).filter((row) => !refused.has(row)),
  );
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
export function textOfRows(column: TextColumn | null, rows: Uint32Array | null): TextColumn | null {
  if (column === null || column.constant !== undefined || rows === null) return column;
  const starts = new Uint32Array(rows.length);
  const ends = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const entry = entryOf(column.rows, rows[i] as number);
    if (entry < 0) continue;
    starts[i] = column.starts[entry] as number;
    ends[i] = column.ends[entry] as number;
  }
  return textHeader(null, backingOf(column), starts, ends);
}
