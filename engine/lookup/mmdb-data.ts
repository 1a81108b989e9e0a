import type { Buffer } from 'node:buffer';
import type { LookupValue } from './lookup.ts';

/** Types of values, as https://maxmind.github.io/MaxMind-DB numbers them. */
const TYPES = {
  pointer: 1,
  text: 2,
  double: 3,
  uint16: 5,
  uint32: 6,
  map: 7,
  int32: 8,
  uint64: 9,
  uint128: 10,
  array: 11,
  truth: 14,
  float: 15,
} as const;
const { pointer: POINTER, text: TEXT, map: MAP, array: ARRAY, truth: TRUTH } = TYPES;
/** Unsigned whole numbers. */
const WHOLE: readonly number[] = [TYPES.uint16, TYPES.uint32, TYPES.uint64, TYPES.uint128];

/** Values that one question may pass over: those of a record are some hundred. */
const MOST_STEPS = 100_000;
/** Members that stand for a whole map, such as that of a country. */
const STANDING = [['iso_code'], ['code'], ['names', 'en'], ['name'], ['en']] as const;

/** The data of a file are damaged. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
}

interface Head {
  readonly type: number;
  /** Bytes of a value, members of a map, values of an array; the place that a pointer leads to. */
  readonly size: number;
  /** Place behind it. */
  readonly at: number;
}

/** Values of an MMDB file by their places. No more of them is read than what leads to the one that is asked for. */
export class MmdbData {
  readonly #bytes: Buffer;
  #steps = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /**
   * The value at a path in the value at a place; null: there is none. A map stands for its `iso_code`, `code` or English name, an array for its
   * first value.
   * @throws {DamagedError}
   */
  find(place: number, path: readonly string[]): LookupValue | null {
    this.#steps = 0;
    const found = path.reduce<Head | null>((head, name) => head && this.#member(head, name), this.#follow(this.#head(place)));
    return found && this.#value(found);
  }

  /** The names of members in the first so many values. @returns `all`: there are no further ones */
  names(most: number): { readonly names: ReadonlySet<string>; readonly all: boolean } {
    this.#steps = 0;
    const names = new Set<string>();
    let at = 0;
    /** For each open map and array, how many of its keys and values are left. */
    const open: { left: number; readonly isMap: boolean }[] = [];
    for (let count = 0; at < this.#bytes.length; count++) {
      if (count >= most) return { names, all: false };
      const head = this.#head(at);
      const parent = open.at(-1);
      const isName = parent !== undefined && parent.isMap && parent.left % 2 === 0;
      if (isName && head.type === TEXT) names.add(this.#text(head));
      at = this.#end(head);
      if (parent !== undefined && --parent.left === 0) open.pop();
      if (head.type === MAP && head.size > 0) open.push({ left: head.size * 2, isMap: true });
      else if (head.type === ARRAY && head.size > 0) open.push({ left: head.size, isMap: false });
    }
    return { names, all: true };
  }

  #value(head: Head): LookupValue | null {
    const { type, size, at } = head;
    if (type === MAP) {
      for (const path of STANDING) {
        const found = path.reduce<Head | null>((map, name) => map && this.#member(map, name), head);
        if (found !== null && found.type !== MAP && found.type !== ARRAY) return this.#value(found);
      }
      return null;
    }
    if (type === ARRAY) {
      const first = this.#member(head, '0');
      return first === null || first.type === ARRAY ? null : this.#value(first);
    }
    if (type === TRUTH) return size !== 0;
    if (type === TEXT) return this.#text(head);
    this.#check(head);
    if (type === TYPES.double && size === 8) return this.#bytes.readDoubleBE(at);
    if (type === TYPES.float && size === 4) return this.#bytes.readFloatBE(at);
    if (type === TYPES.int32 && size === 4) return this.#bytes.readInt32BE(at);
    if ((WHOLE.includes(type) && size <= 16) || (type === TYPES.int32 && size < 4)) return this.#whole(at, size);
    return null;
  }

  #text(head: Head): string {
    this.#check(head);
    return this.#bytes.toString('utf8', head.at, head.at + head.size);
  }

  #check({ at, size }: Head): void {
    if (at + size > this.#bytes.length) throw new DamagedError('a value goes on behind the end');
  }

  #whole(at: number, size: number): number {
    let value = 0;
    for (let i = 0; i < size; i++) value = value * 256 + this.#byte(at + i);
    return value;
  }

  /** The member of a map by its name, or of an array by its number; null: there is none. */
  #member({ type, size, at: start }: Head, name: string): Head | null {
    if (type !== MAP && type !== ARRAY) return null;
    let at = start;
    for (let i = 0; i < size; i++) {
      let isWanted = String(i) === name;
      if (type === MAP) {
        const key = this.#head(at);
        const followed = this.#follow(key);
        if (followed.type !== TEXT) throw new DamagedError('a name in a map is no text');
        isWanted = this.#text(followed) === name;
        at = this.#behind(key);
      }
      const head = this.#head(at);
      if (isWanted) return this.#follow(head);
      at = this.#behind(head);
    }
    return null;
  }

  /** The place behind a whole value. */
  #behind(head: Head): number {
    let next = head;
    for (let left = 1; ; next = this.#head(this.#end(next))) {
      if (next.type === MAP) left += next.size * 2;
      else if (next.type === ARRAY) left += next.size;
      if (--left === 0) return this.#end(next);
    }
  }

  /** The place behind the bytes of a value; of a map or array, its first member. */
  #end(head: Head): number {
    return this.#hasBytes(head) ? head.at + head.size : head.at;
  }

  #hasBytes({ type }: Head): boolean {
    return type !== POINTER && type !== MAP && type !== ARRAY && type !== TRUTH;
  }

  /** The value that a pointer leads to, which is none. */
  #follow(head: Head): Head {
    if (head.type !== POINTER) return head;
    const target = this.#head(head.size);
    if (target.type === POINTER) throw new DamagedError('a pointer leads to a pointer');
    return target;
  }

  #head(place: number): Head {
    if (++this.#steps > MOST_STEPS) throw new DamagedError('a record has too many values');
    const first = this.#byte(place);
    let type = first >> 5;
    let at = place + 1;
    if (type === POINTER) {
      const length = (first >> 3) & 3;
      const size = length === 3 ? this.#whole(at, 4) : ((first & 7) << (8 * (length + 1))) + this.#whole(at, length + 1);
      return { type, size: size + ([0, 2048, 526_336, 0][length] as number), at: at + length + 1 };
    }
    if (type === 0) type = this.#byte(at++) + 7;
    let size = first & 31;
    if (size >= 29) {
      const length = size - 28;
      size = this.#whole(at, length) + ([29, 285, 65_821][length - 1] as number);
      at += length;
    }
    return { type, size, at };
  }

  #byte(at: number): number {
    const byte = this.#bytes[at];
    if (byte === undefined) throw new DamagedError('a value goes on behind the end');
    return byte;
  }
}
