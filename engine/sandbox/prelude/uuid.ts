import { bytesOfBinary } from './binary.ts';

/** The bytes of a uuid that is given as 16 raw bytes; null for anything else. */
export function rawUuid(value: unknown): Uint8Array | null {
  if (typeof value === 'string') return value.length === 16 ? bytesOfBinary(value) : null;
  if (!isBytes(value) || value.length !== 16) return null;
  const copy = new Uint8Array(16);
  copy.set(value);
  return copy;
}

export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}
