import { randomFillSync } from 'node:crypto';
import { markRandomUuid } from './uuid.ts';

/** Makes a number of UUIDs of version 4, 16 bytes each. */
export function randomUuids(count: number): Uint8Array {
  const bytes = randomFillSync(new Uint8Array(count * 16));
  for (let at = 0; at < bytes.length; at += 16) markRandomUuid(bytes, at);
  return bytes;
}

/** One UUID of version 4. */
export function randomUuid(): Uint8Array {
  return randomUuids(1);
}
