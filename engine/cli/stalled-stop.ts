import { setTimeout as delay } from 'node:timers/promises';

/** Time without anything moving after which the parts that a stop waits for are given up. */
const STALLED_MS = 20_000;
const LOOK_MS = 250;

/** Progress of a pipeline that stops. */
export interface Stopping {
  /** Changes as long as it gets on. */
  readonly moved: string;
  /** Names of the parts that it waits for. */
  readonly stopping: readonly string[];
}

/**
 * Waits until a pipeline is stopped. A part that takes long may do so as long as something moves; one that hangs, such as a script that loops without a limit or a
 * process that is frozen, is given up.
 * @param patience milliseconds without anything moving
 * @returns the names of the parts that were given up; null: it has stopped
 */
export async function untilStopped(stopped: Promise<void>, pipeline: Stopping, patience = STALLED_MS): Promise<readonly string[] | null> {
  const over = new AbortController();
  const stalled = async (): Promise<readonly string[] | null> => {
    let last = pipeline.moved;
    for (let quiet = 0; quiet < patience; quiet += LOOK_MS) {
      await delay(LOOK_MS, null, { signal: over.signal });
      const now = pipeline.moved;
      if (now !== last) quiet = 0;
      last = now;
    }
    return pipeline.stopping;
  };
  try {
    return await Promise.race([stopped.then(() => null), stalled().catch(() => null)]);
  } finally {
    over.abort();
  }
}
