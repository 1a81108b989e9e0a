import { textAt, type MessageBatch } from '../../message/batch/batch.ts';
import { DIRECT_BATCHES } from '../../sandbox/ours/here-seat.ts';
import type { CommandContext } from '../command.ts';
import { decodeChunk, FileTimes, isSelfReliant, withoutUnchanged, type Decoded } from '../decoded.ts';
import type { FailureReport } from '../failures.ts';
import type { DecodedSource } from '../file-decoders.ts';
import { mapInOrder } from '../in-order.ts';
import type { InputChunk } from '../message-source.ts';
import type { LevelSieve } from './level-sieve.ts';
import type { LineSource } from './lines.ts';
import type { Selected } from './selection.ts';

/** Decoded records of a file, in its order, of which some are shown. */
export interface Part extends Selected {
  readonly source: LineSource;
  readonly batch: MessageBatch;
  /** The record of a row as it was read. */
  readonly raw: (row: number) => string;
}

export interface PartsOptions {
  readonly source: LineSource;
  readonly context: CommandContext;
  readonly failures: FailureReport;
  readonly select: (batch: MessageBatch) => Selected;
  /** Leaves out records that are not shown, of chunks that can be released; null: all are decoded. */
  readonly sieve: LevelSieve | null;
  /** A time, in nanoseconds, behind which nothing is wanted; null: none. */
  readonly until: bigint | null;
}

/** Makes parts of the decoded records of a file, in its order. */
export class PartMaker {
  readonly #options: Pick<PartsOptions, 'source' | 'failures' | 'select'>;
  readonly decoder: DecodedSource['decoder'];
  readonly #times = new FileTimes();
  /** The decoder has ended. */
  isOver = false;
  /** The messages of the last records, also when none of them is shown. */
  messages: MessageBatch | null = null;

  constructor(decoder: DecodedSource['decoder'], options: Pick<PartsOptions, 'source' | 'failures' | 'select'>) {
    this.#options = options;
    this.decoder = decoder;
  }

  /** @returns null: nothing of them is shown */
  part(decoded: Decoded): Part | null {
    const { source, failures, select } = this.#options;
    const { chunk, joined } = decoded;
    const timed = this.#times.timed(decoded);
    const { injected, origins, terminated } = this.decoder?.[0].meta?.comments === true ? withoutUnchanged(timed) : timed;
    if (terminated !== null) {
      failures.addEnded(chunk.source, chunk.lineOf(Math.max(0, terminated.row)), 'decoder', terminated);
      this.isOver = true;
    }
    this.messages = injected;
    if (injected === null || injected.length === 0) return null;
    const selected = select(injected);
    if (selected.rows.length === 0) return null;
    const raw = (row: number): string => {
      const origin = origins?.[row] ?? row;
      const last = joined.get(origin) ?? origin;
      const texts: string[] = [];
      for (let at = origin; at <= last; at++) texts.push(textAt(chunk.batch.payload, at) ?? '');
      return texts.join('\n');
    };
    return { source, batch: injected, ...selected, raw };
  }
}

/**
 * Decodes the records of a file, as they are asked for; parts of which nothing is shown are left out. What no decoder takes is shown as it is, so that nobody
 * has to be told of it.
 */
export async function* partsOf({ decoder, sandbox, second, chunks }: DecodedSource, options: PartsOptions): AsyncGenerator<Part> {
  const maker = new PartMaker(decoder, options);
  const { until, context, sieve } = options;
  const work = async (chunk: InputChunk): Promise<Decoded> => {
    const wanted = sieve?.wanted(chunk) ?? null;
    const decoded = wanted === null ? null : await decodeChunk(sandbox, wanted, null);
    if (decoded === null || !isSelfReliant(decoded)) return decodeChunk(sandbox, chunk, second);
    chunk.release?.();
    return decoded;
  };
  for await (const decoded of oneFirst(chunks, work, context.signal)) {
    const part = maker.part(decoded);
    const { messages, isOver } = maker;
    if (part !== null) yield part;
    else if (until !== null && messages !== null && messages.length > 0 && messages.timestamps.every((time) => time >= until)) return;
    if (isOver) return;
  }
}

/** Works on the first chunk alone, so that it is shown at once, and on several of the others at a time. */
async function* oneFirst(
  chunks: AsyncIterable<InputChunk>,
  work: (chunk: InputChunk) => Promise<Decoded>,
  signal: AbortSignal,
): AsyncGenerator<Decoded> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    const first = await source.next();
    if (first.done === true) return;
    yield await work(first.value);
    yield* mapInOrder({ [Symbol.asyncIterator]: () => source }, work, DIRECT_BATCHES, signal);
  } finally {
    await source.return?.();
  }
}
