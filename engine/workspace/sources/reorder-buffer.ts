import type { MessageBatch } from '../../message/batch/batch.ts';
import { concatBatches, takeRows } from '../../message/batch/gather.ts';
import { Serial } from '../../base/time/serial.ts';
import { millisecondsOf } from '../../store/times.ts';

/** Milliseconds that a record waits for others that were written before it and come after it. */
const WAIT_MS = 250;
/** Records that wait at most. */
const MOST_ROWS = 20_000;

interface Held {
  readonly batch: MessageBatch;
  /** Time of performance.now. */
  readonly since: number;
}

/**
 * Puts records that come over the network in the order of their times: each waits a moment for those that were written earlier and come later.
 * Records of equal times stay in the order in which they came. One that comes after its wait stands where it came.
 */
export class ReorderBuffer {
  readonly #store: (batch: MessageBatch) => Promise<void>;
  readonly #failed: (error: unknown) => void;
  readonly #turns = new Serial();
  #held: readonly Held[] = [];
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param store takes the records, in order
   * @param failed is called when it fails after the wait
   */
  constructor(store: (batch: MessageBatch) => Promise<void>, failed: (error: unknown) => void) {
    this.#store = store;
    this.#failed = failed;
  }

  /** Records that wait. */
  get waiting(): number {
    return this.#held.reduce((sum, { batch }) => sum + batch.length, 0);
  }

  /** Takes records; resolves when there is room for more. */
  async add(batch: MessageBatch): Promise<void> {
    if (batch.length === 0) return;
    this.#held = [...this.#held, { batch, since: performance.now() }];
    if (this.waiting >= MOST_ROWS) await this.flush();
    else this.#wait();
  }

  /** Hands all on that wait. */
  async flush(): Promise<void> {
    await this.#release(Infinity);
    await this.#turns.idle();
  }

  #wait(): void {
    const [first] = this.#held;
    if (first === undefined || this.#timer !== undefined) return;
    const due = first.since + WAIT_MS - performance.now();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#release(performance.now() - WAIT_MS).catch(this.#failed);
      },
      Math.max(0, Math.ceil(due)),
    );
  }

  /** Hands on what came until a time, and what is to stand before that. */
  #release(until: number): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held;
    const young = held.filter(({ since }) => since > until);
    const ripe = held.slice(0, held.length - young.length);
    this.#held = young;
    if (ripe.length === 0) {
      this.#wait();
      return Promise.resolve();
    }
    const all = concatBatches(held.map(({ batch }) => batch));
    const times = millisecondsOf(all.timestamps);
    const ripeRows = ripe.reduce((sum, { batch }) => sum + batch.length, 0);
    const latest = times.subarray(0, ripeRows).reduce((a, b) => Math.max(a, b), -Infinity);
    const order = Uint32Array.from(times.keys()).sort((a, b) => (times[a] as number) - (times[b] as number) || a - b);
    const now = order.filter((row) => row < ripeRows || (times[row] as number) < latest);
    const later = order.filter((row) => row >= ripeRows && (times[row] as number) >= latest).sort();
    if (later.length > 0) this.#held = [{ batch: takeRows(all, later), since: (young[0] as Held).since }];
    else this.#held = [];
    this.#wait();
    return this.#turns.run(() => this.#store(takeRows(all, now)));
  }
}
