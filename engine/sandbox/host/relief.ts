import { reliefFor } from '../memory-allowance.ts';

/** A sandbox of the host. */
export interface Relieved {
  readonly memoryLimit: number;
  /** Collects the garbage of its script. */
  collect(): void;
}

/** Interval between two looks. */
const LOOK_MS = 5;
/** Growth since garbage was last collected, in bytes, that is worth another collection. */
const GROWTH = 8 << 20;

/** Collects the garbage of all scripts of a host when they take more together than they may hold: else one that takes little pays for its neighbours. */
export class Relief {
  readonly #resident: () => number;
  readonly #bare: number;
  readonly #boxes: ReadonlyMap<number, Relieved>;
  /** Sandboxes that have run since their garbage was last collected. */
  readonly #ran = new Set<Relieved>();
  #notBefore = 0;
  #last = 0;

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
    const now = performance.now();
    if (now < this.#notBefore) return;
    this.#notBefore = now + LOOK_MS;
    const taken = this.#resident() - this.#bare;
    if (taken < this.#last) this.#last = taken;
    if (taken < this.#last + GROWTH || taken < reliefFor([...this.#boxes.values()].map(({ memoryLimit }) => memoryLimit))) return;
    for (const one of this.#ran) one.collect();
    this.#ran.clear();
    globalThis.gc?.();
    this.#last = this.#resident() - this.#bare;
  }
}
