import { open, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Readable } from 'node:stream';
import { fileChunks, streamChunks, textChunks, type Chunks } from '../chunks.ts';
import { isDamaged } from '../decompress.ts';
import { damagedProblem, directoryProblem, fileProblem } from '../notices.ts';
import type { SplitOptions } from '../splitters/index.ts';
import { StreamBatches } from './stream-batches.ts';
import type { InputBatch, InputNotice } from '../types.ts';
import { Years } from '../years.ts';

export interface ReadOptions {
  /** `line` by default. */
  readonly split?: SplitOptions;
  /** Longest record in bytes; longer ones are delivered cut. 1 MiB by default, 64 MiB for `none`. */
  readonly maxRecord?: number;
  /** Headers of the records: `logfile`, the source's name and this machine's name by default. */
  readonly type?: string;
  readonly logger?: string;
  readonly hostname?: string;
  /** Receives notices for the user; reading goes on. */
  readonly notice?: (notice: InputNotice) => void;
}

/**
 * Reads a file, a pipe (`-`: standard input) or a stream once, from its beginning to its end, as records; splitting by lines,
 * `firstLine` is the line number, else the number of the first record. gzip and zstd are unpacked. Memory does not grow with the
 * source. A source that cannot be read is an InputError with the code and the text of a notice, after the records before the fault.
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
    const age = typeof source === 'string' && source !== '-' ? await ageOf(source) : null;
    const text = textChunks(chunks, name, { binary: options.split?.kind === 'raw' });
    for await (const batch of batches.read(text)) yield withAge(batch, age);
  } catch (error) {
    throw isDamaged(error) ? damagedProblem(name, error) : fileProblem(name, error);
  }
}

interface Age {
  readonly writtenNs: bigint;
  readonly years: Years | null;
}

/** The times of a file; null: it is no file, or cannot be read. */
async function ageOf(path: string): Promise<Age | null> {
  const info = await stat(path, { bigint: true }).catch(() => null);
  if (info?.isFile() !== true) return null;
  const writtenNs = info.mtimeNs;
  const handle = await open(path, 'r');
  try {
    return { writtenNs, years: await Years.of(handle, { from: 0, size: Number(info.size), writtenNs }) };
  } finally {
    await handle.close();
  }
}

function withAge(batch: InputBatch, age: Age | null): InputBatch {
  if (age === null || batch.signer !== undefined) return batch;
  return { ...batch, writtenNs: age.years?.times(batch.batch) ?? age.writtenNs };
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
