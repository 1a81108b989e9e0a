import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Chunks } from '../chunks.ts';
import { withConstantFields } from '../decorate.ts';
import { errorText, readableNotice, retriedFileProblem } from '../notices.ts';
import { makeSplitter, type SplitOptions } from '../splitters/index.ts';
import { openFile } from '../shared/open-file.ts';
import { StreamBatches } from '../shared/stream-batches.ts';
import { Ticker } from '../ticker.ts';
import type { Input, InputSink, InputStats } from '../types.ts';
import { path } from '../../section/values.ts';
import { inputType } from '../shared/input-type.ts';
import { decoding, FRAMING, framing, interval, splitter } from '../shared/parameters.ts';

/** The type `FilePollingInput` of sections. */
export const filePollingInput = inputType({
  type: 'FilePollingInput',
  summary:
    'Reads a whole file at each tick. Its messages have the Type `svc.file.polling` and the fields ' + '`TickerInterval` and `FilePath`.',
  example: '[load]\ntype = "FilePollingInput"\nfile_path = "/proc/loadavg"\nticker_interval = 2\ndecoder = "linux_loadavg"',
  parameters: () => ({
    file_path: path.describe('File to read, such as `/proc/loadavg`.'),
    ticker_interval: interval.default(5).describe('Time between two reads, and before the first one.'),
    splitter: splitter.default('none').describe(`How the content is cut into records; with \`none\` it is one record.${FRAMING}`),
    ...framing,
    ...decoding,
  }),
  source: { form: () => 'whole' },
  facts: ({ file_path: location }) => ({ kind: 'poll', label: basename(location), location }),
  make: ({ name, file_path: file, ticker_interval: seconds }, { split, hostname }) =>
    new FilePollingInput({ name, path: file, seconds, split, hostname }),
});

export interface FilePollingInputOptions {
  /** Name of the input: Logger of its records. */
  readonly name: string;
  readonly path: string;
  /** Whole seconds between two readings, above 0. */
  readonly seconds: number;
  /** Splitting of the content; by default it is one record. */
  readonly split?: SplitOptions;
  readonly hostname: string;
}

const TYPE = 'svc.file.polling';
const READ_BYTES = 64 << 10;

/**
 * Reads a file anew at every tick, from its beginning to its end: for files of `/proc` and `/sys`, which say how it is now. The first
 * reading comes after one interval. A file that cannot be read is told once, and tried again at the next tick.
 */
export class FilePollingInput implements Input {
  readonly name: string;
  readonly #options: FilePollingInputOptions;
  readonly #buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  #ticker: Ticker | null = null;
  #problem = '';
  #bytes = 0;
  #records = 0;

  /** Throws an InputError (`split.bad`) for a way to split that cannot be used. */
  constructor(options: FilePollingInputOptions) {
    this.name = options.name;
    this.#options = options;
    if (options.split !== undefined) makeSplitter(options.split);
  }

  start(sink: InputSink): Promise<void> {
    const { path, seconds, split = { kind: 'none' }, hostname } = this.#options;
    const batches = new StreamBatches({
      name: path,
      split,
      headers: { type: TYPE, logger: this.name, hostname },
      notice: (notice) => sink.notice(notice),
      decorate: (batch) => withConstantFields(batch, { TickerInterval: seconds, FilePath: path }),
    });
    this.#ticker = new Ticker(seconds * 1000, () => this.#poll(batches, sink));
    this.#ticker.start();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.#ticker?.stop();
  }

  stats(): InputStats {
    return { bytes: this.#bytes, records: this.#records, dropped: 0, totalBytes: this.#bytes };
  }

  async #poll(batches: StreamBatches, sink: InputSink): Promise<void> {
    try {
      await using handle = await openFile(this.#options.path);
      for await (const batch of batches.read(this.#chunks(handle))) {
        this.#records += batch.batch.length;
        await deliver(sink, batch);
      }
      if (this.#problem !== '') sink.notice(readableNotice(this.#options.path));
      this.#problem = '';
    } catch (error) {
      if (error instanceof DeliveryError) return;
      const { code, message: text } = retriedFileProblem(this.#options.path, error);
      // A file that stays away is told once.
      if (text !== this.#problem) sink.notice({ level: 'warning', code, text });
      this.#problem = text;
    }
    sink.idle();
  }

  /** The content. Sizes say nothing in `/proc`: it ends where nothing more is read. */
  async *#chunks(handle: FileHandle): Chunks {
    for (;;) {
      const { bytesRead } = await handle.read(this.#buffer, 0, READ_BYTES, null);
      if (bytesRead === 0) return;
      this.#bytes += bytesRead;
      yield this.#buffer.subarray(0, bytesRead);
    }
  }
}

/** The pipeline takes nothing more; it has said why. */
class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
}

async function deliver(sink: InputSink, batch: Parameters<InputSink['deliver']>[0]): Promise<void> {
  try {
    await sink.deliver(batch);
  } catch (error) {
    throw new DeliveryError(errorText(error), { cause: error });
  }
}
