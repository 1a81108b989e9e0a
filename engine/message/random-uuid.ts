import { markRandomUuid } from './uuid.ts';

/** The state of the generator sfc32, of 128 bits: a call of Math.random for each word takes a fiftieth of all the time in which a log is read. */
const state = Uint32Array.from({ length: 4 }, () => Math.random() * 0x1_0000_0000);

/**
 * Makes a number of UUIDs of version 4, 16 bytes each: they tell messages apart and are no secrets, and the module of Node for those takes longer to load
 * than a command to decode a thousand records.
 */
export function randomUuids(count: number): Uint8Array {
  const words = new Int32Array(count * 4);
  let [a, b, c, counter] = state as unknown as [number, number, number, number];
  for (let i = 0; i < words.length; i++) {
    const word = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + word) | 0;
    words[i] = word;
  }
  state.set([a, b, c, counter]);
  const bytes = new Uint8Array(words.buffer);
  for (let at = 0; at < bytes.length; at += 16) markRandomUuid(bytes, at);
  return bytes;
}

/** One UUID of version 4. */
export const randomUuid = (): Uint8Array => randomUuids(1);
