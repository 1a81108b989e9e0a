import { textAt, type MessageBatch } from '../../message/batch/batch.ts';
import { DIRECT_BATCHES } from '../../sandbox/ours/here-seat.ts';
import type { CommandContext } from '../command.ts';
import { decodeChunk, FileTimes, withoutUnchanged, type Decoded } from '../decoded.ts';
import type { FailureReport } from '../failures.ts';
import type { DecodedSource } from '../file-decoders.ts';
import { mapInOrder } from '../in-order.ts';
import type { InputChunk } from '../message-source.ts';
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
  /** A time, in nanoseconds, behind which nothing is wanted; null: none. */
  readonly until: bigint | null;
}

/**
 * Decodes the records of a file, as they are asked for; parts of which nothing is shown are left out. What no decoder takes is shown as it is, so that nobody
 * has to be told of it.
 */
export async function* partsOf(
  { decoder, sandbox, second, chunks }: DecodedSource,
  { source, context, failures, select, until }: PartsOptions,
): AsyncGenerator<Part> {
  const times = new FileTimes();
  const hasComments = decoder?.[0].meta?.comments === true;
  const work = (chunk: InputChunk): Promise<Decoded> => decodeChunk(sandbox, chunk, second);
  for await (const decoded of oneFirst(chunks, work, context.signal)) {
    const { chunk, joined } = decoded;
    const timed = times.timed(decoded);
    const { injected, origins, terminated } = hasComments ? withoutUnchanged(timed) : timed;
    if (terminated !== null) failures.addEnded(chunk.source, chunk.lineOf(Math.max(0, terminated.row)), 'decoder', terminated);
    if (injected !== null && injected.length > 0) {
      const selected = select(injected);
      if (selected.rows.length > 0) {
        const raw = (row: number): string => {
          const origin = origins?.[row] ?? row;
          const last = joined.get(origin) ?? origin;
          const texts: string[] = [];
          for (let at = origin; at <= last; at++) texts.push(textAt(chunk.batch.payload, at) ?? '');
          return texts.join('\n');
        };
        yield { source, batch: injected, ...selected, raw };
      } else if (until !== null && injected.timestamps.every((time) => time >= until)) return;
    }
    if (terminated !== null) return;
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
