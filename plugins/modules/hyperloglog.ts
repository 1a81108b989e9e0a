/**
 * Estimates how many different items there were, in 16 KiB and within about 0.8 % (P. Flajolet et al., "HyperLogLog: the analysis of a near-optimal
 * cardinality estimation algorithm", 2007), with a correction of the bias of estimates up to 72000.
 */
import { checkString, unexpected } from '../base/arguments.ts';
import { MurmurHash } from '../base/murmur_hash.ts';
import { writeUtf8 } from '../base/utf8_bytes.ts';

const INDEX_BITS = 14;
const REGISTERS = 1 << INDEX_BITS;
const HIGHEST_RANK = 51;
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);
const SMALL_RANGE = 2.5 * REGISTERS;
const MIDDLE_RANGE = 72_000;
const MAX_LENGTH = 16_384;
/** Ranks are saved from `0` on, as printable characters. */
const FIRST_CHARACTER = 48;

/** Estimates the number of different items; see above. */
export class HyperLogLog {
  readonly #registers = new Uint8Array(REGISTERS);
  /** Number of registers by rank. */
  readonly #ranks = new Uint32Array(HIGHEST_RANK + 1);
  readonly #hash = new MurmurHash();
  #bytes = new Uint8Array(256);

  constructor() {
    this.clear();
  }

  /**
   * Counts an item: the UTF-8 of a text, bytes, or the bits of a number. Only the first 16,384 characters of a text are used. Returns whether the
   * estimator changed.
   */
  add(item: string | number | Uint8Array): boolean {
    if (typeof item !== 'string' && typeof item !== 'number' && !ArrayBuffer.isView(item)) {
      throw unexpected('add', 1, 'text, number or bytes', item);
    }
    const length = this.#write(item);
    this.#hash.update(this.#bytes, length);
    const { high, low } = this.#hash;
    const rest = low >>> INDEX_BITS;
    const zeros = rest !== 0 ? trailingZeros(rest) : 32 - INDEX_BITS + trailingZeros(high | 0x80000000);
    return this.#raise(low & (REGISTERS - 1), zeros + 1);
  }

  /** The estimate. */
  count(): number {
    let sum = 0;
    for (let rank = HIGHEST_RANK; rank >= 0; rank--) sum += (this.#ranks[rank] as number) * 2 ** -rank;
    const raw = (ALPHA * REGISTERS * REGISTERS) / sum;
    const zeros = this.#ranks[0] as number;
    if (raw < SMALL_RANGE && zeros > 0) return Math.trunc(REGISTERS * Math.log(REGISTERS / zeros));
    return Math.trunc(raw < MIDDLE_RANGE ? raw - (raw * biasPercent(raw)) / 100 : raw);
  }

  clear(): void {
    this.#registers.fill(0);
    this.#ranks.fill(0);
    this.#ranks[0] = REGISTERS;
  }

  /** Counts all that another estimator has counted, exactly as if it had been added here. */
  merge(other: HyperLogLog): void {
    if (!(other instanceof HyperLogLog)) throw unexpected('merge', 1, 'HyperLogLog', other);
    for (const [register, rank] of other.#registers.entries()) this.#raise(register, rank);
  }

  /** The registers as text, a character each. */
  toSaved(): string {
    return Array.from(this.#registers, (rank) => String.fromCharCode(FIRST_CHARACTER + rank)).join('');
  }

  /** Takes over what `toSaved` wrote. Raises an error for any other text. */
  restore(saved: string): void {
    checkString('restore', 1, saved);
    const ranks = Array.from({ length: saved.length }, (_, i) => saved.charCodeAt(i) - FIRST_CHARACTER);
    if (ranks.length !== REGISTERS || ranks.some((rank) => rank < 0 || rank > HIGHEST_RANK)) throw new RangeError('not a saved estimator');
    this.clear();
    for (const [register, rank] of ranks.entries()) this.#raise(register, rank);
  }

  static fromSaved(saved: string): HyperLogLog {
    const estimator = new HyperLogLog();
    estimator.restore(saved);
    return estimator;
  }

  #raise(register: number, rank: number): boolean {
    const old = this.#registers[register] as number;
    if (rank <= old) return false;
    this.#registers[register] = rank;
    this.#ranks[old] = (this.#ranks[old] as number) - 1;
    this.#ranks[rank] = (this.#ranks[rank] as number) + 1;
    return true;
  }

  /** Writes the item's bytes. Returns how many they are. */
  #write(item: string | number | Uint8Array): number {
    if (typeof item === 'number') {
      new DataView(this.#bytes.buffer).setFloat64(0, item, true);
      return 8;
    }
    const part = item.length > MAX_LENGTH ? item.slice(0, MAX_LENGTH) : item;
    if (part.length * 3 > this.#bytes.length) this.#bytes = new Uint8Array(part.length * 3);
    if (typeof part === 'string') return writeUtf8(part, this.#bytes);
    this.#bytes.set(part);
    return part.length;
  }
}

function trailingZeros(value: number): number {
  return 31 - Math.clz32(value & -value);
}

/** The bias of estimates of this size, in percent. */
function biasPercent(estimate: number): number {
  return 5.9119e-18 * estimate ** 4 - 1.4253e-12 * estimate ** 3 + 1.294e-7 * estimate ** 2 - 5.2921e-3 * estimate + 83.3216;
}
