import type { RecordStore } from './record-store.ts';
import type { Block } from './row-order.ts';
import { millisecondsOf } from './times.ts';
import { TIMES } from './wanted.ts';

/** Keys that are kept: those of some hundred blocks. */
const MOST_KEPT = 2 ** 21;

/** The keys of the rows of blocks. Those that were read last are kept: a search for one place reads the same blocks again and again. */
export class BlockKeys {
  readonly #store: RecordStore;
  readonly #kept = new Map<Block, Float64Array>();
  #count = 0;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  /** @param floor the least key: the highest one of the block before */
  async of(block: Block, floor: number): Promise<Float64Array> {
    const known = this.#kept.get(block);
    if (known !== undefined) return known;
    const keys = await this.#read(block, floor);
    if (this.#count + keys.length > MOST_KEPT) this.#forget();
    this.#kept.set(block, keys);
    this.#count += keys.length;
    return keys;
  }

  #forget(): void {
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
