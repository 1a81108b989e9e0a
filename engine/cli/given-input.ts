import { readRecords } from '../inputs/shared/read.ts';
import type { SplitOptions } from '../inputs/splitters/index.ts';
import { recordBatch } from '../inputs/pieces.ts';
import { joinTexts } from '../inputs/text.ts';
import type { Input, InputBatch, InputSink, InputStats } from '../inputs/types.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { SourceFeed } from '../pipeline/scripts/source-feed.ts';
import type { ReadAnswer, ReadRequest, SourceForm } from '../sandbox/contract/types.ts';

/** An input that delivers the streams given to a command one after the other, piece by piece. */
class GivenInput implements Input {
  readonly name = 'source';
  readonly #streams: Iterable<AsyncIterable<InputBatch>>;
  readonly #onError: (error: unknown) => void;
  #sink: InputSink | null = null;
  #stopped = false;

  /** @param onError called for a stream that cannot be read; the next stream follows */
  constructor(streams: Iterable<AsyncIterable<InputBatch>>, onError: (error: unknown) => void) {
    this.#streams = streams;
    this.#onError = onError;
  }

  start(sink: InputSink): Promise<void> {
    this.#sink = sink;
    return Promise.resolve();
  }

  /** Starts reading, at the script's first read, so that standard input is untouched until then. */
  begin(): void {
    if (this.#sink !== null) void this.#bring(this.#sink);
    this.#sink = null;
  }

  stop(): Promise<void> {
    this.#stopped = true;
    return Promise.resolve();
  }

  stats(): InputStats {
    return { bytes: 0, records: 0, dropped: 0, totalBytes: 0 };
  }

  async #bring(sink: InputSink): Promise<void> {
    for (const pieces of this.#streams) {
      const stream = {};
      try {
        for await (const piece of pieces) {
          if (this.#stopped) return;
          await sink.deliver({ ...piece, stream });
        }
      } catch (error) {
        this.#onError(error);
      }
      sink.ended?.(stream);
    }
    sink.idle();
  }
}

const RAW: SplitOptions = { kind: 'raw', whole: false };

/**
 * Feeds a script with files, one after the other (none: standard input).
 * @param split null: the script reads pieces as they come
 * @param onError called for a file that cannot be read
 * @param signal ends a wait for data
 */
export function givenFiles(
  files: readonly string[],
  split: SplitOptions | null,
  deliver: (batch: MessageBatch) => Promise<void>,
  onError: (error: unknown) => void,
  signal?: AbortSignal,
): Promise<SourceFeed> {
  const names = files.length === 0 ? ['-'] : files;
  const pieces = names.map((file) => readRecords(file, { split: split ?? RAW, signal }));
  return feedOf(new GivenInput(pieces, onError), split === null ? 'chunks' : 'records', deliver);
}

/** Feeds a script with texts as the pieces of one stream. */
export function givenTexts(texts: readonly string[], deliver: (batch: MessageBatch) => Promise<void>): Promise<SourceFeed> {
  return feedOf(new GivenInput([textPieces(texts)], () => undefined), 'chunks', deliver);
}

class GivenFeed extends SourceFeed {
  readonly #input: GivenInput;

  constructor(input: GivenInput, form: SourceForm) {
    super({ input, form, keepsState: false, remembers: false, endsWhenIdle: true });
    this.#input = input;
  }

  override read(request: ReadRequest): Promise<ReadAnswer> {
    this.#input.begin();
    return super.read(request);
  }
}

async function feedOf(input: GivenInput, form: SourceForm, deliver: (batch: MessageBatch) => Promise<void>): Promise<SourceFeed> {
  const feed = new GivenFeed(input, form);
  const taken = async (batch: MessageBatch, through: () => void): Promise<void> => {
    await deliver(batch);
    through();
  };
  await feed.start({ notice: () => undefined }, taken, () => undefined);
  return feed;
}

async function* textPieces(texts: readonly string[]): AsyncGenerator<InputBatch> {
  for (const text of texts) {
    const payload = joinTexts([Buffer.from(text).toString('latin1')]);
    const batch = recordBatch(payload, { type: 'logfile', logger: 'source', hostname: null });
    yield { batch, firstLine: 0, acknowledge: () => undefined };
  }
}
