import { textAt, type MessageBatch } from '../message/batch/batch.ts';
import type { SandboxResult } from '../sandbox/contract/types.ts';
import type { DecoderDetector } from './detect.ts';
import { LateDecoder } from './late-decoder.ts';

/** A decoder that is recognised by the first records that come. */
export class RecordsDecoder extends LateDecoder {
  readonly #detector: DecoderDetector;
  #recognised: Promise<void> | null = null;

  constructor(detector: DecoderDetector) {
    super(() => undefined);
    this.#detector = detector;
  }

  override async process(batch: MessageBatch, selection: Uint32Array | null): Promise<SandboxResult> {
    this.#recognised ??= this.#recognise(batch);
    await this.#recognised;
    return super.process(batch, selection);
  }

  async #recognise({ payload, length, timestamps }: MessageBatch): Promise<void> {
    const lines = Array.from({ length }, (_, row) => `${textAt(payload, row) ?? ''}\n`);
    const found = await this.#detector.detect(lines.join(''), timestamps[0]);
    if (found !== null) await this.use(found.sandbox);
  }
}
