import { merge, smallNeighbours } from '../../lake/compaction.ts';
import { infoAt, TextFile } from '../../lake/text-file.ts';
import { importOpened, LiveDecoder, type Importer } from './import-file.ts';

/** Pause after a log was read anew as a whole because it had grown, in times of what that took. */
const WHOLE_PAUSE = 2;

/** A log whose new lines are stored as they come. When another file has its path, the rest of the one before is stored first. */
export class FollowedLog implements AsyncDisposable {
  readonly #path: string;
  readonly #importer: Importer;
  #file: TextFile | null = null;
  #live = new LiveDecoder();
  /** The time of `performance.now` before which a log that is read as a whole is not read again. */
  #notBefore = 0;

  constructor(path: string, importer: Importer) {
    this.#path = path;
    this.#importer = importer;
  }

  /** Stores what was added. A line without its end is waited for. @throws {InputError}, {EngineError} */
  async step(): Promise<void> {
    const now = await infoAt(this.#path);
    const held = this.#file;
    if (held !== null && (now === null || !held.isSameFile(now))) await this.#leave(held);
    if (performance.now() < this.#notBefore) return;
    if (now !== null && this.#file?.size === Number(now.size) && this.#file.mtimeNs === now.mtimeNs) return;
    const opened = await TextFile.open(this.#path);
    await this.#file?.[Symbol.asyncDispose]();
    this.#file = opened;
    if (opened.size > 0) await this.#import(opened);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.[Symbol.asyncDispose]();
    this.#file = null;
  }

  async #leave(file: TextFile): Promise<void> {
    this.#file = null;
    try {
      await file.refresh();
      this.#live.isFinal = true;
      if (file.size > 0) await this.#import(file);
    } finally {
      if (!this.#live.isWhole) {
        await this.#live.started?.sandbox.stop();
        await this.#live.started?.second?.stop();
      }
      this.#live = new LiveDecoder();
      await file[Symbol.asyncDispose]();
    }
  }

  async #import(file: TextFile): Promise<void> {
    const begin = performance.now();
    const id = await importOpened(file, this.#path, { ...this.#importer, live: this.#live });
    if (this.#live.isWhole) this.#notBefore = performance.now() + (performance.now() - begin) * WHOLE_PAUSE;
    const { store, writer } = this.#importer;
    if (id !== null) await merge(store, writer, smallNeighbours(store.filesOf(id)));
  }
}
