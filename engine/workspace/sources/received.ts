import { messageOf } from '../../base/errors.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { withoutRefused } from '../../pipeline/decoded.ts';
import type { DecodedRecords } from '../../pipeline/decode-stage.ts';
import type { ReceivedBatch } from './received-entries.ts';
import type { ReceivedRecords } from './received-records.ts';
import type { RecordSink } from './record-sink.ts';

interface ReceivedOptions {
  /** null: it is read again after a crash. */
  readonly file: ReceivedRecords | null;
  readonly sink: RecordSink;
  /** Counts records of before. */
  readonly count: (records: DecodedRecords) => void;
  /** Sends messages through the filters that there are now. */
  readonly route: (batch: MessageBatch, signer: string | undefined) => Promise<unknown>;
  readonly damaged: (text: string) => void;
  /** Called when all of before is there. */
  readonly restored: () => void;
}

/** What a live source has received: it outlives a crash of the engine, and comes back beside what is received then. */
export class Received {
  readonly #options: ReceivedOptions;
  #isClosed = false;
  #restoring: Promise<void> | null = null;
  #isRestored: boolean;

  constructor(options: ReceivedOptions) {
    this.#options = options;
    this.#isRestored = options.file?.hasEarlier !== true;
  }

  /** `restoring` as in the info of a source. */
  get info(): { readonly restoring?: true } {
    return this.#isRestored ? {} : { restoring: true };
  }

  /** Resolves when the batch outlives this process. */
  async add(batch: ReceivedBatch): Promise<void> {
    await this.#options.file?.add(batch);
  }

  /** Begins to bring back what was received before, the first time. */
  restore(): void {
    if (this.#isRestored || this.#restoring !== null) return;
    const { damaged, restored } = this.#options;
    this.#restoring = this.#restore()
      .catch((error: unknown) => damaged(messageOf(error)))
      .finally(() => {
        this.#isRestored = true;
        restored();
      });
  }

  /** @param keep leaves all to the next process */
  async close(keep: boolean): Promise<void> {
    this.#isClosed = true;
    await this.#restoring;
    await this.#options.file?.close({ keep });
  }

  async #restore(): Promise<void> {
    const { file, sink, count, route, damaged } = this.#options;
    if (file === null) return;
    for await (const { records, decoder } of file.earlier(damaged)) {
      if (this.#isClosed) return;
      count(records);
      await sink.restore(records, decoder);
      await route(withoutRefused(records), records.input.signer);
    }
    await sink.flush();
  }
}
