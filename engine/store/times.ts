const MILLISECOND = 1_000_000;
/** 2 ** 32, and what is left of it beyond whole milliseconds. */
const [WORD, WORD_REST] = [4_294_967_296, 967_296];

/**
 * The timestamps of a batch in milliseconds since 1970 as doubles: whole ones exactly, and fractions to 0.0002 ms. Reading a BigInt64Array would make an
 * object for each value.
 */
export function millisecondsOf(timestamps: BigInt64Array): Float64Array {
  if (last?.timestamps !== timestamps) last = { timestamps, times: millisecondsInto(new Float64Array(timestamps.length), timestamps) };
  return last.times;
}

/** The last result, kept because several summaries are made of the same records, one after the other. */
let last: { readonly timestamps: BigInt64Array; readonly times: Float64Array } | null = null;

/** The same in memory of the caller, of which there may be more. */
export function millisecondsInto(times: Float64Array, timestamps: BigInt64Array): Float64Array {
  const words = new Uint32Array(timestamps.buffer, timestamps.byteOffset, timestamps.length * 2);
  for (let i = 0; i < timestamps.length; i++) {
    const low = words[i * 2] as number;
    const high = (words[i * 2 + 1] as number) | 0;
    const whole = (high % MILLISECOND) * WORD_REST + low;
    // The remainder of doubles is a call of a function; below 2 ** 42, this is exact as well. Signs are those of the remainder.
    const rest = whole - Math.trunc(whole / MILLISECOND) * MILLISECOND;
    times[i] = Math.round((high * WORD + low - rest) / MILLISECOND) + rest / MILLISECOND;
  }
  return times;
}

/** A timestamp in milliseconds since 1970, in the same way. */
export function milliseconds(timestamp: bigint): number {
  return Number(timestamp / 1_000_000n) + Number(timestamp % 1_000_000n) / MILLISECOND;
}
