import { BatchBuilder } from '../../message/batch/builder.ts';
import type { SignedMessage } from '../framed.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_RECORDS } from '../splitter.ts';
import type { GatheredBatch } from './gatherer.ts';

/** Collects messages of one signer for one batch. */
export class MessageGatherer {
  readonly #builder = new BatchBuilder();
  #signer = '';

  get count(): number {
    return this.#builder.length;
  }

  get isFull(): boolean {
    return this.#builder.length === MAX_BATCH_RECORDS || this.#builder.weight >= MAX_BATCH_BYTES;
  }

  /** Whether a message by this signer may be added. */
  takes(signer: string): boolean {
    return this.count === 0 || signer === this.#signer;
  }

  add({ message, signer }: SignedMessage): void {
    this.#signer = signer;
    this.#builder.append(message);
  }

  /** The batch of the added messages; the gatherer is empty then. */
  take(): GatheredBatch {
    return { batch: this.#builder.build(), invalid: false, signer: this.#signer };
  }
}
