import { globSync, readdirSync, statSync, watch, type FSWatcher, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';

/** Time between two polls of the files, in case the file system sends no events. */
const POLL_MS = 1000;
/** Editors write in several steps: a change is reported when nothing more happened for this long. */
const QUIET_MS = 150;

export interface ConfigWatch {
  close(): void;
}

/**
 * Calls back whenever a configuration file, or a folder's `*.toml` files, are written, added, replaced or removed.
 * @param known signature of the configuration that was read; that of now by default
 * @param also returns patterns of further files of it
 */
export function watchConfig(
  path: string,
  onChange: () => void,
  known = signOfConfig(path),
  also: () => readonly string[] = () => [],
): ConfigWatch {
  const watcher = new Watcher(path, onChange, known, also);
  return { close: () => watcher.close() };
}

class Watcher {
  readonly #path: string;
  readonly #onChange: () => void;
  readonly #also: () => readonly string[];
  readonly #poll: NodeJS.Timeout;
  #hints: FSWatcher | null = null;
  #quiet: NodeJS.Timeout | null = null;
  #told: string;
  #seen: string;
  #closed = false;

  constructor(path: string, onChange: () => void, known: string, also: () => readonly string[]) {
    this.#path = path;
    this.#onChange = onChange;
    this.#also = also;
    this.#told = known;
    this.#seen = known;
    this.#poll = setInterval(() => this.#look(), POLL_MS).unref();
    this.#hintFrom(statOf(path)?.isDirectory() === true ? path : dirname(path));
    this.#look();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#poll);
    if (this.#quiet !== null) clearTimeout(this.#quiet);
    this.#hints?.close();
  }

  #hintFrom(folder: string): void {
    try {
      this.#hints = watch(folder, { persistent: false }, () => this.#look());
      this.#hints.on('error', () => this.#hints?.close());
    } catch {
      // Without events, polling still sees the change, a little later.
    }
  }

  #look(): void {
    if (this.#closed) return;
    const now = signOfConfig(this.#path, this.#also());
    if (now === this.#seen) return;
    this.#seen = now;
    if (this.#quiet !== null) clearTimeout(this.#quiet);
    this.#quiet = now === this.#told ? null : setTimeout(() => this.#settled(now), QUIET_MS).unref();
  }

  #settled(now: string): void {
    this.#quiet = null;
    this.#told = now;
    this.#onChange();
  }
}

/**
 * Signature of a configuration, which changes whenever the file, or one of the folder's, is written or replaced.
 * @param also patterns of further files of it
 */
export const signOfConfig = (path: string, also: readonly string[] = []): string =>
  [path, ...also.flatMap((pattern) => globSync(pattern).sort())].map(signOf).join(';');

function signOf(path: string): string {
  const info = statOf(path);
  if (info === null) return `${path} -`;
  if (!info.isDirectory()) return `${path} ${info.ino} ${info.size} ${info.mtimeMs}`;
  return tomlFilesOf(path)
    .map((name) => signOf(join(path, name)))
    .join(';');
}

function tomlFilesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.toml'))
      .sort();
  } catch {
    return [];
  }
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
