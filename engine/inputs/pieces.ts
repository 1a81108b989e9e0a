import { MessageBatch } from '../message/batch/batch.ts';
import type { TextColumn, TextValues } from '../message/batch/columns.ts';
import { backingOf, textHeader } from '../message/latin-text.ts';
import { nowNs } from '../message/timestamp.ts';
import { Cuts, type CutState, type Outlook, type Splitter } from './splitter.ts';
import { recordText, type TextForm } from './text.ts';

/** Some records, cut from bytes. */
export interface Piece {
  readonly payload: TextValues;
  /** The records, if they are messages: then there is no payload. */
  readonly messages: MessageBatch | null;
  /** Signer of the messages. */
  readonly signer: string;
  /** Number of records; can be 0, when only bytes that are no record were used up. */
  readonly count: number;
  /** First byte of each record, counted as `consumed`; of messages nothing. */
  readonly starts: Uint32Array;
  /** See `CutState.line`, of the first record. */
  readonly firstLine: number;
  /** Position behind the bytes that were used up. */
  readonly consumed: number;
  /** The last record was too long and is cut. */
  readonly truncated: boolean;
  /** Some record was no UTF-8. */
  readonly invalid: boolean;
  /** Problem of bytes that were skipped because they are no record. */
  readonly problem: string | null;
}

const NO_TEXT: TextValues = { text: '', starts: new Uint32Array(0), ends: new Uint32Array(0) };
const NO_STARTS = new Uint32Array(0);

/** Memory for records, which is used again: for the few lines that a file has got, new memory takes longer than cutting. */
let spareCuts: Cuts | null = null;

/** Cuts bytes[from …] until more bytes are needed. `state` is moved on with each piece. */
export function* cutPieces(
  splitter: Splitter,
  bytes: Buffer,
  from: number,
  outlook: Outlook,
  state: CutState,
  form?: TextForm,
): Generator<Piece> {
  const cuts = spareCuts ?? new Cuts();
  spareCuts = null;
  try {
    let at = from;
    while (at < bytes.length) {
      const consumed = splitter.cut(bytes, at, outlook, state, cuts);
      if (consumed === at) return;
      at = consumed;
      const { messages, signer, problem, count, firstLine, truncated } = cuts;
      const { values, invalid } = messages === null ? recordText(bytes, cuts, form) : { values: NO_TEXT, invalid: false };
      const starts = messages === null ? cuts.starts.slice(0, count) : NO_STARTS;
      yield { payload: values, messages, signer, count, starts, firstLine, consumed, truncated, invalid, problem };
    }
  } finally {
    cuts.reset();
    spareCuts = cuts;
  }
}

/** The headers that an input gives its records. */
export interface RecordHeaders {
  readonly type: string;
  readonly logger: string;
  /** null: unset. */
  readonly hostname: string | TextColumn | null;
}

/** The batch of a piece; records that are messages already keep their headers. */
export function pieceBatch(piece: Piece, headers: RecordHeaders): MessageBatch {
  return piece.messages ?? recordBatch(piece.payload, headers);
}

/** A batch of records as messages: Timestamp is now, Uuid is made on first use. */
export function recordBatch(payload: TextValues, headers: RecordHeaders): MessageBatch {
  const length = payload.starts.length;
  return new MessageBatch({
    length,
    timestamps: new BigInt64Array(length).fill(nowNs()),
    type: { constant: headers.type },
    logger: { constant: headers.logger },
    hostname: typeof headers.hostname === 'string' ? { constant: headers.hostname } : headers.hostname,
    payload: textHeader(null, backingOf(payload), payload.starts, payload.ends),
  });
}
