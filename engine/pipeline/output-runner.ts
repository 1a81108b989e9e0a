import { messageOf } from '../errors.ts';
import type { MessageBatch } from '../message/batch.ts';
import type { AnyBatchEncoder } from '../outputs/encode.ts';
import type { Writer } from '../outputs/writers.ts';
import type { Consumer, Selector } from './consumer.ts';

export interface OutputOptions {
  readonly name: string;
  readonly matcher: Selector;
  /** Only messages that are signed by this name. */
  readonly signer?: string;
  readonly encoder: AnyBatchEncoder;
  readonly writer: Writer;
  /** A batch could not be written; it is lost. */
  readonly onError: (text: string) => void;
  /** Called when the last batch is written. */
  readonly onStop?: () => Promise<void>;
}

/** Runs an output: encodes the messages that its matcher selects and writes them, in order. */
export class OutputRunner implements Consumer {
  readonly name: string;
  readonly #options: OutputOptions;
  #pending = 0;
  #tail: Promise<void> = Promise.resolve();

  constructor(options: OutputOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get pending(): number {
    return this.#pending;
  }

  submit(batch: MessageBatch, _loop = 0, signer = ''): Promise<void> {
    const { matcher, signer: wanted } = this.#options;
    if (wanted !== undefined && wanted !== signer) return Promise.resolve();
    const rows = matcher.select(batch);
    if (rows?.length === 0) return Promise.resolve();
    this.#pending++;
    this.#tail = this.#tail.then(() => this.#write(batch, rows)).finally(() => this.#pending--);
    return this.#tail;
  }

  idle(): void {
    // Nothing is held back here.
  }

  async stop(): Promise<void> {
    await this.#tail;
    await this.#options.onStop?.();
    await this.#options.writer.close().catch((error: unknown) => this.#options.onError(messageOf(error)));
  }

  async #write(batch: MessageBatch, rows: Uint32Array | null): Promise<void> {
    const { encoder, writer, onError } = this.#options;
    try {
      await writer.write([...(await encoder(batch, rows))]);
    } catch (error) {
      onError(`messages could not be written: ${messageOf(error)}`);
    }
  }
}
