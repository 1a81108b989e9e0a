import { watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';

interface Watched {
  readonly watcher: FSWatcher;
  /** The folder's own number, to notice when another folder took its place. */
  readonly inode: bigint;
}

/**
 * Reports that something may have happened in folders. Only a hint: events can be missing (network folders, exhausted kernel limits),
 * so the caller also has to poll from time to time.
 */
export class DirectoryWatch {
  readonly #watched = new Map<string, Watched>();
  readonly #onHint: (directory: string, name: string | null) => void;

  /** `name`: the file in the folder; null when it is not known which. */
  constructor(onHint: (directory: string, name: string | null) => void) {
    this.#onHint = onHint;
  }

  /** Watches these folders and no others; folders that are not there, or cannot be watched, are left out. */
  async set(directories: ReadonlySet<string>): Promise<void> {
    for (const directory of [...this.#watched.keys()]) if (!directories.has(directory)) this.#drop(directory);
    for (const directory of directories) {
      const info = await stat(directory, { bigint: true }).catch(() => null);
      const watched = this.#watched.get(directory);
      if (watched && watched.inode !== info?.ino) this.#drop(directory);
      if (info?.isDirectory() && !this.#watched.has(directory)) this.#add(directory, info.ino);
    }
  }

  close(): void {
    for (const directory of [...this.#watched.keys()]) this.#drop(directory);
  }

  #add(directory: string, inode: bigint): void {
    try {
      const watcher = watch(directory, { persistent: false }, (_event, name) => this.#onHint(directory, name));
      watcher.on('error', () => this.#drop(directory));
      this.#watched.set(directory, { watcher, inode });
    } catch {
      // Polling goes on; the next `set` tries again.
    }
  }

  #drop(directory: string): void {
    this.#watched.get(directory)?.watcher.close();
    this.#watched.delete(directory);
  }
}
