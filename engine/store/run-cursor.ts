import { firstWhere } from '../message/binary-search.ts';
import type { BlockKeys } from './block-keys.ts';
import type { RecordStore } from './record-store.ts';
import type { Block, Run, RunPlace } from './row-order.ts';
import type { ViewRow } from './view-entry.ts';

/** A place among the blocks of one stream. */
export class RunCursor {
  /** Index of the next row in the block. */
  index = 0;
  readonly #store: RecordStore;
  readonly #known: BlockKeys;
  readonly #blocks: Run;
  #block: number;
  /** Keys of the block's rows, once it was read. */
  #keys: Float64Array | null = null;

  constructor(store: RecordStore, keys: BlockKeys, blocks: Run, block: number) {
    this.#store = store;
    this.#known = keys;
    this.#blocks = blocks;
    this.#block = block;
  }

  /** Rows of the stream before this place. */
  get rank(): number {
    const block = this.#blocks[this.#block];
    if (block !== undefined) return block.before + this.index;
    const last = this.#blocks.at(-1);
    return last === undefined ? 0 : last.before + last.count;
  }

  /** The key of the next row, or a bound below it while its block was not read; Infinity behind the last block. */
  get bound(): number {
    this.#settle();
    return this.#keys === null ? (this.#blocks[this.#block]?.low ?? Infinity) : (this.#keys[this.index] as number);
  }

  /** Whether `bound` is the key itself. */
  get isRead(): boolean {
    return this.#keys !== null || this.#block >= this.#blocks.length;
  }

  /** The key of the next row; Infinity behind the last block. */
  async key(): Promise<number> {
    this.#settle();
    await this.load();
    return this.bound;
  }

  /** Reads the keys of the block, if some may be below a time. */
  async load(time = Infinity): Promise<void> {
    const block = this.#blocks[this.#block];
    if (block !== undefined && block.low < time)
      this.#keys ??= await this.#known.of(block, this.#blocks[this.#block - 1]?.high ?? -Infinity);
  }

  /** Rows of the stream with keys below a time that is not before this block nor behind it; it was read if it begins before that time. */
  rankAt(time: number): number {
    const before = this.#blocks[this.#block]?.before;
    return before === undefined || this.#keys === null ? this.rank : before + this.#indexAt(this.#keys, time);
  }

  /** Moves to the first row whose key is not below such a time. */
  moveTo(time: number): void {
    if (this.#keys !== null) this.index = this.#indexAt(this.#keys, time);
  }

  #indexAt(keys: Float64Array, time: number): number {
    return firstWhere(keys, (key) => key >= time);
  }

  /** Goes on to the next block at the end of one. */
  #settle(): void {
    if (this.index < (this.#blocks[this.#block]?.count ?? Infinity)) return;
    this.#block++;
    this.index = 0;
    this.#keys = null;
  }

  get place(): RunPlace {
    this.#settle();
    return { block: this.#block, index: this.index };
  }

  /** Number of rows of the block from here on that have this key. */
  async countOf(key: number): Promise<number> {
    await this.load();
    const keys = this.#keys ?? new Float64Array();
    return keys[this.index] === key ? firstWhere(keys, (other) => other > key) - this.index : 0;
  }

  /** A row of the block, so many behind this place. */
  async row(behind = 0): Promise<ViewRow> {
    const { entry, from } = this.#blocks[this.#block] as Block;
    const at = from + this.index + behind;
    const row = entry.rows === null ? at : (entry.rows[at] as number);
    return { segment: entry.segment, row, stored: await this.#store.load(entry.segment) };
  }

  /** Moves to the first row of this block whose key is behind a place; this must hold for all that follow. */
  async skip(behind: (key: number) => boolean): Promise<void> {
    const block = this.#blocks[this.#block];
    if (block === undefined || behind(block.low)) return;
    await this.load();
    this.index = firstWhere(this.#keys as Float64Array, behind);
  }
}
