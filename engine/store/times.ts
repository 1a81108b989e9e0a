/**
 * The timestamps of a batch in milliseconds since 1970 as doubles (a step of 0.0002 ms today): reading a BigInt64Array would make an
 * object for each value.
 */
export function millisecondsOf(timestamps: BigInt64Array): Float64Array {
  const words = new Uint32Array(timestamps.buffer, timestamps.byteOffset, timestamps.length * 2);
  const times = new Float64Array(timestamps.length);
  for (let i = 0; i < times.length; i++) {
    const nanoseconds = ((words[i * 2 + 1] as number) | 0) * 4_294_967_296 + (words[i * 2] as number);
    times[i] = nanoseconds / 1e6;
  }
  return times;
}
