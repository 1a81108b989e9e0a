import type { MessageBatch } from '../message/batch/batch.ts';
import { clampInt64 } from '../message/int64.ts';
import type { DecodedBatch } from './decoded.ts';

/** Adds nanoseconds to the times of decoded records: those of a clock that is wrong. */
export function withShiftedTimes(decoded: DecodedBatch, ns: bigint): DecodedBatch {
  if (ns === 0n) return decoded;
  const batch = shifted(decoded.batch, ns);
  return { ...decoded, batch, decoded: decoded.decoded === decoded.batch ? batch : shifted(decoded.decoded, ns) };
}

/** The offset of an input in nanoseconds. @param seconds as its section has it */
export function offsetOf(seconds: number): () => bigint {
  const ns = BigInt(Math.round(seconds * 1e9));
  return () => ns;
}

/** Times that would lie beyond what a message can have become the first or the last of these. */
function shifted(batch: MessageBatch, ns: bigint): MessageBatch {
  return batch.with({ timestamps: batch.timestamps.map((time) => clampInt64(time + ns)) });
}
