/** Encoded messages one behind the other: piece i is the bytes from the end of piece i − 1 to `ends[i]`. The last one ends the bytes. */
export class PackedPieces implements Iterable<Uint8Array> {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;

  constructor(bytes: Uint8Array, ends: Uint32Array) {
    this.bytes = bytes;
    this.ends = ends;
  }

  get length(): number {
    return this.ends.length;
  }

  startOf(piece: number): number {
    return piece === 0 ? 0 : (this.ends[piece - 1] as number);
  }

  /** A view on a piece. */
  piece(index: number): Uint8Array {
    return this.bytes.subarray(this.startOf(index), this.ends[index]);
  }

  /** The pieces [from, to), in the same memory. */
  slice(from: number, to: number): PackedPieces {
    const start = this.startOf(from);
    return new PackedPieces(
      this.bytes.subarray(start, this.startOf(to)),
      this.ends.subarray(from, to).map((end) => end - start),
    );
  }

  *[Symbol.iterator](): Generator<Uint8Array> {
    for (let i = 0; i < this.length; i++) yield this.piece(i);
  }
}
