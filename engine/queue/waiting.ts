import { errorCode } from '../base/errors.ts';
import type { QueueRecord } from './record.ts';
import { SegmentReader } from './segment-reader.ts';
import { QueueFolder } from './segments.ts';
import { stateOf } from './state.ts';

/** Whether a folder holds a queue, and not only what an output keeps beside one. */
export const isQueue = (path: string): Promise<boolean> =>
  new QueueFolder(path).segments().then(
    (segments) => segments.length > 0,
    () => false,
  );

/**
 * The records that wait in a queue, a piece at a time. Nothing is written, so a service may work with it: what it delivers meanwhile, or has not noted
 * yet, may still be among them.
 * @throws the errors of the file system
 */
export async function* waitingRecords(path: string): AsyncGenerator<readonly QueueRecord[], void, undefined> {
  const folder = new QueueFolder(path);
  const { begin } = await stateOf(folder);
  const reader = new SegmentReader(folder, begin);
  try {
    for (const segment of await folder.segments()) {
      if (segment < begin.segment) continue;
      if (segment > begin.segment) await reader.moveTo(segment);
      yield* recordsTo(reader, await folder.sizeOf(segment));
    }
  } finally {
    await reader.close();
  }
}

/** The records of a segment, which the service may have removed. */
async function* recordsTo(reader: SegmentReader, end: number): AsyncGenerator<readonly QueueRecord[], void, undefined> {
  while (reader.cursor.offset < end) {
    try {
      const { records } = await reader.read(end);
      yield records;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return;
      throw error;
    }
  }
}
