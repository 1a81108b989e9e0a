import { watch, type FSWatcher } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Time between two looks at the files, for where no hints come. */
const POLL_MS = 1000;
/** Editors write in several steps: a change counts when nothing more happened for this long. */
const QUIET_MS = 150;

export interface ConfigWatch {
  close(): void;
}

/** Calls back whenever a configuration file, or a folder's `*.toml` files, are written, added, replaced or removed. */
export function watchConfig(path: string, onChange: () => void): ConfigWatch {
  const watcher = new Watcher(path, onChange);
  return { close: () => watcher.close() };
}

class Watcher {
  readonly #path: string;
  readonly #onChange: () => void;
  readonly #poll: NodeJS.Timeout;
  #hints: FSWatcher | null = null;
  #quiet: NodeJS.Timeout | null = null;
  #told: string | null = null;
  #seen: string | null = null;
  #looking: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(path: string, onChange: () => void) {
    this.#path = path;
    this.#onChange = onChange;
    this.#poll = setInterval(() => this.#look(), POLL_MS).unref();
    void this.#hintsFrom(path);
    this.#look();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#poll);
    if (this.#quiet !== null) clearTimeout(this.#quiet);
    this.#hints?.close();
  }

  async #hintsFrom(path: string): Promise<void> {
    const folder = await stat(path).then(
      (info) => (info.isDirectory() ? path : dirname(path)),
      () => dirname(path),
    );
    if (this.#closed) return;
    try {
      this.#hints = watch(folder, { persistent: false }, () => this.#look());
      this.#hints.on('error', () => this.#hints?.close());
    } catch {
      // Polling sees it too, a little later.
    }
  }

  #look(): void {
    this.#looking = this.#looking.then(async () => {
      const now = await fingerprint(this.#path);
      if (this.#closed) return;
      this.#told ??= now;
      if (now === this.#seen) return;
      this.#seen = now;
      if (this.#quiet !== null) clearTimeout(this.#quiet);
      this.#quiet = now === this.#told ? null : setTimeout(() => this.#settled(now), QUIET_MS).unref();
    });
  }

  #settled(now: string): void {
    this.#quiet = null;
    this.#told = now;
    this.#onChange();
  }
}

/** Changes whenever a file is written or replaced. */
async function fingerprint(path: string): Promise<string> {
  try {
    const info = await stat(path);
    if (!info.isDirectory()) return signOf(path, info);
    const names = (await readdir(path)).filter((name) => name.endsWith('.toml')).sort();
    return (await Promise.all(names.map((name) => fingerprint(join(path, name))))).join(';');
  } catch {
    return `${path} -`;
  }
}

const signOf = (path: string, { ino, size, mtimeMs }: { ino: number; size: number; mtimeMs: number }): string =>
  `${path} ${ino} ${size} ${mtimeMs}`;
