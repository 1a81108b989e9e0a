import { randomFillSync } from 'node:crypto';
import { markRandomUuid } from './uuid.ts';

/** Makes a number of UUIDs of version 4, 16 bytes each. */
export function randomUuids(count: number): Uint8Array {
  const bytes = randomFillSync(new Uint8Array(count * 16));
  for (let at = 0; at < bytes.length; at += 16) markRandomUuid(bytes, at);
  return bytes;
}

/** UUIDs that are made at once: a call for a few bytes takes longer than the bytes. */
const POOL = 256;
let pool: Uint8Array = new Uint8Array(0);
let used = 0;

/** One UUID of version 4. */
export function randomUuid(): Uint8Array {
  if (used === pool.length) {
    pool = randomUuids(POOL);
    used = 0;
  }
  return pool.slice(used, (used += 16));
}
