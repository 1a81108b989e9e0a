/**
 * Frees the memory of bytes that a socket has brought, when nobody is to read them any more. Left to the garbage collection, it would have V8 mark all that is
 * held every few batches. Bytes that share their memory with others are left.
 */
export function freeChunk({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}
