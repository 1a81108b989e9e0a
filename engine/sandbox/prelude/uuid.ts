import { markRandomUuid } from '../../message/uuid.ts';
import { bytesOfBinary } from './binary.ts';
import { random } from './intrinsics.ts';

/** The bytes of a uuid that is given as 16 raw bytes; null for anything else. */
export function rawUuid(value: unknown): Uint8Array | null {
  if (typeof value === 'string') return value.length === 16 ? bytesOfBinary(value) : null;
  if (!isBytes(value)) return null;
  const copy = copyOfBytes(value);
  return copy.length === 16 ? copy : null;
}

/** Copies the actual bytes, even when a class of the script overrides its length. Throws for a detached buffer. */
export function copyOfBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

/** A UUID of version 4. */
export function randomUuid(): Uint8Array {
  const uuid = new Uint8Array(16);
  for (let i = 0; i < 16; i++) uuid[i] = random() * 256;
  markRandomUuid(uuid, 0);
  return uuid;
}
