/** Copies of typed arrays with at least twice the capacity, and room for `length` elements. */

export function grown32(old: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const array = new Uint32Array(capacityFor(old.length, length));
  array.set(old);
  return array;
}

export function grownInt32(old: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const array = new Int32Array(capacityFor(old.length, length));
  array.set(old);
  return array;
}

export function grown64(old: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const array = new Float64Array(capacityFor(old.length, length));
  array.set(old);
  return array;
}

export function grown8(old: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const array = new Uint8Array(capacityFor(old.length, length));
  array.set(old);
  return array;
}

function capacityFor(old: number, length: number): number {
  let capacity = old < 32 ? 32 : old * 2;
  while (capacity < length) capacity *= 2;
  return capacity;
}
