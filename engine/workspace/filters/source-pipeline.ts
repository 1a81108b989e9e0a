import type { Consumer } from '../../pipeline/consumer.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { Selection } from '../../pipeline/selection.ts';
import { Serial } from '../../base/time/serial.ts';

/** The pipeline of a source, for its filters: counts the routed records and runs changes of the filters one after the other. */
export class SourcePipeline implements Consumer {
  readonly name = 'source pipeline';
  readonly pending = 0;
  readonly pipeline: Pipeline;
  #routed = 0;
  #closed = false;
  readonly #changes = new Serial();

  constructor(pipeline: Pipeline) {
    this.pipeline = pipeline;
    pipeline.addOutput(this);
  }

  /** Number of records of the source that were routed to the filters. */
  get routed(): number {
    return this.#routed;
  }

  /** Whether the source is read anew or was closed. */
  get closed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
  }

  /** Runs a change of the filters after those that were requested before it. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#changes.run(work);
  }

  async submit({ batch, injected }: Selection): Promise<void> {
    if (!injected) this.#routed += batch.length;
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}
