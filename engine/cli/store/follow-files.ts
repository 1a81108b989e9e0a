import { setTimeout as delay } from 'node:timers/promises';
import { namedFiles } from '../named-files.ts';
import { FollowedLog } from './followed-log.ts';
import type { Importer } from './import-file.ts';

/** Milliseconds between two looks at the files. */
const POLL_MS = 300;

/**
 * Stores what is added to files, folders and patterns, until it is interrupted. A file that cannot be read is told once, until it can.
 * @throws {EngineError} `store.unwritable`
 */
export async function followFiles(paths: readonly string[], importer: Importer, pollMs = POLL_MS): Promise<void> {
  const logs = new Map<string, FollowedLog>();
  const told = new Map<string, string>();
  const { context } = importer;
  const { signal } = context;
  const leftOut = new Set<string>();
  const tellOnce = (text: string): void => {
    if (!leftOut.has(text)) context.complain(text);
    leftOut.add(text);
  };
  while (!signal.aborted) {
    for await (const { file, problem } of namedFiles(paths, tellOnce)) {
      if (signal.aborted) break;
      const log = logs.get(file) ?? new FollowedLog(file, importer);
      logs.set(file, log);
      try {
        if (problem !== undefined) throw problem;
        await log.step();
        told.delete(file);
      } catch (error) {
        if (signal.aborted) break;
        if (!(error instanceof Error && 'code' in error)) throw error;
        // The store itself: waiting does not mend that.
        if (error.code === 'store.unwritable') throw error;
        if (told.get(file) !== error.message) context.complain(error.message);
        told.set(file, error.message);
      }
    }
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
  for (const log of logs.values()) await log[Symbol.asyncDispose]();
}
