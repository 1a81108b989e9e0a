import { setTimeout as sleep } from 'node:timers/promises';
import { isLocked, PATIENCE_MS } from './manifest.ts';

/** Milliseconds that a look at a list waits for another process, which holds up this one, and those between two looks. */
const LOOK_MS = 10;
const PAUSE_MS = 100;

/**
 * Asks a store that another process may keep locked, for as long as it may take, while this process does other things.
 * @param ask called with the milliseconds that it may wait, again and again until the list is not locked
 * @throws {EngineError} `store.unreadable` when it is locked at the end, too; at once what else `ask` throws
 */
export async function withoutWaiting<T>(ask: (patienceMs: number) => T, deadlineMs = PATIENCE_MS): Promise<T> {
  const begun = performance.now();
  for (;;) {
    try {
      return ask(LOOK_MS);
    } catch (error) {
      if (!isLocked(error) || performance.now() - begun >= deadlineMs) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
