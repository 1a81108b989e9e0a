import { HTTP_SHARE } from './configuration.ts';
import type { OutputName, SoakResult } from './soak.ts';

/** Of a record and its line end. */
const MEAN_BYTES = 95;

/**
 * The most records that may come again for each kill of the engine, by output. An input hands over batches of at most half a MiB, up to eight of which may
 * be on their way into the disk buffers; those that have not all reached the disk when the engine is killed are read again.
 */
const FROM_INPUT = 8 * Math.ceil((512 << 10) / MEAN_BYTES);
/** An output notes after `cursor_update_count` messages and one more what it has delivered, and may be one such portion ahead. A file has each once. */
const FROM_OUTPUT: Readonly<Record<OutputName, number>> = { file: 0, tcp: 2 * 51, http: 2 * 2 };
/** Bytes that a TCP output sends again after a reset. */
const RESENT_BYTES = 8 << 20;

/** How many records may come again in all, as far as it can be said before. */
export function mostRepeated(output: OutputName, { engineKills, resets, httpUnanswered, httpFailures }: SoakResult): number {
  const share = output === 'http' ? 1 / HTTP_SHARE : 1;
  const byKills = engineKills * (FROM_OUTPUT[output] + FROM_INPUT * share);
  if (output === 'tcp') return byKills + (resets * RESENT_BYTES) / MEAN_BYTES;
  return output === 'http' ? byKills + httpUnanswered + httpFailures : byKills;
}
