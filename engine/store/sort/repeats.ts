/** Parts of texts in which repeated records may differ: numbers, and identifiers of hexadecimal digits. */
const VARYING = /\b[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}\b|\b(?=[a-fA-F]*\d)[\da-fA-F]{4,}\b|\d+/g;
/** Characters by which texts are compared. */
const MOST = 4096;

/** A text as all of its repetitions have it. */
export const repeatedText = (text: string): string => text.slice(0, MOST).replace(VARYING, '0');

/** The rows that are shown where repeated ones are folded. */
export interface FoldedOrder {
  /** For each row, the number in order of arrival of the first of its records. */
  readonly arrivals: Uint32Array<ArrayBuffer>;
  /** For each number in order of arrival, the row that stands for it. */
  readonly rows: Uint32Array<ArrayBuffer>;
  /** Records that each row stands for. */
  readonly counts: Uint32Array<ArrayBuffer>;
}

/** Finds records that follow each other in one stream with the same text. */
export class Repeats {
  /** For each record, in order of arrival, the first one that it repeats, which may be itself. */
  readonly #first: Uint32Array;
  /** Records that the first of them stands for. */
  readonly #counts: Uint32Array;
  readonly #last = new Map<string, { readonly text: string; readonly first: number }>();
  #count = 0;

  /** @param most records that will be taken at most */
  constructor(most: number) {
    this.#first = new Uint32Array(most);
    this.#counts = new Uint32Array(most);
  }

  /** Takes the next record in order of arrival. */
  take(stream: string, text: string): void {
    const at = this.#count++;
    const last = this.#last.get(stream);
    const first = last?.text === text ? last.first : at;
    if (first === at) this.#last.set(stream, { text, first });
    this.#first[at] = first;
    this.#counts[first] = (this.#counts[first] as number) + 1;
  }

  /** @param order the records by number in order of arrival, as they are shown; null: in that order */
  fold(order: Uint32Array | null): FoldedOrder {
    const rows = new Uint32Array(this.#count);
    const shown = new Uint32Array(this.#count);
    let total = 0;
    for (let i = 0; i < this.#count; i++) {
      const arrival = order === null ? i : (order[i] as number);
      if (this.#first[arrival] !== arrival) continue;
      rows[arrival] = total;
      shown[total++] = arrival;
    }
    for (let at = 0; at < this.#count; at++) rows[at] = rows[this.#first[at] as number] as number;
    const arrivals = shown.slice(0, total);
    return { arrivals, rows, counts: arrivals.map((arrival) => this.#counts[arrival] as number) };
  }
}
