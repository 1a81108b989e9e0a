import { readSync } from 'node:fs';
import { plainHost } from './address.ts';
import { Records } from './records.ts';

const MAX_COUNT = 4096;
const MAX_BYTES = 256 << 10;
const LINE_FEED = 10;
const ENDS = 0;
const SENDERS = MAX_COUNT * 4;
const BYTES = MAX_COUNT * 8;

/** No datagram has more bytes than its length, a number of 16 bits, can tell. */
export const LARGEST_DATAGRAM = 65_535;

/** Bytes of memory of a block. */
export const BLOCK_SIZE = BYTES + MAX_BYTES;

/** A block on its way from one thread to the other; its memory moves along. */
export interface SentBlock {
  readonly memory: ArrayBuffer;
  readonly count: number;
  readonly hosts: readonly string[];
}

/** Some datagrams, one behind the other in one piece of memory, with their senders. Each has a line end behind it: so it is ready to be written. */
export class DatagramBlock {
  readonly #memory: ArrayBuffer;
  /** For each datagram the end of its bytes, and the index of its sender among the hosts. */
  readonly #ends: Uint32Array;
  readonly #senders: Uint32Array;
  readonly #bytes: Buffer;
  readonly #hosts: string[] = [];
  readonly #indexes = new Map<string, number>();
  #lastAddress = '';
  #lastIndex = -1;
  #count = 0;
  #end = 0;

  /** Makes an empty block in memory of `BLOCK_SIZE` bytes; by default in new memory. */
  constructor(memory = new ArrayBuffer(BLOCK_SIZE)) {
    this.#memory = memory;
    this.#ends = new Uint32Array(memory, ENDS, MAX_COUNT);
    this.#senders = new Uint32Array(memory, SENDERS, MAX_COUNT);
    this.#bytes = Buffer.from(memory, BYTES, MAX_BYTES);
  }

  get count(): number {
    return this.#count;
  }

  /** Whether there is room for a datagram of so many bytes; an empty block takes any. */
  fits(length: number): boolean {
    return this.#count < MAX_COUNT && this.#end + length < MAX_BYTES;
  }

  /** Adds a datagram that fits. */
  add(datagram: Uint8Array, address: string): void {
    this.#bytes.set(datagram, this.#end);
    this.#close(datagram.length, address);
  }

  /**
   * Reads the next datagram of a socket, without its sender, into it; the largest must fit. Throws the system's error, EAGAIN when there is none.
   * @param descriptor of the socket
   */
  read(descriptor: number): void {
    this.#close(readSync(descriptor, this.#bytes, this.#end, LARGEST_DATAGRAM, null), '');
  }

  /** Ends a datagram of so many bytes. */
  #close(length: number, address: string): void {
    this.#end += length;
    this.#ends[this.#count] = this.#end;
    this.#bytes[this.#end++] = LINE_FEED;
    this.#senders[this.#count] = this.#indexOf(address);
    this.#count++;
  }

  /** The block for another thread; it is not to be used here any more. */
  sent(): SentBlock {
    return { memory: this.#memory, count: this.#count, hosts: this.#hosts };
  }

  /** Most datagrams have the sender of the one before. */
  #indexOf(address: string): number {
    if (address === this.#lastAddress && this.#lastIndex >= 0) return this.#lastIndex;
    let index = this.#indexes.get(address);
    if (index === undefined) {
      index = this.#hosts.push(plainHost(address)) - 1;
      this.#indexes.set(address, index);
    }
    this.#lastAddress = address;
    this.#lastIndex = index;
    return index;
  }
}

/**
 * Calls back with the datagrams of a block, in order: those that follow each other from one sender at once. Bytes and records are only valid during the
 * call.
 */
export function eachRun({ memory, count, hosts }: SentBlock, take: (bytes: Buffer, datagrams: Records, host: string) => void): void {
  const ends = new Uint32Array(memory, ENDS, MAX_COUNT);
  const senders = new Uint32Array(memory, SENDERS, MAX_COUNT);
  const bytes = Buffer.from(memory, BYTES, MAX_BYTES);
  const run = new Records();
  let start = 0;
  for (let i = 0; i < count; i++) {
    const end = ends[i] as number;
    run.add(start, end);
    start = end + 1;
    if (i + 1 < count && senders[i + 1] === senders[i]) continue;
    take(bytes, run, hosts[senders[i] as number] as string);
    run.clear();
  }
}
