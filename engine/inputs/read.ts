import { open } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileChunks, streamChunks, textChunks, type Chunks } from './chunks.ts';
import { isDamaged } from './decompress.ts';
import { damagedProblem, directoryProblem, encodingNotice, fileProblem, truncatedNotice } from './notices.ts';
import { pieceBatch, type RecordHeaders } from './pieces.ts';
import { RecordStream, type StreamPiece } from './record-stream.ts';
import { makeSplitter, type SplitOptions } from './splitters/index.ts';
import type { InputBatch, InputNotice } from './types.ts';

export interface ReadOptions {
  /** `line` by default. */
  readonly split?: SplitOptions;
  /** Longest record in bytes; longer ones are delivered cut. 1 MiB by default, 64 MiB for `none`. */
  readonly maxRecord?: number;
  /** Headers of the records: `logfile`, the source's name and this machine's name by default. */
  readonly type?: string;
  readonly logger?: string;
  readonly hostname?: string;
  /** Told what the user should know; the records go on. */
  readonly notice?: (notice: InputNotice) => void;
}

/** A delimiter at the end of what a quiet stream brought could still grow; after this time it is taken as it is. */
const QUIET_MS = 250;

/**
 * Reads a file, a pipe (`-`: standard input) or a stream once, from its beginning to its end, as records; splitting by lines,
 * `firstLine` is the line number, else the number of the first record. gzip and zstd are unpacked. Memory does not grow with the
 * source. What cannot be read is an InputError with the code and the text of a notice, after the records before the fault.
 */
export async function* readRecords(source: string | Readable, options: ReadOptions = {}): AsyncGenerator<InputBatch, void, undefined> {
  const name = typeof source === 'string' && source !== '-' ? source : 'standard input';
  const split = options.split ?? { kind: 'line' };
  const splitter = makeSplitter(split, options.maxRecord);
  const batches = new StreamBatches(name, options, splitter.maxRecord);
  const chunks = source === '-' ? streamChunks(process.stdin) : typeof source === 'string' ? pathChunks(source) : streamChunks(source);
  const records = new RecordStream(splitter);
  try {
    for await (const chunk of split.kind === 'regex' ? withQuiet(textChunks(chunks, name)) : textChunks(chunks, name)) {
      for (const piece of records.push(chunk ?? NOTHING, chunk === null ? 'pause' : 'more')) yield* batches.of(piece);
    }
    for (const piece of records.push(NOTHING, 'end')) yield* batches.of(piece);
  } catch (error) {
    throw isDamaged(error) ? damagedProblem(name, error) : fileProblem(name, error);
  }
}

const NOTHING = Buffer.alloc(0);

async function* pathChunks(path: string): Chunks {
  const handle = await open(path, 'r');
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) throw directoryProblem(path);
    yield* stat.isFile() ? fileChunks(handle) : streamChunks(handle.createReadStream({ autoClose: false }));
  } finally {
    await handle.close();
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

/** Makes batches, and each kind of notice once. */
class StreamBatches {
  readonly #name: string;
  readonly #headers: RecordHeaders;
  readonly #notice: (notice: InputNotice) => void;
  readonly #maxRecord: number;
  #truncated = false;
  #invalid = false;

  constructor(name: string, options: ReadOptions, maxRecord: number) {
    this.#name = name;
    this.#headers = { type: options.type ?? 'logfile', logger: options.logger ?? name, hostname: options.hostname ?? hostname() };
    this.#notice = options.notice ?? (() => undefined);
    this.#maxRecord = maxRecord;
  }

  *of({ piece }: StreamPiece): Generator<InputBatch> {
    if (piece.invalid && !this.#invalid) {
      this.#invalid = true;
      this.#notice(encodingNotice(this.#name));
    }
    if (piece.truncated && !this.#truncated) {
      this.#truncated = true;
      this.#notice(truncatedNotice(this.#name, this.#maxRecord));
    }
    if (piece.count === 0) return;
    yield {
      batch: pieceBatch(piece, this.#headers),
      firstLine: piece.firstLine,
      source: this.#name,
      acknowledge: () => undefined,
    };
  }
}
