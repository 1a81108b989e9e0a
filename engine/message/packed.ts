/** Encoded messages one behind the other: piece i is `bytes.subarray(ends[i - 1], ends[i])`, the first one from 0 on, and the last one ends the bytes. */
export interface PackedPieces {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}
