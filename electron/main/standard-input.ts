import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../engine/base/errors.ts';
import { STANDARD_INPUTS } from '../../engine/api/places.ts';

/** Bytes by which a format is recognised, and the time that a slow writer has for them. */
const ENOUGH_BYTES = 64 << 10;
const [STEP_MS, MOST_STEPS] = [100, 10];

/**
 * The place of what this process gets on its standard input: a file in the data folder, so that it can be decoded anew, outlives a crash of the engine,
 * and can be handed to a window that runs already.
 */
export const standardInputPath = (data: string, pid = process.pid): string => join(data, STANDARD_INPUTS, String(pid), 'standard input');

/** Whether a path is such a place, of whichever process. */
export const isStandardInput = (path: string): boolean => basename(join(path, '..', '..')) === STANDARD_INPUTS;

/** Removes what earlier processes got. */
export function forgetStandardInputs(data: string): void {
  rmSync(join(data, STANDARD_INPUTS), { recursive: true, force: true });
}

/** Copies standard input to a file until it ends. @throws when it cannot */
export async function copyStandardInput(path: string): Promise<void> {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  const target = createWriteStream(path, { mode: 0o600 });
  try {
    // A stream on the descriptor itself would wait in a thread, and the end of the process for that thread.
    await pipeline(process.stdin, target);
  } catch (error) {
    throw new Error(`Standard input could not be read: ${messageOf(error)}`, { cause: error });
  }
}

/** Resolves when enough is there to recognise it, or what is there does not grow. */
export async function hasBegun(path: string, signal: AbortSignal): Promise<void> {
  for (let steps = 0, before = 0; steps < MOST_STEPS;) {
    await delay(STEP_MS, undefined, { signal });
    const size = (await stat(path).catch(() => null))?.size ?? 0;
    if (size > 0 && (size >= ENOUGH_BYTES || size === before)) return;
    if (size > 0) steps++;
    before = size;
  }
}
