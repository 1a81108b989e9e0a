import { madeText, type Text } from '../latin-text.ts';

/** The text or the bytes that values are pieces of. */
export type Backing = Text | Uint8Array;

/** Values that are the pieces [starts[i], ends[i]) of a backing. */
export interface Pieces<B extends Backing> {
  readonly backing: B;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/**
 * A backing of which a smaller share than this is used is not kept whole: its values are copied out. Overlapping values count each, so
 * copying never makes more than half of what it replaces.
 */
const WORTHWHILE = 0.5;

/** The number of units of its backing that a list of values covers; overlaps count each time. */
export function unitsUsed(starts: Uint32Array, ends: Uint32Array): number {
  let units = 0;
  for (let i = 0; i < starts.length; i++) units += (ends[i] as number) - (starts[i] as number);
  return units;
}

/** Whether a backing of this length with this use should be left behind. */
export function wasteful(used: number, length: number): boolean {
  return used < length * WORTHWHILE;
}

/**
 * Joins backings, so that values from several lie in one. First `note` everything that will come, then `place` it, then `finish`.
 * A backing is copied once, however many columns use it; one that is hardly used only gives its values.
 */
export class BackingJoiner<B extends Backing> {
  readonly #join: (pieces: readonly B[]) => B;
  readonly #used = new Map<B, number>();
  readonly #bases = new Map<B, number>();
  readonly #pieces: B[] = [];
  #length = 0;

  constructor(join: (pieces: readonly B[]) => B) {
    this.#join = join;
  }

  note(values: Pieces<B>): void {
    this.#used.set(values.backing, (this.#used.get(values.backing) ?? 0) + unitsUsed(values.starts, values.ends));
  }

  /** Writes the positions of the values in the joined backing to `starts` and `ends` from `at` on. */
  place(values: Pieces<B>, starts: Uint32Array, ends: Uint32Array, at: number): void {
    if (wasteful(this.#used.get(values.backing) ?? 0, values.backing.length)) this.copy(values, starts, ends, at);
    else this.#shiftValues(values, starts, ends, at);
  }

  finish(): B {
    return this.#join(this.#pieces);
  }

  #shiftValues(values: Pieces<B>, starts: Uint32Array, ends: Uint32Array, at: number): void {
    const base = this.#bases.get(values.backing) ?? this.#append(values.backing);
    this.#bases.set(values.backing, base);
    for (let i = 0; i < values.starts.length; i++) {
      starts[at + i] = (values.starts[i] as number) + base;
      ends[at + i] = (values.ends[i] as number) + base;
    }
  }

  /** As `place`, and always leaves the values' own backing behind. Needs no `note`. */
  copy(values: Pieces<B>, starts: Uint32Array, ends: Uint32Array, at: number): void {
    let start = -1;
    let end = -1;
    let base = 0;
    for (let i = 0; i < values.starts.length; i++) {
      if (values.starts[i] !== start || values.ends[i] !== end) {
        start = values.starts[i] as number;
        end = values.ends[i] as number;
        base = this.#append(pieceOfBacking(values.backing, start, end) as B);
      }
      starts[at + i] = base;
      ends[at + i] = base + end - start;
    }
  }

  #append(piece: B): number {
    const base = this.#length;
    this.#pieces.push(piece);
    this.#length += piece.length;
    return base;
  }
}

const pieceOfBacking = (backing: Backing, start: number, end: number): string | Uint8Array =>
  backing instanceof Uint8Array ? backing.subarray(start, end) : backing.slice(start, end);

export const joinTexts = (pieces: readonly Text[]): string => pieces.map(madeText).join('');

export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0] as Uint8Array;
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/**
 * Joins the values of many columns. Columns whose values lie in the same backing somewhere lie in the same one afterwards too,
 * or that backing would be copied for each of them; all others stay apart.
 */
export class BackingGroups<B extends Backing> {
  readonly #join: (pieces: readonly B[]) => B;
  readonly #columns: (readonly Pieces<B>[])[] = [];
  readonly #parents: number[] = [];
  /** The first column that named a backing. */
  readonly #owners = new Map<B, number>();
  #settled: Pieces<B>[] = [];

  constructor(join: (pieces: readonly B[]) => B) {
    this.#join = join;
  }

  /** Announces a column that holds these lists of values, one behind the other, and returns its number. */
  announce(lists: readonly Pieces<B>[]): number {
    const column = this.#columns.length;
    this.#columns.push(lists);
    this.#parents.push(column);
    for (const { backing } of lists) {
      const owner = this.#owners.get(backing);
      if (owner === undefined) this.#owners.set(backing, column);
      else this.#parents[this.#root(owner)] = this.#root(column);
    }
    return column;
  }

  /** Joins the announced columns. */
  settle(): void {
    const joiners = new Map<number, BackingJoiner<B>>();
    const chosen = this.#columns.map((lists, column) => {
      const root = this.#root(column);
      const joiner = joiners.get(root) ?? new BackingJoiner(this.#join);
      joiners.set(root, joiner);
      for (const list of lists) joiner.note(list);
      return joiner;
    });
    const places = this.#columns.map((lists, column) => placeLists(lists, chosen[column] as BackingJoiner<B>));
    const backings = new Map([...joiners.values()].map((joiner) => [joiner, joiner.finish()]));
    this.#settled = places.map((place, column) => ({ ...place, backing: backings.get(chosen[column] as BackingJoiner<B>) as B }));
  }

  /** The values of a column, after `settle`. */
  settled(column: number): Pieces<B> {
    return this.#settled[column] as Pieces<B>;
  }

  #root(column: number): number {
    let root = column;
    while (this.#parents[root] !== root) {
      const grandparent = this.#parents[this.#parents[root] as number] as number;
      this.#parents[root] = grandparent;
      root = grandparent;
    }
    return root;
  }
}

function placeLists<B extends Backing>(lists: readonly Pieces<B>[], joiner: BackingJoiner<B>): { starts: Uint32Array; ends: Uint32Array } {
  const count = lists.reduce((sum, list) => sum + list.starts.length, 0);
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  let at = 0;
  for (const list of lists) {
    joiner.place(list, starts, ends, at);
    at += list.starts.length;
  }
  return { starts, ends };
}
