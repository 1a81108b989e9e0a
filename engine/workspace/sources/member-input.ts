import { messageOf } from '../../base/errors.ts';
import { memberAt } from '../../inputs/archive/archive.ts';
import { InputError } from '../../inputs/notices.ts';
import { readRecords } from '../../inputs/shared/read.ts';
import type { SplitOptions } from '../../inputs/splitters/index.ts';
import type { Input, InputBatch, InputSink, InputStats } from '../../inputs/types.ts';
import { backingOf } from '../../message/latin-text.ts';

/** A log in an archive as an input: it is read once, as an archive does not grow. */
export class MemberInput implements Input {
  readonly name: string;
  readonly #path: string;
  readonly #split: SplitOptions;
  readonly #stop = new AbortController();
  #done: Promise<void> = Promise.resolve();
  #records = 0;
  #bytes = 0;
  #size = 0;

  /** @param path that of the archive with the name of the log behind */
  constructor(name: string, path: string, split: SplitOptions) {
    this.name = name;
    this.#path = path;
    this.#split = split;
  }

  /** Problems of the archive are notices. */
  start(sink: InputSink): Promise<void> {
    this.#done = this.#read(sink);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  stats(): InputStats {
    return { records: this.#records, bytes: this.#bytes, dropped: 0, totalBytes: this.#size };
  }

  async #read(sink: InputSink): Promise<void> {
    const { signal } = this.#stop;
    try {
      this.#size = (await memberAt(this.#path))?.member.size ?? 0;
      const records = readRecords(this.#path, {
        split: this.#split,
        logger: this.name,
        signal,
        notice: (notice) => sink.notice(notice),
      });
      for await (const batch of records) {
        if (signal.aborted) return;
        this.#records += batch.batch.length;
        // Of one that is packed in the archive, too, the text is larger than what is read of it.
        this.#bytes = Math.min(this.#size, this.#bytes + textLength(batch));
        await sink.deliver(batch);
      }
    } catch (error) {
      if (signal.aborted) return;
      const problem =
        error instanceof InputError ? error : new InputError('file.unreadable', `${this.#path}: ${messageOf(error)}.`, { cause: error });
      sink.notice(problem.toNotice());
    }
    this.#bytes = this.#size;
    sink.idle();
  }
}

const textLength = ({ batch: { payload } }: InputBatch): number =>
  payload === null || payload.constant !== undefined ? 0 : backingOf(payload).length;
