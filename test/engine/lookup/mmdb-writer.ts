import { Buffer } from 'node:buffer';
import { parseNetwork } from '../../../engine/base/text/networks.ts';

/** A value of a record. `ref` writes the value once, and pointers to it. */
export type Written = string | number | boolean | { readonly double: number } | readonly Written[] | { readonly [name: string]: Written };

interface Options {
  readonly recordSize?: 24 | 28 | 32;
  readonly ipVersion?: 4 | 6;
  readonly metadata?: Readonly<Record<string, Written>>;
}

const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');

/** Writes a small database of addresses in the format of https://maxmind.github.io/MaxMind-DB. Longer prefixes come behind shorter ones. */
export function mmdbOf(
  networks: Readonly<Record<string, Written>>,
  { recordSize = 24, ipVersion = 6, metadata = {} }: Options = {},
): Buffer {
  const data = new Data();
  const nodes: [Leaf, Leaf][] = [[null, null]];
  for (const [network, record] of Object.entries(networks)) {
    const place = { place: data.add(record) };
    const { words, isV4, length } = parseNetwork(network);
    // In a tree of both kinds, IPv4 addresses are those of ::/96.
    const bits = Array.from({ length }, (_, i) => ((words[i >> 5] ?? 0) >>> (31 - (i & 31))) & 1).slice(ipVersion === 4 && isV4 ? 96 : 0);
    set(nodes, bits, place);
  }
  const count = nodes.length;
  const value = (leaf: Leaf): number => (leaf === null ? count : typeof leaf === 'number' ? leaf : leaf.place + count + 16);
  const tree = Buffer.concat(nodes.map(([left, right]) => nodeOf(value(left), value(right), recordSize)));
  const about = new Data();
  about.add({
    binary_format_major_version: 2,
    ...metadata,
    node_count: metadata['node_count'] ?? count,
    record_size: metadata['record_size'] ?? recordSize,
    ip_version: metadata['ip_version'] ?? ipVersion,
  });
  return Buffer.concat([tree, Buffer.alloc(16), data.bytes, MARKER, about.bytes]);
}

type Leaf = number | { readonly place: number } | null;

function set(nodes: [Leaf, Leaf][], bits: readonly number[], leaf: Leaf): void {
  let node = 0;
  for (const [i, bit] of bits.entries()) {
    const pair = nodes[node] as [Leaf, Leaf];
    if (i === bits.length - 1) pair[bit] = leaf;
    else {
      const next = pair[bit] as Leaf;
      // The answer of a shorter prefix holds for the rest of it.
      if (typeof next !== 'number') pair[bit] = nodes.push([next, next]) - 1;
      node = pair[bit] as number;
    }
  }
}

function nodeOf(left: number, right: number, size: 24 | 28 | 32): Buffer {
  const node = Buffer.alloc(size / 4);
  if (size === 32) {
    node.writeUInt32BE(left, 0);
    node.writeUInt32BE(right, 4);
  } else if (size === 24) {
    node.writeUIntBE(left, 0, 3);
    node.writeUIntBE(right, 3, 3);
  } else {
    node.writeUIntBE(left & 0xffffff, 0, 3);
    node[3] = ((left >>> 24) << 4) | (right >>> 24);
    node.writeUIntBE(right & 0xffffff, 4, 3);
  }
  return node;
}

/** A data section, in which each text stands once. */
class Data {
  readonly #texts = new Map<string, number>();
  #pieces: Buffer[] = [];
  #size = 0;

  get bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  /** @returns the place of the value */
  add(value: Written): number {
    const place = this.#size;
    if (typeof value === 'string') this.#text(value);
    else if (typeof value === 'boolean') this.#put(head(14, value ? 1 : 0));
    else if (typeof value === 'number') this.#number(value);
    else if (Array.isArray(value)) {
      this.#put(head(11, value.length));
      for (const one of value as readonly Written[]) this.add(one);
    } else if ('double' in value && typeof value.double === 'number') {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleBE(value.double);
      this.#put(head(3, 8), bytes);
    } else {
      const members = Object.entries(value as Readonly<Record<string, Written>>);
      this.#put(head(7, members.length));
      for (const [name, member] of members) {
        this.#text(name);
        this.add(member);
      }
    }
    return place;
  }

  #text(text: string): void {
    const known = this.#texts.get(text);
    if (known !== undefined) return this.#put(pointer(known));
    this.#texts.set(text, this.#size);
    const bytes = Buffer.from(text);
    this.#put(head(2, bytes.length), bytes);
  }

  #number(value: number): void {
    if (value < 0) {
      const bytes = Buffer.alloc(4);
      bytes.writeInt32BE(value);
      return this.#put(head(8, 4), bytes);
    }
    const hex = value.toString(16);
    const bytes = value === 0 ? Buffer.alloc(0) : Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
    this.#put(head(bytes.length > 4 ? 9 : 6, bytes.length), bytes);
  }

  #put(...pieces: readonly Buffer[]): void {
    for (const piece of pieces) {
      this.#pieces.push(piece);
      this.#size += piece.length;
    }
  }
}

function head(type: number, size: number): Buffer {
  const [first, more] = size < 29 ? [size, []] : size < 285 ? [29, [size - 29]] : [30, [(size - 285) >> 8, (size - 285) & 255]];
  return type < 8 ? Buffer.from([(type << 5) | first, ...more]) : Buffer.from([first, type - 7, ...more]);
}

function pointer(place: number): Buffer {
  if (place < 2048) return Buffer.from([(1 << 5) | (place >> 8), place & 255]);
  const value = place - 2048;
  return Buffer.from([(1 << 5) | (1 << 3) | (value >> 16), (value >> 8) & 255, value & 255]);
}
