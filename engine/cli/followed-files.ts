import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LateDecoder } from '../detect/late-decoder.ts';
import { FileInput } from '../inputs/file/file-input.ts';
import type { StartAt } from '../inputs/file/options.ts';
import { Wake } from '../inputs/file/wake.ts';
import type { FileKinds } from '../inputs/shared/file-kinds.ts';
import type { TextSource } from '../inputs/shared/read.ts';
import { isStandardInput } from '../inputs/shared/standard-input.ts';
import type { SplitOptions } from '../inputs/splitters/index.ts';
import type { InputBatch, InputSink } from '../inputs/types.ts';
import { textAt } from '../message/batch/batch.ts';
import { decoderSplit } from '../plugins/split.ts';
import type { CommandContext } from './command.ts';
import type { FileDecoders, StartedDecoder } from './file-decoders.ts';
import { lineChunk, type InputChunk } from './message-source.ts';

/** Records that came to a file, with the decoder of the file. */
export interface Followed {
  /** Path of the file, by which it was found first. */
  readonly name: string;
  readonly chunk: InputChunk;
  readonly started: StartedDecoder;
}

/** Milliseconds for which records are gathered, so that those of several files are in order of time. */
const ROUND_MS = 100;
/** Records that end a round at once. */
const FULL_ROUND = 1024;
/** Milliseconds until a record of which further lines may come is taken as it is, and until a line without its end is: programs write whole blocks, which end within a line. */
const [FLUSH_MS, TORN_MS] = [200, 10_000];
/** Milliseconds between two looks at the files: at 2,000 lines a second, half the looks are a quarter of the processor time less. */
const POLL_MS = 200;

/** Passes records as they are. */
export const PLAIN: StartedDecoder = { decoder: null, sandbox: new LateDecoder(() => undefined), second: null };

/** Follows files as they grow, through rotation and truncation, and those that appear later. Each has a decoder of its own. */
export class FollowedFiles implements FileKinds {
  readonly #decoders: FileDecoders;
  readonly #context: CommandContext;
  readonly #started = new Map<string, StartedDecoder>();
  /** Kinds of files by their paths. */
  readonly #kinds = new Map<string, string>();
  /** Bytes of files that were read already; null: all. */
  readonly #read = new Map<string, number | null>();
  readonly #taken = new Wake();
  readonly #came = new Wake();
  readonly #full = new Wake();
  #round: Followed[] = [];

  constructor(decoders: FileDecoders, context: CommandContext) {
    this.#decoders = decoders;
    this.#context = context;
  }

  /** Begins a file behind what was read of it, with its decoder. @param position null: at its end */
  wasRead(path: string, position: number | null, started: StartedDecoder): void {
    const name = resolve(path);
    this.#read.set(name, position);
    if (started.decoder !== null) this.#add(name, started);
  }

  /** The records that come to files, folders and patterns, until it is interrupted. */
  async *rounds(paths: readonly string[]): AsyncGenerator<readonly Followed[]> {
    const { signal } = this.#context;
    const followed = paths.filter((path) => !isStandardInput(path)).map(filesOf);
    const startAt: StartAt = (path) => this.#startOf(path);
    const input = new FileInput({
      name: 'followed',
      paths: followed,
      startAt,
      kinds: this,
      logger: 'path',
      flushMs: FLUSH_MS,
      tornMs: TORN_MS,
      pollMs: POLL_MS,
      watch: false,
    });
    const stop = (): void => this.#came.notify();
    signal.addEventListener('abort', stop);
    try {
      await input.start(this.#sink());
      while (!signal.aborted) {
        await this.#came.sleep(Infinity);
        if (!signal.aborted && !isFull(this.#round)) await this.#full.sleep(ROUND_MS);
        const round = this.#round;
        this.#round = [];
        this.#taken.notify();
        if (round.length > 0 && !signal.aborted) yield round;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      await input.stop();
    }
  }

  async recognise(source: TextSource): Promise<string | null> {
    const started = await this.#decoders.start(source);
    return started.decoder === null ? null : this.#add(source.name, started);
  }

  /** A file that takes the place of another is of its kind, unless its decoder has to see it from its beginning. */
  known(path: string): string | null {
    const kind = this.#kinds.get(path);
    return kind !== undefined && this.#started.get(kind)?.decoder?.[0].meta?.stateless === true ? kind : null;
  }

  recall(kind: string): Promise<boolean> {
    return Promise.resolve(this.#started.has(kind));
  }

  splitOf(kind: string): SplitOptions {
    const decoder = this.#started.get(kind)?.decoder ?? null;
    return decoder === null ? { kind: 'line' } : decoderSplit(...decoder);
  }

  #add(path: string, started: StartedDecoder): string {
    const kind = String(this.#started.size);
    this.#started.set(kind, started);
    this.#kinds.set(path, kind);
    return kind;
  }

  #startOf(path: string): ReturnType<Extract<StartAt, (path: string) => unknown>> {
    const position = this.#read.get(path);
    if (position === undefined) return 'beginning';
    return position === null ? 'end' : { position, kind: this.#kinds.get(path) };
  }

  #sink(): InputSink {
    const { complain } = this.#context;
    return {
      deliver: (batch) => this.#take(batch),
      notice: ({ level, code, text }) => {
        if (level !== 'info' || code === 'glob.empty') complain(text);
      },
      idle: () => undefined,
    };
  }

  /** A file that is read faster than its records are taken waits; others need not. */
  async #take(batch: InputBatch): Promise<void> {
    const name = textAt(batch.batch.logger, 0) ?? batch.source ?? '';
    while (!this.#context.signal.aborted && (isFull(this.#round) || this.#round.some((other) => other.name === name)))
      await this.#taken.sleep(ROUND_MS);
    this.#round.push({ name, chunk: lineChunk(batch), started: this.#started.get(batch.fileKind ?? '') ?? PLAIN });
    batch.acknowledge();
    this.#came.notify();
    if (isFull(this.#round)) this.#full.notify();
  }
}

const isFull = (round: readonly Followed[]): boolean => round.reduce((count, { chunk }) => count + chunk.batch.length, 0) >= FULL_ROUND;

/** A folder stands for the files in it. */
const filesOf = (path: string): string => (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, '*') : path);
