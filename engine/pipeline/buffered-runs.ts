import { messageOf } from '../base/errors.ts';
import { BatchBuilder } from '../message/batch/builder.ts';
import { decodeMessage } from '../message/protobuf/protobuf.ts';
import type { QueueChunk } from '../queue/disk-queue.ts';
import type { Routed } from './selection.ts';

/** Messages of a chunk with the same loop count and origin, and the record of each. */
export interface Run {
  readonly routed: Routed;
  readonly indexes: readonly number[];
  /** The rows of the batch that they are; absent: all. They were selected when they were stored. */
  readonly rows?: Uint32Array;
}

/** The messages that were stored at once. */
export class Stored {
  readonly routed: Routed;
  /** Row of each. */
  readonly rows: Uint32Array;

  constructor(routed: Routed, rows: Uint32Array) {
    this.routed = routed;
    this.rows = rows;
  }
}

/** The messages of a chunk of a disk buffer. @param signer of all of them */
export function runsOf(chunk: QueueChunk, signer: string, onProblem: (text: string) => void): Run[] {
  return storedRuns(chunk, signer) ?? [...decodedRuns(chunk, signer, onProblem)];
}

/** The rows that the chunk was made of; null: it comes from the disk. */
function storedRuns({ origin, records }: QueueChunk, signer: string): Run[] | null {
  if (!(origin?.of instanceof Stored)) return null;
  const { of: stored, from } = origin;
  const rows = stored.rows.subarray(from, from + records.length);
  return [{ routed: { ...stored.routed, signer }, rows, indexes: Array.from(rows.keys()) }];
}

/** Decodes records into batches of messages with the same loop count and origin. */
function* decodedRuns({ records }: QueueChunk, signer: string, onProblem: (text: string) => void): Iterable<Run> {
  const builder = new BatchBuilder();
  let indexes: number[] = [];
  for (const [i, record] of records.entries()) {
    try {
      builder.append(decodeMessage(record.message));
      indexes.push(i);
    } catch (error) {
      onProblem(`a record of its buffer holds no message: ${messageOf(error)}`);
    }
    const { loop, injected, clock } = record;
    const next = records[i + 1];
    if (next?.loop === loop && next.injected === injected && next.clock === clock) continue;
    if (builder.length > 0) {
      yield { routed: { batch: builder.build(), loop, signer, injected, clock }, indexes };
    }
    indexes = [];
  }
}
