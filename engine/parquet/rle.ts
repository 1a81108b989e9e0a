import type { GrowingBytes } from './growing.ts';

/** Values of a bit-packed run. Runs that are longer are cut, so that the length of a run fits into one byte. */
const MAX_PACKED = 8 * 63;
/** Repetitions from which a run of its own takes less room. */
const MIN_REPEATS = 8;

/**
 * Encodes small numbers as runs: repeated ones, or bit-packed groups of eight ("RLE / bit-packing hybrid",
 * https://parquet.apache.org/docs/file-format/data-pages/encodings/).
 */
export class RunEncoder {
  readonly #out: GrowingBytes;
  readonly #bits: number;
  readonly #packed = new Uint32Array(MAX_PACKED);
  #packedCount = 0;
  #value = 0;
  #repeats = 0;

  /** @param bits width of a value, 0 to 32 */
  constructor(out: GrowingBytes, bits: number) {
    this.#out = out;
    this.#bits = bits;
  }

  add(value: number, count = 1): void {
    if (value === this.#value) {
      this.#repeats += count;
      return;
    }
    this.#endRepeats(false);
    this.#value = value;
    this.#repeats = count;
  }

  /** Writes the rest. Nothing may be added after it. */
  end(): void {
    this.#endRepeats(true);
    this.#writePacked();
  }

  /** Puts the repeated value into the group in the making, or writes a run. A group is filled up to eight before a run begins. */
  #endRepeats(last: boolean): void {
    const value = this.#value;
    let left = this.#repeats;
    this.#repeats = 0;
    const missing = (8 - (this.#packedCount & 7)) & 7;
    if (left < missing + MIN_REPEATS && !(last && this.#packedCount === 0 && left > 1)) {
      for (; left > 0; left--) this.#pack(value);
      return;
    }
    for (let i = 0; i < missing; i++, left--) this.#pack(value);
    this.#writePacked();
    this.#out.varint(left * 2);
    for (let shift = 0; shift < this.#bits; shift += 8) this.#out.byte((value >>> shift) & 0xff);
  }

  #pack(value: number): void {
    this.#packed[this.#packedCount++] = value;
    if (this.#packedCount === MAX_PACKED) this.#writePacked();
  }

  /** The last group may lack values: readers know how many there are. */
  #writePacked(): void {
    if (this.#packedCount === 0) return;
    const groups = Math.ceil(this.#packedCount / 8);
    this.#packed.fill(0, this.#packedCount, groups * 8);
    this.#out.varint(groups * 2 + 1);
    packBits(this.#out, this.#packed, groups * 8, this.#bits);
    this.#packedCount = 0;
  }
}

/** Packs values of so many bits, the lowest bit first. */
function packBits(out: GrowingBytes, values: Uint32Array, count: number, bits: number): void {
  const size = (count * bits) / 8;
  out.reserve(size);
  const { data } = out;
  let at = out.length;
  let held = 0;
  let heldBits = 0;
  for (let i = 0; i < count; i++) {
    let value = values[i] as number;
    for (let left = bits; left > 0;) {
      const take = Math.min(left, 8 - heldBits);
      held |= (value & ((1 << take) - 1)) << heldBits;
      value >>>= take;
      left -= take;
      heldBits += take;
      if (heldBits < 8) continue;
      data[at++] = held;
      held = heldBits = 0;
    }
  }
  out.length = at;
}

/** The width of numbers up to `highest`. */
export const bitWidth = (highest: number): number => 32 - Math.clz32(highest);
