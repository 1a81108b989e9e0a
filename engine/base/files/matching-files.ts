import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, matchesGlob, parse, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../errors.ts';

/** Characters that make a part of a path a pattern. */
export const MAGIC = /[*?[\]{}]/;

/** Told what becomes of a folder that cannot be read. */
export type OnUnreadable = (folder: string, error: unknown) => void;

/** Waits for a descriptor while as many as the system allows are open, and their number. */
const RETRY_MS = 50;
const RETRIES = 40;

/**
 * The paths that an absolute pattern fits, as `glob` of node:fs has them: `*`, `?`, `[…]`, `{a,b}` within a name, `**` for folders of any depth, no names
 * with a leading dot unless the pattern has it. In contrast to that, a folder that cannot be read is told: nothing found is not the same as nothing there; and
 * `**` at the end does not stand for the folder before it.
 */
export async function* matchingFiles(pattern: string, onUnreadable: OnUnreadable): AsyncGenerator<string, void, undefined> {
  for (const one of alternatives(pattern)) {
    const { root } = parse(one);
    yield* below(root, one.slice(root.length).split(sep), onUnreadable);
  }
}

async function* below(folder: string, parts: readonly string[], onUnreadable: OnUnreadable): AsyncGenerator<string, void, undefined> {
  const [part = '', ...rest] = parts;
  if (part === '**') {
    if (rest.length > 0) yield* below(folder, rest, onUnreadable);
    for (const entry of await entriesOf(folder, onUnreadable)) {
      if (entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      if (rest.length === 0) yield path;
      if (entry.isDirectory()) yield* below(path, parts, onUnreadable);
    }
    return;
  }
  if (!MAGIC.test(part)) {
    const path = join(folder, part);
    if (rest.length > 0) yield* below(path, rest, onUnreadable);
    else if (await isThere(path)) yield path;
    return;
  }
  for (const entry of await entriesOf(folder, onUnreadable)) {
    if (!matchesGlob(entry.name, part)) continue;
    const path = join(folder, entry.name);
    if (rest.length === 0) yield path;
    else if (entry.isDirectory()) yield* below(path, rest, onUnreadable);
  }
}

async function entriesOf(folder: string, onUnreadable: OnUnreadable): Promise<Dirent[]> {
  for (let tries = 0; ; tries++) {
    try {
      return await readdir(folder, { withFileTypes: true });
    } catch (error) {
      const code = errorCode(error);
      if ((code === 'EMFILE' || code === 'ENFILE') && tries < RETRIES) {
        await delay(RETRY_MS);
        continue;
      }
      if (code !== 'ENOENT' && code !== 'ENOTDIR') onUnreadable(folder, error);
      return [];
    }
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** A pattern without alternatives that reach over several names: `/a/{b/c,d}/*.log` is `/a/b/c/*.log` and `/a/d/*.log`. */
function alternatives(pattern: string): string[] {
  const found = hasWideBraces(pattern) ? /\{([^{}]*,[^{}]*)\}/.exec(pattern) : null;
  if (found === null) return [pattern];
  const [all, choices = ''] = found;
  const [before, after] = [pattern.slice(0, found.index), pattern.slice(found.index + all.length)];
  return choices.split(',').flatMap((choice) => alternatives(before + choice + after));
}

/** Whether there is a separator within braces. */
function hasWideBraces(pattern: string): boolean {
  let depth = 0;
  for (const char of pattern) {
    if (char === '{') depth++;
    else if (char === '}') depth--;
    else if (char === sep && depth > 0) return true;
  }
  return false;
}
