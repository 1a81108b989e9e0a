import type { End } from '../../api/ends.ts';
import { REPORT_SHARE } from '../contract/report-wait.ts';
import type { IsolatedVM } from './isolate.ts';
import { MemoryPace } from './memory-pace.ts';

/** The share of time that collecting garbage to look at a sandbox's memory may take. */
const SHARE = 1 / 20;
/** Maximum number of bytes of garbage from batches that is tolerated above the limit before garbage is collected. */
const MOST_GARBAGE = 8 << 20;
/** Garbage is collected again when so much more is held than after the last collection, whatever share of time that takes. */
const LEAP = 16 << 20;

/** Bytes that an isolate holds before its script runs, by kind. */
const bareSizes = new Map<string, number>();

/** Watches what a script holds. V8 counts garbage as held, so before a sandbox is judged its garbage is collected. */
export class MemoryWatch {
  readonly #isolate: IsolatedVM.Isolate;
  readonly #collect: () => void;
  readonly #limit: number;
  readonly #bare: number;
  #maximum = 0;
  #notBefore = 0;
  /** Bytes that batches brought since garbage was last collected. */
  #brought = 0;
  #last = { script: 0, total: 0 };
  #lastUntil = -1;
  readonly #pace = new MemoryPace();

  /**
   * To be made before the script runs.
   * @param kind isolates of one kind are alike before that
   * @param limit bytes that the script may hold; 0: any
   */
  constructor(isolate: IsolatedVM.Isolate, collect: () => void, kind: string, limit: number) {
    this.#isolate = isolate;
    this.#collect = collect;
    this.#limit = limit;
    this.#bare = bareSizes.get(kind) ?? this.#measureBare(kind);
  }

  #measureBare(kind: string): number {
    this.#collect();
    this.#collect();
    const size = this.#heldBytes();
    bareSizes.set(kind, size);
    return size;
  }

  /** The most that was seen, with garbage collected. */
  get maximum(): number {
    return this.#maximum;
  }

  /** Rows of a batch that may go by before `passed` wants to look. */
  get due(): number {
    return this.#pace.due;
  }

  /**
   * Rows of a batch went by.
   * @returns the end of the sandbox, or null
   */
  passed(rows: number, allowance: number): End | null {
    if (this.#limit === 0 || this.#isolate.isDisposed || !this.#pace.passed(rows)) return null;
    const held = this.#heldBytes();
    this.#pace.looked(held);
    return this.#excessOf(held, allowance);
  }

  /** A batch comes into the isolate; it is garbage afterwards. */
  note(bytes: number): void {
    this.#brought += bytes;
  }

  /** Returns a recent result of `measure`, or measures again. Collecting garbage takes some milliseconds. */
  lately(): { readonly script: number; readonly total: number } {
    return performance.now() < this.#lastUntil ? this.#last : this.measure();
  }

  /** Measures the bytes that the script holds beyond an isolate without a script, and the total of the isolate. */
  measure(): { readonly script: number; readonly total: number } {
    return this.#measure(0);
  }

  /** @param enough when one collection shows that no more than this is held, that is near enough */
  #measure(enough: number): { readonly script: number; readonly total: number } {
    const started = performance.now();
    this.#collect();
    let held = this.#heldBytes();
    if (held - this.#bare > enough) {
      // Buffers freed by the first collection are swept in the background; the second collection waits for that.
      this.#collect();
      held = this.#heldBytes();
    }
    const now = performance.now();
    this.#notBefore = now + (now - started) / SHARE;
    const script = Math.max(0, held - this.#bare);
    this.#maximum = Math.max(this.#maximum, script);
    this.#brought = 0;
    this.#last = { script, total: held };
    this.#lastUntil = now + (now - started) / REPORT_SHARE;
    return this.#last;
  }

  /**
   * The end of the sandbox, when the script holds more than it may; else null.
   * @param allowance bytes that are held besides
   */
  excess(allowance = 0): End | null {
    return this.#limit === 0 || this.#isolate.isDisposed ? null : this.#excessOf(this.#heldBytes(), allowance);
  }

  #excessOf(held: number, allowance: number): End | null {
    const allowed = this.#limit + allowance;
    const garbage = Math.min(this.#brought, MOST_GARBAGE);
    if (held - this.#bare <= allowed + garbage) return null;
    if (performance.now() < this.#notBefore && held < this.#last.total + LEAP) return null;
    if (this.#measure(this.#limit).script <= allowed) return null;
    return { code: 'limit.memory', reason: `exceeded memory_limit of ${this.#limit}`, limit: this.#limit };
  }

  #heldBytes(): number {
    const { used_heap_size: heap, externally_allocated_size: external } = this.#isolate.getHeapStatisticsSync();
    return heap + external;
  }
}
