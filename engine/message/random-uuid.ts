import { markRandomUuid } from './uuid.ts';

/**
 * Makes a number of UUIDs of version 4, 16 bytes each, as scripts make theirs: they tell messages apart and are no secrets, and the module of Node for those
 * takes longer to load than a command to decode a thousand records.
 */
export function randomUuids(count: number): Uint8Array {
  const words = new Uint32Array(count * 4);
  for (let i = 0; i < words.length; i++) words[i] = Math.random() * 0x100000000;
  const bytes = new Uint8Array(words.buffer);
  for (let at = 0; at < bytes.length; at += 16) markRandomUuid(bytes, at);
  return bytes;
}

/** One UUID of version 4. */
export const randomUuid = (): Uint8Array => randomUuids(1);
