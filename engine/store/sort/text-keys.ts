/** Bytes of a text that are compared. */
const LONGEST = 256;
/** Texts that are told apart when they come again; where there are more, each counts as a new one. */
const MOST_KNOWN = 65_536;
const FIRST_BYTES = 1 << 16;
/** Bytes that one number holds exactly. */
const PREFIX_BYTES = 6;

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;

/** Ranks from 0 on, and how many there are; NaN: none. */
export interface Ranks {
  readonly ranks: Float64Array;
  readonly count: number;
}

/** Texts that are to be sorted, each known by a code. Their bytes lie in one piece of memory, outside of the JavaScript heap. */
export class TextKeys {
  #bytes = Buffer.alloc(FIRST_BYTES);
  #used = 0;
  /** ends[i]: where the text with the code i ends. */
  readonly #ends: number[] = [];
  readonly #known = new Map<string, number>();
  #numeric = true;

  /** The code of a text. The same text may have several. */
  codeOf(text: string): number {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const code = this.#ends.length;
    this.#numeric &&= NUMBER.test(text);
    this.#append(text);
    if (this.#known.size < MOST_KNOWN) this.#known.set(text, code);
    return code;
  }

  /** The texts as numbers, by code; null: not all of them are written as numbers. */
  get numbers(): Float64Array | null {
    return this.#numeric
      ? Float64Array.from(this.#ends, (end, code) => Number(this.#bytes.toString('latin1', this.#start(code), end)))
      : null;
  }

  /** The rank of each code by code points, from 0 on. Equal texts have equal ranks. */
  ranks(): Ranks {
    const ends = this.#ends;
    const prefixes = Float64Array.from(ends, (end, code) => this.#prefix(this.#start(code), end));
    const compare = (a: number, b: number): number => (prefixes[a] as number) - (prefixes[b] as number) || this.#compareRest(a, b);
    const sorted = Uint32Array.from(ends, (_end, code) => code).sort(compare);
    const ranks = new Float64Array(ends.length);
    let rank = 0;
    for (let i = 0; i < sorted.length; i++) {
      const code = sorted[i] as number;
      if (i > 0 && compare(sorted[i - 1] as number, code) !== 0) rank++;
      ranks[code] = rank;
    }
    return { ranks, count: ends.length === 0 ? 0 : rank + 1 };
  }

  #start(code: number): number {
    return code === 0 ? 0 : (this.#ends[code - 1] as number);
  }

  #append(text: string): void {
    while (this.#used + LONGEST > this.#bytes.length) {
      const larger = Buffer.alloc(this.#bytes.length * 2);
      this.#bytes.copy(larger, 0, 0, this.#used);
      this.#bytes = larger;
    }
    this.#used += this.#bytes.write(text, this.#used, LONGEST);
    this.#ends.push(this.#used);
  }

  /** The first bytes as a number that compares as they do; a text that has ended comes first. */
  #prefix(start: number, end: number): number {
    let prefix = 0;
    for (let i = 0; i < PREFIX_BYTES; i++) prefix = prefix * 257 + (start + i < end ? (this.#bytes[start + i] as number) + 1 : 0);
    return prefix;
  }

  #compareRest(a: number, b: number): number {
    const bytes = this.#bytes;
    const [endA, endB] = [this.#ends[a] as number, this.#ends[b] as number];
    let atA = this.#start(a) + PREFIX_BYTES;
    let atB = this.#start(b) + PREFIX_BYTES;
    while (atA < endA && atB < endB) {
      const difference = (bytes[atA++] as number) - (bytes[atB++] as number);
      if (difference !== 0) return difference;
    }
    return Math.max(0, endA - atA) - Math.max(0, endB - atB);
  }
}

/** The rank of each number, from 0 on; equal numbers have equal ranks, and NaN has none (NaN). */
export function rankNumbers(numbers: Float64Array): Ranks {
  const distinct = Float64Array.from(numbers).sort();
  let count = 0;
  for (const value of distinct) if (value === value && (count === 0 || distinct[count - 1] !== value)) distinct[count++] = value;
  const ranks = new Float64Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) ranks[i] = rankOf(numbers[i] as number, distinct, count);
  return { ranks, count };
}

/** The rank of each pair of numbers, by the first of them and then by the other; NaN: the first is none. */
export function rankPairs(firsts: Float64Array, others: Float64Array): Ranks {
  const { ranks } = rankNumbers(firsts);
  const rests = rankNumbers(others);
  return rankNumbers(ranks.map((rank, i) => rank * rests.count + (rests.ranks[i] as number)));
}

function rankOf(value: number, distinct: Float64Array, count: number): number {
  if (value !== value) return NaN;
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((distinct[middle] as number) >= value) high = middle;
    else low = middle + 1;
  }
  return low;
}
