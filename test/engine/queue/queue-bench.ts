/** Queues on disk, and what tests do with them. */
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';
import { DiskQueue, type DiskQueueOptions, type QueueChunk } from '../../../engine/queue/disk-queue.ts';
import { encodeRecord } from '../../../engine/queue/record.ts';
import { patienceMs } from '../../patience.ts';

export const record = (text: string): Uint8Array => encodeRecord(Buffer.from(text), { loop: 0, injected: false });
const texts = ({ records }: QueueChunk): string[] => records.map(({ message }) => Buffer.from(message).toString());
export const numbered = (count: number, from = 0): string[] => Array.from({ length: count }, (_, i) => `message ${from + i}`);

const readers = new WeakMap<DiskQueue, QueueChunk[]>();

/** Reads and acknowledges what is there, or reads `count` records without acknowledging them. Queues have one reader for ever. */
export async function readAll(queue: DiskQueue, count?: number): Promise<string[]> {
  let chunks = readers.get(queue);
  if (chunks === undefined) {
    const kept: QueueChunk[] = [];
    chunks = kept;
    readers.set(queue, kept);
    void (async () => {
      for (let chunk = await queue.read(); chunk !== null; chunk = await queue.read()) kept.push(chunk);
    })();
  }
  const found: string[] = [];
  const isDone = (): boolean => (count === undefined ? queue.isEmpty : found.length >= count);
  for (const end = performance.now() + patienceMs(); performance.now() < end && !isDone();) {
    for (const chunk of chunks.splice(0)) {
      found.push(...texts(chunk));
      if (count === undefined) await queue.acknowledge(chunk);
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return found;
}

/** A folder for the tests of a file, and queues in it, which are closed after each. */
export function queueBench() {
  let folder: string;
  let problems: string[];
  const open: DiskQueue[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluicebox-queue-'));
    problems = [];
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.all(open.splice(0).map((queue) => queue.close()));
    await rm(folder, { recursive: true, force: true });
  });

  async function openQueue(more: Partial<DiskQueueOptions> = {}): Promise<DiskQueue> {
    const queue = await DiskQueue.open({
      path: folder,
      maxFileSize: 0,
      maxBufferSize: 0,
      cursorUpdateCount: 0,
      onProblem: (text) => problems.push(text),
      ...more,
    });
    open.push(queue);
    return queue;
  }

  const checkpoint = (): string => readFileSync(join(folder, 'checkpoint.txt'), 'utf8').trim();
  const segments = async (): Promise<string[]> => (await readdir(folder)).filter((name) => name.endsWith('.log')).sort();

  return { openQueue, checkpoint, segments, folder: () => folder, problems: () => problems };
}
