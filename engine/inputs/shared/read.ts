import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Readable } from 'node:stream';
import { streamChunks, textChunks, unpackedChunks, type Chunks } from '../chunks.ts';
import { memberAt } from '../archive/archive.ts';
import { isDamaged } from '../decompress.ts';
import { damagedProblem, fileProblem, type InputError } from '../notices.ts';
import type { TextPool } from '../../message/text-pool.ts';
import { PeekedChunks } from '../peeked-chunks.ts';
import { isGenerated } from './generated.ts';
import { openFile } from './open-file.ts';
import { sourceChunks } from './open-source.ts';
import { isStandardInput, sourceName } from './standard-input.ts';
import type { SplitOptions } from '../splitters/index.ts';
import { StreamBatches } from './stream-batches.ts';
import type { InputBatch, InputNotice } from '../types.ts';
import { Years, type WrittenOrder } from '../years.ts';

export interface ReadOptions {
  /** `line` by default. */
  readonly split?: SplitOptions | undefined;
  /** Longest record in bytes; longer ones are delivered cut. 1 MiB by default, 64 MiB for `none`. */
  readonly maxRecord?: number | undefined;
  /** Headers of the records: `logfile`, the source's name and this machine's name by default. */
  readonly type?: string;
  readonly logger?: string;
  readonly hostname?: string;
  /** Memory for the texts of records, which are released when these are acknowledged. Absent: nobody has to acknowledge them. */
  readonly texts?: TextPool | undefined;
  /** Ends a wait for data. */
  readonly signal?: AbortSignal | undefined;
  /** Receives notices for the user; reading goes on. */
  readonly notice?: ((notice: InputNotice) => void) | undefined;
}

/**
 * Reads a file, a pipe (`-`: standard input) or a stream once, from its beginning to its end, as records; splitting by lines,
 * `firstLine` is the line number, else the number of the first record. What is compressed is unpacked. Memory does not grow with the
 * source. A source that cannot be read is an InputError with the code and the text of a notice, after the records before the fault.
 */
export function readRecords(source: string | Readable, options: ReadOptions = {}): AsyncGenerator<InputBatch, void, undefined> {
  return new TextSource(source, options).records(options);
}

interface HeadSize {
  readonly bytes: number;
  readonly lines: number;
  readonly most: number;
}

function hasLines(text: Buffer, count: number): boolean {
  let end = -1;
  for (let lines = 0; lines < count; lines++) {
    end = text.indexOf(10, end + 1);
    if (end < 0) return false;
  }
  return true;
}

interface NamedChunks {
  readonly name: string;
  readonly chunks: Chunks;
  /** The chunks are text in UTF-8 already, such as a piece from the middle of a file. */
  readonly isText?: boolean;
  /** Times at which its records were written; see `ageOf`. */
  readonly age?: Age | null;
  /** The byte of the file at which the chunks begin; 0 by default. */
  readonly at?: number;
}

/** A source of text that is read once. Its beginning can be looked at before. */
export class TextSource {
  readonly name: string;
  readonly #path: string | null;
  readonly #bytes: PeekedChunks;
  readonly #isText: boolean;
  readonly #at: number;
  #unpacked: PeekedChunks | null = null;
  #text: PeekedChunks | null = null;
  #age: Promise<Age | null> | null = null;

