import { reliefFor } from '../contract/memory-allowance.ts';

/** A sandbox of the host. */
export interface Relieved {
  readonly memoryLimit: number;
  /** Collects the garbage of its script. @param trims whether all that is free goes back to the system */
  collect(trims?: boolean): void;
}

/** Interval between two looks. */
const LOOK_MS = 5;
/** Growth since garbage was last collected, in bytes, that is worth another collection. */
const GROWTH = 8 << 20;

/** V8's collection that also gives all that is free back to the system. */
export const LAST_RESORT = { type: 'major', execution: 'sync', flavor: 'last-resort' } as const;

/** Collects the garbage of all scripts of a host when they take more together than they may hold: else one that takes little pays for its neighbours. */
export class Relief {
  readonly #resident: () => number;
  readonly #bare: number;
  readonly #boxes: ReadonlyMap<number, Relieved>;
  /** Sandboxes that have run since their garbage was last collected. */
  readonly #ran = new Set<Relieved>();
  /** Sandboxes that have run since a rest. */
  readonly #untrimmed = new Set<Relieved>();
  #hasWorked = false;
  #notBefore = 0;
  #last = 0;
  /** Bytes that were taken after the last rest. */
  #rested = 0;

  /**
   * To be made before the first sandbox.
   * @param resident bytes of the process
   */
  constructor(boxes: ReadonlyMap<number, Relieved>, resident: () => number = () => process.memoryUsage.rss()) {
    this.#resident = resident;
    this.#bare = resident();
    this.#boxes = boxes;
  }

  /** A sandbox has run. */
  ran(box: Relieved): void {
    this.#ran.add(box);
    this.#untrimmed.add(box);
    this.#hasWorked = true;
    const now = performance.now();
    if (now < this.#notBefore) return;
    this.#notBefore = now + LOOK_MS;
    const taken = this.#taken();
    if (taken < this.#last) this.#last = taken;
    const most = reliefFor([...this.#boxes.values()].map(({ memoryLimit }) => memoryLimit));
    if (taken < this.#last + GROWTH || taken < most) return;
    for (const one of this.#ran) one.collect();
    this.#ran.clear();
    // Buffers of recent batches are young. All garbage of the host itself takes several times as long as that of a script.
    globalThis.gc?.({ type: 'minor' });
    if (this.#taken() + GROWTH > most) globalThis.gc?.();
    this.#last = this.#taken();
  }

  /** To be called every second or so. After a second without work, gives what the work has left back to the system. */
  look(): void {
    const rests = !this.#hasWorked;
    this.#hasWorked = false;
    if (!rests || this.#untrimmed.size === 0) return;
    this.#rested = Math.min(this.#rested, this.#taken());
    if (this.#taken() < this.#rested + GROWTH) return;
    for (const one of this.#untrimmed) one.collect(true);
    this.#untrimmed.clear();
    this.#ran.clear();
    globalThis.gc?.(LAST_RESORT);
    this.#last = this.#rested = this.#taken();
  }

  #taken(): number {
    return this.#resident() - this.#bare;
  }
}
