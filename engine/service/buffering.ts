import { join } from 'node:path';
import { Backoff } from '../base/time/backoff.ts';
import type { FilterConfig } from '../config/schema/sections.ts';
import { DiskQueue } from '../queue/disk-queue.ts';
import { bytesLeft } from '../queue/state.ts';
import type { Buffering } from '../pipeline/buffered-consumer.ts';
import { fileName } from './kept-names.ts';

export interface BufferingSurroundings {
  /** Folder that holds the queues of the service. */
  readonly baseFolder: string;
  /** Mark up to which the output has everything from an earlier run; absent or null: it does not say. */
  readonly delivered?: string | null;
  /** `full_buffer_max_retries` of the service. */
  readonly startRetries: number;
  /** Called with a problem to report to the user. */
  readonly onProblem: (text: string) => void;
  /** Called when a buffer is full and the service has to stop. */
  readonly onFull: (text: string) => void;
}

/** Waits for room before the inputs start; see `retries`. */
const START_WAITS = { delay: 250, max_delay: 30_000, max_jitter: 500 };

/** The folder of a plugin's queue, and of what its output has to know after the service was killed. */
export const queuePath = (baseFolder: string, name: string): string => join(baseFolder, 'output_queue', fileName(name));

/** Opens the disk buffer of a section; undefined when it has none. Throws the errors of the file system. */
export async function openBuffering(
  { name, use_buffering: wanted, buffering }: Pick<FilterConfig, 'name' | 'use_buffering' | 'buffering'>,
  { baseFolder, delivered = null, startRetries, onProblem, onFull }: BufferingSurroundings,
): Promise<Buffering | undefined> {
  const path = queuePath(baseFolder, name);
  if (!wanted) {
    const left = await bytesLeft(path);
    if (left > 0) onProblem(`${left} bytes of messages wait in ${path}: they are delivered when use_buffering is true`);
    return undefined;
  }
  const queue = await DiskQueue.open({
    path,
    maxFileSize: buffering.max_file_size,
    maxBufferSize: buffering.max_buffer_size,
    cursorUpdateCount: buffering.cursor_update_count,
    delivered,
    onProblem,
  });
  const startWaits = (): Backoff => new Backoff({ ...START_WAITS, max_retries: startRetries });
  return { queue, fullAction: buffering.full_action, startWaits, onProblem, onFull };
}
