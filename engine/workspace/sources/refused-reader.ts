import type { DecoderChoice } from '../../api/types.ts';
import type { DecoderDetector } from '../../detect/detect.ts';
import { SecondReading } from '../../detect/second-reading.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import type { CompletedResult, RefusedReader } from '../../pipeline/completed.ts';
import type { SandboxStarter } from '../../plugins/sandboxes.ts';
import type { SandboxResult } from '../../sandbox/contract/types.ts';

type Choice = Pick<DecoderChoice, 'name' | 'by'>;

interface SourceRefusedReaderOptions {
  readonly starter: SandboxStarter;
  readonly detector: DecoderDetector;
  /** The decoder whose records are read, which may be exchanged; null: there is none any more. */
  readonly choice: () => Choice | null;
}

/** Reads what the decoder of a source refuses, anew after another was chosen. Only a decoder that was recognised has others behind it: the user's choice is kept. */
export class SourceRefusedReader implements RefusedReader {
  readonly #options: SourceRefusedReaderOptions;
  #current: { readonly of: Choice | null; readonly reading: SecondReading } | null = null;

  constructor(options: SourceRefusedReaderOptions) {
    this.#options = options;
  }

  complete(input: MessageBatch, result: SandboxResult): Promise<CompletedResult> {
    const { starter, detector, choice } = this.#options;
    const of = choice();
    if (this.#current === null || this.#current.of !== of) {
      void this.#current?.reading.stop();
      const others = of?.by === 'detected' ? detector : null;
      this.#current = { of, reading: new SecondReading({ starter, detector: others, first: of?.name ?? '', keepsRefused: true }) };
    }
    return this.#current.reading.complete(input, result);
  }

  async stop(): Promise<void> {
    await this.#current?.reading.stop();
    this.#current = null;
  }
}
