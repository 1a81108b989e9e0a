import { GrowingWords } from './growing.ts';

/** Entries from which a dictionary is looked at, at each doubling: one that most values are new to is given up. */
const FIRST_LOOK = 1 << 11;
/** Most entries of a dictionary. */
const MAX_ENTRIES = 1 << 16;

/**
 * Numbers values in the order in which they first come. The caller keeps the values and compares them; this keeps their hashes and the number of each
 * value that was added.
 */
export class Dictionary {
  readonly ids = new GrowingWords();
  /** Number of distinct values. */
  size = 0;
  #hashes = new Int32Array(64);
  /** Number of an entry plus one by hash; 0: free. */
  #slots = new Uint32Array(128);
  #nextLook = FIRST_LOOK;

  /** The number of the value with this hash for which `same` is true, or a new one: then `size` has grown. The number is added. */
  add(hash: number, same: (entry: number) => boolean): number {
    const mask = this.#slots.length - 1;
    let slot = spread(hash) & mask;
    for (;;) {
      const entry = (this.#slots[slot] as number) - 1;
      if (entry < 0) break;
      if (this.#hashes[entry] === hash && same(entry)) {
        this.ids.push(entry);
        return entry;
      }
      slot = (slot + 1) & mask;
    }
    const entry = this.size++;
    this.#slots[slot] = this.size;
    if (entry === this.#hashes.length) this.#grow();
    this.#hashes[entry] = hash;
    if (this.size * 2 > this.#slots.length) this.#rehash();
    this.ids.push(entry);
    return entry;
  }

  /** Tells whether the values repeat too seldom for a dictionary. */
  get useless(): boolean {
    if (this.size < this.#nextLook) return false;
    this.#nextLook *= 2;
    return this.size >= MAX_ENTRIES || this.size * 2 > this.ids.length;
  }

  #grow(): void {
    const larger = new Int32Array(this.#hashes.length * 2);
    larger.set(this.#hashes);
    this.#hashes = larger;
  }

  #rehash(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let entry = 0; entry < this.size; entry++) {
      let slot = spread(this.#hashes[entry] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry + 1;
    }
    this.#slots = slots;
  }
}

/** Lets all bits of a hash take part in its lowest ones. */
const spread = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 12;
