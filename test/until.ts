import { setTimeout as delay } from 'node:timers/promises';
import { patienceMs } from './patience.ts';

const PAUSE_MS = 5;

/** Waits until a condition gives something; fails within seconds with `what` when it never does. What it throws meanwhile is the same as nothing, but told at the end. */
export async function until<T>(
  condition: () => T | Promise<T>,
  what: string | (() => string) = 'what was to come',
  patience = patienceMs,
): Promise<Exclude<T, false | null | undefined | '' | 0>> {
  const start = performance.now();
  for (;;) {
    const late = performance.now() - start > patience();
    try {
      const found = await condition();
      if (found) return found as Exclude<T, false | null | undefined | '' | 0>;
    } catch (error) {
      if (late) throw error;
    }
    if (late) throw new Error(`waited in vain for ${typeof what === 'string' ? what : what()}`);
    await delay(PAUSE_MS);
  }
}
