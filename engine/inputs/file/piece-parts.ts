import type { MessageBatch } from '../../message/batch/batch.ts';
import { recordUuids } from '../../message/batch/record-uuids.ts';
import type { Piece } from '../pieces.ts';
import type { InputBatch } from '../types.ts';
import { markWithin, type Mark, type Tail } from './tail.ts';

/** The batch of a piece with the UUIDs of its places, if its contents have a number; messages keep theirs. @param mark behind the piece */
export function identified(batch: MessageBatch, { starts, payload: texts, consumed, messages }: Piece, mark: Mark | null): MessageBatch {
  const contents = mark?.state.contents;
  if (mark === null || contents === undefined) return batch;
  if (messages !== null) return batch.with({ isIdentified: true });
  const places = { contents: Buffer.from(contents, 'hex'), base: mark.position - consumed, starts, texts };
  return batch.with({ uuids: () => recordUuids(places), isIdentified: true });
}

/** Further properties of the batch of a piece that was not cut: its stream, and the acknowledgement by bytes. */
export function rawParts(
  tail: Tail,
  { payload }: Piece,
  mark: Mark | null,
  before: Mark | null,
  acknowledged: (upTo: Mark) => void,
): Partial<InputBatch> {
  const parts = { stream: tail };
  // Positions in a file of UTF-16 are not those in its text.
  if (mark === null || before === null || tail.format.startsWith('utf-16')) return parts;
  return { ...parts, acknowledgeTo: (bytes) => acknowledged(markWithin(before, Buffer.from(payload.text, 'latin1'), bytes, mark)) };
}
