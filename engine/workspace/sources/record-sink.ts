import type { SourceKind } from '../../api/types.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import type { DecodedRecords } from '../../pipeline/decode-stage.ts';
import type { AppendedRecords, RecordStore } from '../../store/record-store.ts';
import { withRaw } from '../../store/segment.ts';
import { ReorderBuffer } from './reorder-buffer.ts';

interface RecordSinkOptions {
  readonly source: { readonly id: number; readonly kind: SourceKind };
  readonly store: RecordStore;
  /** Whether what is stored now is new, as opposed to what was there when the source was opened. */
  readonly isFresh: () => boolean;
  /** Called when records were stored. */
  readonly took: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Stores the records of a source so that the window can show them in order of time: the files of a source are streams that the store merges, and
 * those of a listener wait a moment for earlier ones.
 */
export class RecordSink {
  readonly #options: RecordSinkOptions;
  /** Numbers of the files, by path. */
  readonly #streams = new Map<string, number>();
  /** Records that wait for earlier ones, and the decoder that made them. */
  #reorder: { readonly decoder: string | null; readonly records: ReorderBuffer } | null = null;

  constructor(options: RecordSinkOptions) {
    this.#options = options;
  }

  /** Records that were taken and are not stored yet. */
  get waiting(): number {
    return this.#reorder?.records.waiting ?? 0;
  }

  /** Takes records; resolves when there is room for more. @param comments rows that are the header or comments of a file */
  async take({ batch, raw, others, input }: DecodedRecords, decoder: string | null, comments?: Uint32Array): Promise<void> {
    const { kind } = this.#options.source;
    if (kind === 'udp' || kind === 'tcp') await this.#settle(withRaw(batch, raw), decoder);
    else
      await this.#store({
        batch,
        raw,
        others,
        decoder,
        stream: kind === 'file' ? this.#streamOf(input.source ?? '') : 0,
        comments,
      });
  }

  /** Stores all that comes until the work is done, and the records that wait, also while the store's disk is full. */
  async end(work: () => Promise<void>): Promise<void> {
    const { source, store } = this.#options;
    await store.passing(source.id, async () => {
      await work();
      await this.flush();
    });
  }

  /** Stores the records that wait. */
  async flush(): Promise<void> {
    await this.#reorder?.records.flush();
  }

  async #store(records: Omit<AppendedRecords, 'source' | 'fresh'>): Promise<void> {
    const { source, store, isFresh, took } = this.#options;
    await store.append({ ...records, source: source.id, fresh: isFresh() });
    took();
  }

  async #settle(batch: MessageBatch, decoder: string | null): Promise<void> {
    if (this.#reorder?.decoder !== decoder) {
      await this.flush();
      const records = new ReorderBuffer((settled) => this.#store({ batch: settled, raw: null, decoder }), this.#options.failed);
      this.#reorder = { decoder, records };
    }
    await this.#reorder.records.add(batch);
  }

  #streamOf(path: string): number {
    const stream = this.#streams.get(path) ?? this.#streams.size;
    this.#streams.set(path, stream);
    return stream;
  }
}
