import { Serial } from '../../serial.ts';
import type { CheckpointFile, FileCheckpoint } from '../checkpoint.ts';
import type { Mark, Tail } from './tail.ts';

const SAVE_MS = 1000;
/** Acknowledgements that come after the end are written together. */
const LATE_SAVE_MS = 50;

export interface ProgressOptions {
  /** null: nothing is kept. */
  readonly file: CheckpointFile | null;
  /** The acknowledged positions of the files at this moment. */
  readonly checkpoints: () => readonly FileCheckpoint[];
  /** Called when there is something to save, `saveInMs` from now. */
  readonly onUnsaved: () => void;
}

/** Tracks how far the files of an input were delivered and acknowledged, and saves that to its checkpoint. */
export class Progress {
  readonly #options: ProgressOptions;
  #outstanding = 0;
  #onAcknowledged: (() => void) | null = null;
  #unsaved = false;
  readonly #saves = new Serial();
  #closed = false;
  /** Time of performance.now. */
  #savedAt = 0;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  /** The checkpoints of the last run. */
  async load(): Promise<readonly FileCheckpoint[]> {
    return (await this.#options.file?.load()) ?? [];
  }

  /** Milliseconds until the checkpoint is to be written; Infinity: it is up to date. */
  get saveInMs(): number {
    return this.#unsaved ? this.#savedAt + SAVE_MS - performance.now() : Infinity;
  }

  /** Moves the acknowledged mark of a file, unless the file was written anew since this was made. */
  acknowledgement(tail: Tail): (upTo: Mark | null) => void {
    const { generation } = tail;
    return (upTo) => {
      if (upTo === null || tail.generation !== generation) return;
      tail.acknowledged = upTo;
      this.#noteUnsaved();
    };
  }

  /** Counts a batch of a file as delivered; the returned function is to be called when it is acknowledged, and counts once. */
  delivered(tail: Tail, acknowledged: () => void): () => void {
    tail.outstanding++;
    this.#outstanding++;
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      tail.outstanding--;
      acknowledged();
      if (--this.#outstanding === 0) this.#onAcknowledged?.();
    };
  }

  /** Writes the checkpoint; one that fails is tried again. */
  save(): Promise<void> {
    this.#unsaved = false;
    this.#savedAt = performance.now();
    const files = this.#options.checkpoints();
    return this.#saves.run(async () => {
      const isSaved = (await this.#options.file?.save(files)) ?? true;
      if (!isSaved && !this.#closed) this.#noteUnsaved();
    });
  }

  /** Waits so long for outstanding acknowledgements and saves; later ones are saved as they come. */
  async close(patience: number): Promise<void> {
    if (this.#outstanding > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, patience);
        this.#onAcknowledged = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    await this.save();
    this.#closed = true;
  }

  #noteUnsaved(): void {
    if (this.#unsaved) return;
    this.#unsaved = true;
    if (this.#closed) setTimeout(() => void this.save(), LATE_SAVE_MS);
    else this.#options.onUnsaved();
  }
}
