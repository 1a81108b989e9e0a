/**
 * Lays out the numbers of a result in one buffer: arrays are announced first, each at a multiple of eight bytes, and copied together later.
 */

type Words = Uint32Array | Int32Array | Float64Array | Uint8Array;

let announced: { array: Words; count: number; at: number }[] = [];
let size = 0;

/** Announces the first `count` elements of an array and returns their offset in the block. */
export function announce(array: Words, count: number): number {
  const at = size;
  announced.push({ array, count, at });
  size = (at + count * array.BYTES_PER_ELEMENT + 7) & ~7;
  return at;
}

/** Copies all announced arrays into a new buffer, and empties the list. */
export function takeBlock(): ArrayBuffer {
  const buffer = new ArrayBuffer(size);
  for (let i = 0; i < announced.length; i++) {
    const { array, count, at } = announced[i] as { array: Words; count: number; at: number };
    new Uint8Array(buffer, at, count * array.BYTES_PER_ELEMENT).set(
      new Uint8Array(array.buffer, array.byteOffset, count * array.BYTES_PER_ELEMENT),
    );
  }
  announced = [];
  size = 0;
  return buffer;
}
