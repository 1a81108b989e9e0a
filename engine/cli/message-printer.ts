import type { MessageBatch } from '../message/batch/batch.ts';
import { encodeJsonLines } from '../message/json/json-encode.ts';
import { JsonSink } from '../message/json/json-sink.ts';
import type { Output } from './output.ts';

/** Prints messages as lines of JSON, one batch after the other: their bytes are made in the same memory. */
export class MessagePrinter {
  readonly #out: Output;
  readonly #sink = new JsonSink();

  constructor(out: Output) {
    this.#out = out;
  }

  /** Resolves when they are written. @param rows null: all */
  async print(batch: MessageBatch, rows: Uint32Array | null = null): Promise<void> {
    const { bytes } = encodeJsonLines(batch, rows, this.#sink);
    if (bytes.length > 0) await this.#out.write(bytes);
  }
}
