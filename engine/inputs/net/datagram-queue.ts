import { readSync } from 'node:fs';
import { BLOCK_SIZE, DatagramBlock, LARGEST_DATAGRAM, type SentBlock } from './datagram-block.ts';

/** Blocks that the other thread may have at once: one to work on, and others so that it need not wait. */
const MAX_SENT = 4;
/** Pieces of memory that are kept for later blocks. */
const MAX_SPARE = 8;

/** Receiver of datagrams for which the queue has no room. */
const NOWHERE = Buffer.alloc(1);

/** Holds datagrams until the other thread takes them, within bounds. */
export class DatagramQueue {
  readonly #maxBlocks: number;
  readonly #send: (block: SentBlock) => void;
  readonly #spare: ArrayBuffer[] = [];
  /** Full blocks, oldest first. */
  #full: DatagramBlock[] = [];
  #open: DatagramBlock | null = null;
  #sent = 0;
  #waiting = 0;
  #dropped = 0;

  /**
   * @param bytes memory for the datagrams that wait; there is always room for a block
   * @param send takes a block to the other thread
   */
  constructor(bytes: number, send: (block: SentBlock) => void) {
    this.#maxBlocks = Math.max(1, Math.floor(bytes / BLOCK_SIZE));
    this.#send = send;
  }

  /** Datagrams that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Datagrams that found no room. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.#waiting === 0;
  }

  /** Takes a datagram, or drops it when there is no room. */
  add(datagram: Uint8Array, address: string): void {
    const block = this.#blockFor(datagram.length);
    if (block === null) {
      this.#dropped++;
      return;
    }
    block.add(datagram, address);
    this.#waiting++;
  }

  /**
   * Takes the next datagram of a socket, without its sender, or drops it when there is no room. Throws the system's error, EAGAIN when there is none.
   * @param descriptor of the socket
   */
  read(descriptor: number): void {
    const block = this.#blockFor(LARGEST_DATAGRAM);
    if (block === null) return this.skip(descriptor);
    block.read(descriptor);
    this.#waiting++;
  }

  /** Drops the next datagram of a socket. Throws as `read` does. */
  skip(descriptor: number): void {
    readSync(descriptor, NOWHERE, 0, NOWHERE.length, null);
    this.#dropped++;
  }

  /** Sends what waits as far as the other thread takes it, the block that is being filled too. */
  flush(): void {
    this.#sendFull();
    if (this.#open === null || this.#open.count === 0 || this.#sent >= MAX_SENT) return;
    const block = this.#open;
    this.#open = null;
    this.#sendOne(block);
  }

  /** The other thread is done with a block. */
  done(memory: ArrayBuffer): void {
    this.#sent--;
    if (this.#spare.length < MAX_SPARE) this.#spare.push(memory);
    this.#sendFull();
  }

  /** Drops all that waits. */
  discard(): void {
    this.#dropped += this.#waiting;
    this.#waiting = 0;
    this.#full = [];
    this.#open = null;
  }

  /** The block that the next datagram goes into; null when there is no room. */
  #blockFor(length: number): DatagramBlock | null {
    if (this.#open?.fits(length) === true) return this.#open;
    if (this.#open !== null) {
      if (this.#full.length + 1 >= this.#maxBlocks && this.#sent >= MAX_SENT) return null;
      this.#full.push(this.#open);
      this.#open = null;
      this.#sendFull();
    }
    return (this.#open = new DatagramBlock(this.#spare.pop()));
  }

  #sendFull(): void {
    while (this.#sent < MAX_SENT && this.#full.length > 0) this.#sendOne(this.#full.shift() as DatagramBlock);
  }

  #sendOne(block: DatagramBlock): void {
    this.#sent++;
    this.#waiting -= block.count;
    this.#send(block.sent());
  }
}
