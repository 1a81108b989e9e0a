import type { RecordStore } from './record-store.ts';
import type { Block } from './row-order.ts';
import { millisecondsOf } from './times.ts';
import type { ViewEntry } from './view-entry.ts';
import { TIMES } from './wanted.ts';

/** Keys that are kept: those of some hundred blocks. */
const MOST_KEPT = 2 ** 21;

interface Known {
  readonly floor: number;
  readonly keys: Float64Array;
}

/** The keys of the rows of blocks. Those that were read last are kept: a search for one place reads the same blocks again and again, and so does the next one, when further rows have come. */
export class BlockKeys {
  readonly #store: RecordStore;
  /** By the entry of a block, and its first row there. */
  readonly #kept = new Map<ViewEntry, Map<number, Known>>();
  #count = 0;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  /** @param floor the least key: the highest one of the block before */
  async of(block: Block, floor: number): Promise<Float64Array> {
    const known = this.#kept.get(block.entry)?.get(block.from);
    if (known?.floor === floor && known.keys.length === block.count) return known.keys;
    const keys = await this.#read(block, floor);
    if (this.#count + keys.length > MOST_KEPT) this.forget();
    const kept = this.#kept.get(block.entry) ?? new Map<number, Known>();
    this.#kept.set(block.entry, kept.set(block.from, { floor, keys }));
    this.#count += keys.length;
    return keys;
  }

  forget(): void {
    this.#kept.clear();
    this.#count = 0;
  }

  async #read({ entry, from, count }: Block, floor: number): Promise<Float64Array> {
    const times = millisecondsOf((await this.#store.columns(entry.segment, TIMES)).timestamps);
    const keys = new Float64Array(count);
    let key = floor;
    for (let i = 0; i < count; i++) {
      const row = entry.rows === null ? from + i : (entry.rows[from + i] as number);
      key = Math.max(key, times[row] as number);
      keys[i] = key;
    }
    return keys;
  }
}
