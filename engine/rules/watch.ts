import { watch, type FSWatcher } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Editors and copies write in several steps: a change is told when nothing more happened for this long. */
const QUIET_MS = 200;
/** Least milliseconds between two looks without an event, and how many times longer than the look itself. */
const [POLL_MS, POLL_SHARE] = [2000, 50];

export interface RulesWatch {
  close(): void;
}

/**
 * Calls back whenever files of rules in these files and folders are written, added or removed.
 * @param known the signature from before they were read
 */
export function watchRules(paths: readonly string[], known: string, onChange: () => void): RulesWatch {
  const watcher = new Watcher(paths, known, onChange);
  return { close: () => watcher.close() };
}

class Watcher {
  readonly #paths: readonly string[];
  readonly #onChange: () => void;
  readonly #hints: FSWatcher[] = [];
  #timer: NodeJS.Timeout | undefined;
  #known: string;
  #closed = false;

  constructor(paths: readonly string[], known: string, onChange: () => void) {
    this.#paths = paths;
    this.#known = known;
    this.#onChange = onChange;
    for (const path of paths) this.#hintFrom(path);
    void this.#look();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const hint of this.#hints) hint.close();
  }

  #hintFrom(path: string): void {
    try {
      const hints = watch(path, { persistent: false, recursive: true }, () => this.#lookIn(QUIET_MS));
      hints.on('error', () => hints.close());
      this.#hints.push(hints);
    } catch {
      // Without events, the next look sees the change, a little later.
    }
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#closed) this.#timer = setTimeout(() => void this.#look(), ms).unref();
  }

  async #look(): Promise<void> {
    const begun = performance.now();
    const now = await signOfRules(this.#paths);
    if (this.#closed) return;
    const changed = this.#known !== now;
    this.#known = now;
    this.#lookIn(Math.max(POLL_MS, POLL_SHARE * (performance.now() - begun)));
    if (changed) this.#onChange();
  }
}

/** A text that changes whenever a file of rules in these files and folders does. */
export async function signOfRules(paths: readonly string[]): Promise<string> {
  const signs: string[] = [];
  for (const path of paths) {
    const names = await readdir(path, { recursive: true }).catch(() => ['']);
    for (const name of names.filter((one) => one === '' || /\.ya?ml$/i.test(one)).sort()) {
      const file = join(path, name);
      const info = await stat(file).catch(() => null);
      signs.push(info === null ? `${file} -` : `${file} ${info.ino} ${info.size} ${info.mtimeMs}`);
    }
  }
  return signs.join('\n');
}
