import type { Parcel } from '../prelude/run.ts';
import { ivm } from './isolate.ts';

/** A result as the host sends it: the block is valid until the next call of the isolate. */
export type TakenParcel = readonly [head: string, arena: string, block: Uint8Array];

/** Smallest and largest block in bytes for which memory is shared: others are copied out of the isolate. */
const SMALLEST = 1 << 14;
const LARGEST = 1 << 22;

/**
 * Memory that a host shares with one isolate, so that the numbers of its results need not be copied on their way out. The prelude writes a result there,
 * and the host sends it on before it calls the isolate again. No other isolate gets this memory, for a script may have tampered with its own prelude.
 */
export class ResultMemory {
  readonly #share: (buffer: unknown) => void;
  #memory = new SharedArrayBuffer(0);
  /** Bytes of the last block that did not fit. */
  #wanted = 0;

  /** @param share hands memory to the prelude */
  constructor(share: (buffer: unknown) => void) {
    this.#share = share;
  }

  /** Takes what the prelude brings. */
  taken([head, arena, block]: Parcel): TakenParcel {
    if (typeof block !== 'number') {
      this.#wanted = block.byteLength;
      return [head, arena, new Uint8Array(block)];
    }
    // The isolate is not trusted: when it names too few bytes, the engine finds that columns lie outside of them.
    const size = Math.max(0, Math.min(Math.trunc(block) || 0, this.#memory.byteLength));
    return [head, arena, new Uint8Array(this.#memory, 0, size)];
  }

  /** Shares memory for results like the last one, if that did not fit. */
  fit(): void {
    const wanted = this.#wanted;
    this.#wanted = 0;
    if (wanted < SMALLEST || wanted > LARGEST / 2) return;
    let size = SMALLEST;
    while (size < wanted * 1.5) size *= 2;
    if (size <= this.#memory.byteLength) return;
    this.#memory = new SharedArrayBuffer(size);
    this.#share(new ivm.ExternalCopy(this.#memory).copyInto());
  }
}
