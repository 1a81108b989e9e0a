import { open, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Readable } from 'node:stream';
import { fileChunks, streamChunks, textChunks, type Chunks } from './chunks.ts';
import { isDamaged } from './decompress.ts';
import { damagedProblem, directoryProblem, fileProblem } from './notices.ts';
import type { SplitOptions } from './splitters/index.ts';
import { StreamBatches } from './stream-batches.ts';
import type { InputBatch, InputNotice } from './types.ts';

export interface ReadOptions {
  /** `line` by default. */
  readonly split?: SplitOptions;
  /** Longest record in bytes; longer ones are delivered cut. 1 MiB by default, 64 MiB for `none`. */
  readonly maxRecord?: number;
  /** Headers of the records: `logfile`, the source's name and this machine's name by default. */
  readonly type?: string;
  readonly logger?: string;
  readonly hostname?: string;
  /** Told what the user should know; the records go on. */
  readonly notice?: (notice: InputNotice) => void;
}

/**
 * Reads a file, a pipe (`-`: standard input) or a stream once, from its beginning to its end, as records; splitting by lines,
 * `firstLine` is the line number, else the number of the first record. gzip and zstd are unpacked. Memory does not grow with the
 * source. What cannot be read is an InputError with the code and the text of a notice, after the records before the fault.
 */
export async function* readRecords(source: string | Readable, options: ReadOptions = {}): AsyncGenerator<InputBatch, void, undefined> {
  const name = typeof source === 'string' && source !== '-' ? source : 'standard input';
  const batches = new StreamBatches({
    name,
    split: options.split ?? { kind: 'line' },
    maxRecord: options.maxRecord,
    headers: { type: options.type ?? 'logfile', logger: options.logger ?? name, hostname: options.hostname ?? hostname() },
    notice: options.notice ?? (() => undefined),
  });
  const chunks = source === '-' ? streamChunks(process.stdin) : typeof source === 'string' ? pathChunks(source) : streamChunks(source);
  try {
    const written = typeof source === 'string' && source !== '-' ? await writtenAt(source) : {};
    for await (const batch of batches.read(textChunks(chunks, name))) yield batch.signer === undefined ? { ...batch, ...written } : batch;
  } catch (error) {
    throw isDamaged(error) ? damagedProblem(name, error) : fileProblem(name, error);
  }
}

/** When a file was written last; nothing of pipes and of what cannot be read. */
async function writtenAt(path: string): Promise<{ readonly writtenNs?: bigint }> {
  const info = await stat(path, { bigint: true }).catch(() => null);
  return info?.isFile() === true ? { writtenNs: info.mtimeNs } : {};
}

async function* pathChunks(path: string): Chunks {
  const handle = await open(path, 'r');
  try {
    const info = await handle.stat();
    if (info.isDirectory()) throw directoryProblem(path);
    yield* info.isFile() ? fileChunks(handle) : streamChunks(handle.createReadStream({ autoClose: false }));
  } finally {
    await handle.close();
  }
}