  /** @param source path, `-` for standard input, a stream, or a source that is read by others */
  constructor(source: string | Readable | NamedChunks, { signal }: Pick<ReadOptions, 'signal'> = {}) {
    this.#path = typeof source === 'string' && !isStandardInput(source) ? source : null;
    this.name = typeof source === 'object' && 'chunks' in source ? source.name : sourceName(this.#path ?? '-');
    if (typeof source === 'object' && 'chunks' in source && source.age !== undefined) this.#age = Promise.resolve(source.age);
    this.#isText = typeof source === 'object' && 'chunks' in source && source.isText === true;
    this.#at = typeof source === 'object' && 'chunks' in source ? (source.at ?? 0) : 0;
    this.#bytes = new PeekedChunks(chunksOf(source, signal));
  }

  /** So many of the first bytes, unpacked; fewer when there are, or when the source pauses. @throws {InputError} */
  firstBytes(count: number): Promise<Buffer> {
    return this.#problemsOf(() => this.#unpackedBytes().peek(count));
  }

  /** All bytes, unpacked. @throws {InputError} */
  async *bytes(): Chunks {
    try {
      yield* this.#unpackedBytes().all();
    } catch (error) {
      throw this.#problem(error);
    }
  }

  /**
   * The whole lines at the beginning, as they are in so many bytes of the text, or in up to `most` when those have fewer than `lines`; fewer when
   * the source pauses. The source stays unread.
   * @throws {InputError}
   */
  async *headLines({ bytes, lines, most }: HeadSize): AsyncGenerator<InputBatch, void, undefined> {
    const text = this.#textOf(false);
    const first = await this.#problemsOf(() => text.peek(bytes));
    const head = text.ended || hasLines(first, lines) ? first : await this.#problemsOf(() => text.peek(most));
    const end = text.ended ? head.length : head.lastIndexOf(10) + 1 || head.length;
    yield* this.#cut(once(head.subarray(0, end)), {});
  }

  /** Reads the records, to the end. @throws {InputError} after the records before the fault */
  async *records(options: ReadOptions = {}): AsyncGenerator<InputBatch, void, undefined> {
    try {
      yield* this.#cut(this.#textOf(options.split?.kind === 'raw').all(), options);
    } catch (error) {
      throw this.#problem(error);
    }
  }

  /** Ends reading. */
  async close(): Promise<void> {
    await (this.#text ?? this.#unpacked ?? this.#bytes).close();
  }

  async *#cut(text: Chunks, options: ReadOptions): AsyncGenerator<InputBatch, void, undefined> {
    const { name } = this;
    const batches = new StreamBatches({
      name,
      split: options.split ?? { kind: 'line' },
      maxRecord: options.maxRecord,
      texts: options.texts,
      headers: { type: options.type ?? 'logfile', logger: options.logger ?? name, hostname: options.hostname ?? hostname() },
      notice: options.notice ?? (() => undefined),
    });
    let order: WrittenOrder | undefined;
    for await (const batch of batches.read(text)) {
      this.#age ??= this.#path === null ? Promise.resolve(null) : ageOf(this.#path);
      const age = await this.#age;
      order ??= age?.years?.begin(this.#at);
      yield withAge(batch, age, order);
    }
  }

  #unpackedBytes(): PeekedChunks {
    this.#unpacked ??= new PeekedChunks(unpackedChunks(this.#bytes.all(), this.name));
    return this.#unpacked;
  }

  #textOf(binary: boolean): PeekedChunks {
    if (this.#isText) return this.#bytes;
    this.#text ??= new PeekedChunks(textChunks((this.#unpacked ?? this.#bytes).all(), this.name, { binary }));
    return this.#text;
  }

  async #problemsOf<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#problem(error);
    }
  }

  #problem(error: unknown): InputError {
    return isDamaged(error) ? damagedProblem(this.name, error) : fileProblem(this.name, error);
  }
}

function chunksOf(source: string | Readable | NamedChunks, signal: AbortSignal | undefined): Chunks {
  if (typeof source === 'string') return sourceChunks(source, signal);
  return 'chunks' in source ? source.chunks : streamChunks(source);
}

async function* once(chunk: Buffer): Chunks {
  yield await Promise.resolve(chunk);
}

/** Times at which the records of a file were written. */
export interface Age {
  readonly writtenNs: bigint;
  readonly years: Years | null;
}

/** The times of a file, from a position on; null: it is no file, is another text at each read, or cannot be read. */
export async function ageOf(path: string, from = 0): Promise<Age | null> {
  const info = await stat(path, { bigint: true }).catch(() => null);
  if (info === null) return ageOfMember(path);
  if (!info.isFile() || (await isGenerated(path))) return null;
  const writtenNs = info.mtimeNs;
  const handle = await openFile(path);
  try {
    return { writtenNs, years: await Years.of(handle, { from, size: Number(info.size), writtenNs }) };
  } finally {
    await handle.close();
  }
}

/** The time of a file in an archive; null: there is none. */
async function ageOfMember(path: string): Promise<Age | null> {
  const found = await memberAt(path).catch(() => null);
  return found === null ? null : { writtenNs: found.member.writtenNs, years: null };
}

function withAge(batch: InputBatch, age: Age | null, order: WrittenOrder | undefined): InputBatch {
  if (age === null || batch.signer !== undefined) return batch;
  return { ...batch, writtenNs: order?.times(batch.batch) ?? age.writtenNs };
}
