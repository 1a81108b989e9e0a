import { createHash } from 'node:crypto';

/** Bytes before a position whose hash tells whether the position is still right. */
export const GUARD_BYTES = 500;

/**
 * Hash of the bytes before a position: SHA-1, lower-case hex, of the last 500 of them; fewer are filled up with zero bytes in front.
 * `before`: at most 500 bytes.
 */
export function positionHash(before: Uint8Array): string {
  const bytes = Buffer.alloc(GUARD_BYTES);
  bytes.set(before, GUARD_BYTES - before.length);
  return createHash('sha1').update(bytes).digest('hex');
}

/** A position and the hash of the bytes before it. */
export interface HashedPosition {
  readonly offset: number;
  readonly hash: string;
}
