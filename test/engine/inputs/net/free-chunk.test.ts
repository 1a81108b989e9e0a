import { expect, test } from 'vitest';
import { freeChunk } from '../../../../engine/inputs/net/free-chunk.ts';

const own = (): Buffer => Buffer.from(new Uint8Array([1, 2, 3]).buffer);

test.each<[what: string, chunk: Buffer, left: number]>([
  ['memory of its own is freed', own(), 0],
  ['memory that others read is left: the beginning', own().subarray(0, 2), 2],
  ['memory that others read is left: the end', own().subarray(1), 2],
  ['memory of threads is left', Buffer.from(new SharedArrayBuffer(3)), 3],
  ['nothing is nothing', Buffer.alloc(0), 0],
])('%s', (_, chunk, left) => {
  freeChunk(chunk);
  expect(chunk).toHaveLength(left);
});
