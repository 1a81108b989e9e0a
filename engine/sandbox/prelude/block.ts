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

/** Memory that the host reads results from; the script does not get at it. */
let shared: SharedArrayBuffer | null = null;

/** Takes memory that later results are written to when they fit. */
export function shareBlock(buffer: SharedArrayBuffer): void {
  shared = buffer;
}

/** Copies all announced arrays into a new buffer, and empties the list. */
export function takeBlock(): ArrayBuffer {
  const buffer = new ArrayBuffer(size);
  copyInto(buffer);
  return buffer;
}

/** Copies all announced arrays into the shared memory and returns how many bytes of it they take, or into a new buffer when they do not fit. */
export function placeBlock(): number | ArrayBuffer {
  if (shared === null || size > shared.byteLength) return takeBlock();
  const taken = size;
  copyInto(shared);
  return taken;
}

function copyInto(buffer: ArrayBuffer | SharedArrayBuffer): void {
  for (let i = 0; i < announced.length; i++) {
    const { array, count, at } = announced[i] as { array: Words; count: number; at: number };
    new Uint8Array(buffer, at, count * array.BYTES_PER_ELEMENT).set(
      new Uint8Array(array.buffer, array.byteOffset, count * array.BYTES_PER_ELEMENT),
    );
  }
  announced = [];
  size = 0;
}
