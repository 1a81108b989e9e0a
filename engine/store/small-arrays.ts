/** From 64 bytes on, V8 gives an array memory of its own. */
const LARGER_THAN = 64;
/** Bytes of a piece of memory, which the allocator of glibc gives back to the system as a whole. */
const PIECE = 1 << 18;

/**
 * Memory for small arrays that live as long as the records do. With memory of their own they would lie between buffers that live for one batch, whose
 * memory then stays in use: tens of megabytes after some ten million records.
 */
export class SmallArrays {
  #piece = new ArrayBuffer(0);
  #used = 0;

  /** The same numbers in this memory; an array that is very small or large stays as it is. */
  words(array: Uint32Array): Uint32Array {
    const at = this.#place(array.byteLength);
    if (at === null) return array;
    const kept = new Uint32Array(this.#piece, at, array.length);
    kept.set(array);
    return kept;
  }

  /** The same. */
  bytes(array: Uint8Array): Uint8Array {
    const at = this.#place(array.byteLength);
    if (at === null) return array;
    const kept = new Uint8Array(this.#piece, at, array.length);
    kept.set(array);
    return kept;
  }

  #place(bytes: number): number | null {
    if (bytes <= LARGER_THAN || bytes > PIECE / 8) return null;
    if (this.#used + bytes > this.#piece.byteLength) {
      this.#piece = new ArrayBuffer(PIECE);
      this.#used = 0;
    }
    const at = this.#used;
    // Places of words.
    this.#used = Math.ceil((at + bytes) / 4) * 4;
    return at;
  }
}
