import { setTimeout as delay } from 'node:timers/promises';
import type { MessageBatch } from '../../message/batch/batch.ts';
import type { Chunks } from '../chunks.ts';
import { damagedStreamNotice, encodingNotice, truncatedNotice } from '../notices.ts';
import { pieceBatch, type RecordHeaders } from '../pieces.ts';
import { RecordStream, type StreamPiece } from '../record-stream.ts';
import type { TextPool } from '../../message/text-pool.ts';
import { initialState } from '../splitter.ts';
import { makeSplitter, type SplitOptions } from '../splitters/index.ts';
import type { InputBatch, InputNotice } from '../types.ts';

export interface StreamBatchesOptions {
  /** Name of the source in notices. */
  readonly name: string;
  readonly split: SplitOptions;
  /** Longest record in bytes; see `makeSplitter`. */
  readonly maxRecord?: number | undefined;
  readonly headers: RecordHeaders;
  /** Memory for the texts of records, which are released when these are acknowledged. Absent: nobody has to acknowledge them. */
  readonly texts?: TextPool | undefined;
  /** Receives notices for the user; reading goes on. */
  readonly notice: (notice: InputNotice) => void;
  /** Adds headers and fields of the input to its records; messages that came framed are left as they are. */
  readonly decorate?: (batch: MessageBatch) => MessageBatch;
}

/** A delimiter at the end of a quiet stream's data could still grow; after this time it is taken as it is. */
const QUIET_MS = 250;
const NOTHING = Buffer.alloc(0);
const LINE_END = 10;

/** Cuts sources that are read from their beginning to their end into batches of records. Reports each kind of problem once. */
export class StreamBatches {
  readonly #options: StreamBatchesOptions;
  readonly #told = new Set<string>();

  constructor(options: StreamBatchesOptions) {
    this.#options = options;
  }

  /** The records of one source. The beginning of a last record at its end counts as a record; when the source fails, if it has whole lines. */
  async *read(chunks: Chunks): AsyncGenerator<InputBatch, void, undefined> {
    const { split, maxRecord } = this.#options;
    const splitter = makeSplitter(split, maxRecord);
    const records = new RecordStream(splitter, initialState(), this.#options.texts ?? 'bytes');
    const stream = split.kind === 'raw' && !split.whole ? records : undefined;
    let fault: { readonly error: unknown } | null = null;
    let isAtLineEnd = true;
    const source = (split.kind === 'regex' ? withQuiet(chunks) : chunks)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await source.next().catch((error: unknown) => ({ done: true as const, value: undefined, error }));
        if ('error' in next) fault = next;
        if (next.done === true) break;
        const { value: chunk } = next;
        isAtLineEnd = chunk === null ? isAtLineEnd : chunk.at(-1) === LINE_END;
        for (const piece of records.push(chunk ?? NOTHING, chunk === null ? 'pause' : 'more'))
          yield* this.#batchOf(piece, splitter.maxRecord, stream);
      }
    } finally {
      await source.return(undefined);
    }
    // A line that is cut could be read as another one.
    if (fault === null || isAtLineEnd)
      for (const piece of records.push(NOTHING, 'end')) yield* this.#batchOf(piece, splitter.maxRecord, stream);
    if (fault !== null) throw fault.error;
  }

  *#batchOf({ piece }: StreamPiece, maxRecord: number, stream: object | undefined): Generator<InputBatch> {
    const { name, headers, decorate } = this.#options;
    if (piece.invalid) this.#tell(encodingNotice(name));
    if (piece.truncated) this.#tell(truncatedNotice(name, maxRecord));
    if (piece.problem !== null) this.#tell(damagedStreamNotice(name, piece.problem));
    if (piece.count === 0) return;
    const batch = pieceBatch(piece, headers);
    yield {
      batch: decorate === undefined || piece.messages !== null ? batch : decorate(batch),
      firstLine: piece.firstLine,
      source: name,
      stream,
      signer: piece.messages === null ? undefined : piece.signer,
      acknowledge: () => piece.payload.latin?.release(),
    };
  }

  #tell(notice: InputNotice): void {
    if (this.#told.has(notice.code)) return;
    this.#told.add(notice.code);
    this.#options.notice(notice);
  }
}

/** The chunks, with null whenever none came for a while after the last one. */
async function* withQuiet(chunks: Chunks): AsyncGenerator<Buffer | null, void, undefined> {
  try {
    for (;;) {
      const next = chunks.next();
      const timer = new AbortController();
      const quiet = delay(QUIET_MS, null, { signal: timer.signal }).catch(() => null);
      const first = await Promise.race([next, quiet]);
      timer.abort();
      if (first === null) yield null;
      const { value, done } = await next;
      if (done === true) return;
      yield value;
    }
  } finally {
    await chunks.return();
  }
}
