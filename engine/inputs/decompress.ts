import type { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import type { Compression } from './probe.ts';

/**
 * The uncompressed bytes of a gzip (RFC 1952) or zstd (RFC 8878) stream of any number of members or frames. From a stream that ends too
 * early or is damaged comes nearly all that can be read, then the error. Leaving the iteration also destroys the source.
 */
export async function* decompressed(source: Readable, format: Compression): AsyncGenerator<Buffer, void, undefined> {
  const chunkSize = 256 << 10;
  const decoder = format === 'gzip' ? createGunzip({ chunkSize }) : createZstdDecompress({ chunkSize });
  source.once('error', (error: Error) => decoder.destroy(error));
  source.pipe(decoder);
  try {
    for await (const chunk of decoder) yield chunk as Buffer;
  } finally {
    source.destroy();
    decoder.destroy();
  }
}

/** Whether an error says that a compressed stream ended too early or is damaged. */
export function isDamaged(error: unknown): boolean {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code !== undefined && (code.startsWith('Z_') || code.startsWith('ZSTD_') || code === 'ERR_TRAILING_JUNK_AFTER_STREAM_END');
}
