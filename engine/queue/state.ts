import { compareCursors, QueueFolder, readCursor, type Cursor } from './segments.ts';

/** The state of a queue on disk when it is opened. */
interface QueueState {
  /** Position at which reading begins. */
  readonly begin: Cursor;
  /** The segment that is to be written next. */
  readonly next: number;
  /** Bytes of records that are waiting. */
  readonly size: number;
  /** The checkpoint cannot be read. */
  readonly isDamaged: boolean;
  /** The checkpoint does not stand at `begin` yet. */
  readonly isBehind: boolean;
}

/** @param delivered the reader's own mark, which counts when it is behind the checkpoint and in a segment that is there */
export async function stateOf(folder: QueueFolder, delivered: string | null = null): Promise<QueueState> {
  const segments = await folder.segments();
  const checkpoint = await folder.readCheckpoint();
  const isDamaged = checkpoint === 'damaged';
  const known = isDamaged ? null : checkpoint;
  const next = Math.max(-1, ...segments, known?.segment ?? -1) + 1;
  const saved = beginOf(segments, known, next);
  const mark = delivered === null ? null : readCursor(delivered);
  const isThere = mark !== null && segments.includes(mark.segment) && mark.offset <= (await folder.sizeOf(mark.segment));
  const isBehind = isThere && compareCursors(mark, saved) > 0;
  const begin = isBehind ? mark : saved;
  const sizes = await Promise.all(segments.filter((segment) => segment >= begin.segment).map((segment) => folder.sizeOf(segment)));
  return { begin, next, size: Math.max(0, sizes.reduce((sum, bytes) => sum + bytes, 0) - begin.offset), isDamaged, isBehind };
}

/** The bytes of waiting records in a folder that may hold a queue, which is not open. */
export async function bytesLeft(path: string): Promise<number> {
  return stateOf(new QueueFolder(path)).then(
    ({ size }) => size,
    () => 0,
  );
}

/** The position at which reading begins: the checkpoint, or the beginning of the next segment when that of the checkpoint is gone. */
function beginOf(segments: readonly number[], checkpoint: Cursor | null, next: number): Cursor {
  if (checkpoint === null) return { segment: segments[0] ?? next, offset: 0 };
  if (segments.includes(checkpoint.segment)) return checkpoint;
  return { segment: segments.find((segment) => segment > checkpoint.segment) ?? next, offset: 0 };
}
