import type { SourceKind } from '../../api/types.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import type { DecodedRecords } from '../../pipeline/decode-stage.ts';
import type { AppendedRecords, RecordStore } from '../../store/record-store.ts';
import { withRaw } from '../../store/segment.ts';
import { ReorderBuffer } from './reorder-buffer.ts';

/** Number of the stream of what was received before a crash; that of what comes now is 0. */
const RESTORED = 1;

interface RecordSinkOptions {
  readonly source: { readonly id: number; readonly kind: SourceKind };
  readonly store: RecordStore;
  /** Whether what is stored now is new, as opposed to what was there when the source was opened. */
  readonly isFresh: () => boolean;
  /** Called when records were stored. */
  readonly took: (records: number) => void;
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
  readonly #arrived: Reordered;
  readonly #restored: Reordered;

  constructor(options: RecordSinkOptions) {
    this.#options = options;
    const { failed, isFresh } = options;
    this.#arrived = new Reordered((batch, decoder) => this.#store({ batch, raw: null, decoder, stream: 0, fresh: isFresh() }), failed);
    this.#restored = new Reordered((batch, decoder) => this.#store({ batch, raw: null, decoder, stream: RESTORED, fresh: false }), failed);
  }

  /** Records that were taken and are not stored yet. */
  get waiting(): number {
    return this.#arrived.waiting + this.#restored.waiting;
  }

  /** Takes records; resolves when there is room for more. @param comments rows that are the header or comments of a file */
  async take(records: DecodedRecords, decoder: string | null, comments?: Uint32Array): Promise<void> {
    const { batch, raw, others, input } = records;
    if (this.#isReordered) return this.#arrived.take(records, decoder);
    const stream = this.#options.source.kind === 'file' ? this.#streamOf(input.source ?? '') : 0;
    await this.#store({ batch, raw, others, decoder, stream, comments, fresh: this.#options.isFresh() });
  }

  /** Takes records of before a crash: beside those that come now, they are a stream of their own. */
  async restore(records: DecodedRecords, decoder: string | null): Promise<void> {
    const { batch, raw, others } = records;
    if (this.#isReordered) return this.#restored.take(records, decoder);
    await this.#store({ batch, raw, others, decoder, stream: RESTORED, fresh: false });
  }

  get #isReordered(): boolean {
    const { kind } = this.#options.source;
    return kind === 'udp' || kind === 'tcp';
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
    await this.#arrived.flush();
    await this.#restored.flush();
  }

  async #store(records: Omit<AppendedRecords, 'source'>): Promise<void> {
    const { source, store, took } = this.#options;
    await store.append({ ...records, source: source.id });
    took(records.batch.length);
  }

  #streamOf(path: string): number {
    const stream = this.#streams.get(path) ?? this.#streams.size;
    this.#streams.set(path, stream);
    return stream;
  }
}

/** Records that wait for earlier ones, with the name of the decoder that made them. */
class Reordered {
  readonly #store: (batch: MessageBatch, decoder: string | null) => Promise<void>;
  readonly #failed: (error: unknown) => void;
  #last: { readonly decoder: string | null; readonly records: ReorderBuffer } | null = null;

  constructor(store: (batch: MessageBatch, decoder: string | null) => Promise<void>, failed: (error: unknown) => void) {
    this.#store = store;
    this.#failed = failed;
  }

  get waiting(): number {
    return this.#last?.records.waiting ?? 0;
  }

  async take({ batch, raw }: DecodedRecords, decoder: string | null): Promise<void> {
    if (this.#last?.decoder !== decoder) {
      await this.flush();
      this.#last = { decoder, records: new ReorderBuffer((settled) => this.#store(settled, decoder), this.#failed) };
    }
    await this.#last.records.add(withRaw(batch, raw));
  }

  async flush(): Promise<void> {
    await this.#last?.records.flush();
  }
}
