import { Serial } from '../../base/time/serial.ts';
import type { CheckpointFile, FileCheckpoint } from '../checkpoint.ts';
import type { Mark, Tail } from './tail.ts';

/** Least time between two saves that the disk is waited for, and between two others. */
const DURABLE_MS = 1000;
const SAVE_MS = 10;
/** How many times as long as a save takes the time to the next is, and the longest: a save of thousands of files takes long. */
const SAVE_SHARE = 20;
const MOST_MS = 10_000;
/** Acknowledgements that come after the end are written together. */
const LATE_SAVE_MS = 50;

export interface ProgressOptions {
  /** null: nothing is kept. */
  readonly file: CheckpointFile | null;
  /** The acknowledged positions of the files at this moment. */
  readonly checkpoints: () => readonly FileCheckpoint[];
}

/** Tracks how far the files of an input were delivered and acknowledged, and saves that to its checkpoint. */
export class Progress {
  readonly #options: ProgressOptions;
  #outstanding = 0;
  #onAcknowledged: (() => void) | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** Time of performance.now at which it fires. */
  #timerAt = 0;
  readonly #saves = new Serial();
  #closed = false;
  /** Something was acknowledged after the last save began. */
  #isUnsaved = false;
  /** Since when something that was acknowledged is not on the disk (performance.now; 0: all is). */
  #unsavedSince = 0;
  /** Times of performance.now. */
  #savedAt = -Infinity;
  #durableAt = -Infinity;
  #durableEveryMs = DURABLE_MS;
  #saveEveryMs = SAVE_MS;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  /** Whether there is a checkpoint. */
  get isKept(): boolean {
    return this.#options.file !== null;
  }

  /** Nanoseconds for which the oldest acknowledged position has waited to be on the disk; 0: all are. */
  get age(): number {
    return this.#unsavedSince === 0 ? 0 : (performance.now() - this.#unsavedSince) * 1e6;
  }

  /** The checkpoints of the last run. */
  async load(): Promise<readonly FileCheckpoint[]> {
    return (await this.#options.file?.load()) ?? [];
  }

  /** Moves the acknowledged mark of the file that holds what a file holds when this is made. */
  acknowledgement({ contents }: Tail): (upTo: Mark | null) => void {
    return (upTo) => {
      if (upTo === null || contents.holder === null) return;
      contents.holder.acknowledged = upTo;
      this.#noteUnsaved();
    };
  }

  /** Counts a batch of a file as delivered; the returned function is to be called when it is acknowledged, and counts once. */
  delivered({ contents }: Tail, acknowledged: () => void): () => void {
    contents.outstanding++;
    this.#outstanding++;
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      contents.outstanding--;
      acknowledged();
      if (--this.#outstanding === 0) this.#onAcknowledged?.();
    };
  }

  /** Writes the checkpoint; one that fails is tried again. */
  save(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    return this.#saves.run(() => this.#save(true));
  }

  async #save(isDurable: boolean): Promise<void> {
    const begun = performance.now();
    this.#isUnsaved = false;
    const isSaved = (await this.#options.file?.save(this.#options.checkpoints(), isDurable)) ?? true;
    this.#savedAt = performance.now();
    const rest = Math.min(MOST_MS, (this.#savedAt - begun) * SAVE_SHARE);
    if (isDurable) this.#durableAt = this.#savedAt;
    if (isDurable) this.#durableEveryMs = Math.max(DURABLE_MS, rest);
    else this.#saveEveryMs = Math.max(SAVE_MS, rest);
    if (isSaved && isDurable) {
      this.#unsavedSince = this.#isUnsaved ? begun : 0;
      return;
    }
    // Flush the part that so far is only in the system's memory to the disk.
    if (!this.#closed) this.#schedule(this.#durableAt + this.#durableEveryMs);
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

  /** Saves at once what was acknowledged since the last save, also while that went on. */
  async settle(): Promise<void> {
    if (this.#isUnsaved) await this.save();
  }

  #noteUnsaved(): void {
    if (this.#options.file === null) return;
    this.#isUnsaved = true;
    if (this.#unsavedSince === 0) this.#unsavedSince = performance.now();
    if (this.#closed) setTimeout(() => void this.settle(), LATE_SAVE_MS);
    else this.#schedule(Math.min(this.#savedAt + this.#saveEveryMs, this.#durableAt + this.#durableEveryMs));
  }

  /** Saves at a time, unless it will before. */
  #schedule(at: number): void {
    if (this.#timer !== null && at >= this.#timerAt) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        void this.#saves.run(() => this.#save(performance.now() >= this.#durableAt + this.#durableEveryMs));
      },
      Math.max(0, at - performance.now()),
    ).unref();
  }
}
