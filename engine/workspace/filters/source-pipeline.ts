import type { Consumer } from '../../pipeline/consumer.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { Selection } from '../../pipeline/selection.ts';
import { Serial } from '../../serial.ts';

/** The pipeline of a source as its filters see it: what went through it, and one change after the other. */
export class SourcePipeline implements Consumer {
  readonly name = 'lane';
  readonly pending = 0;
  readonly pipeline: Pipeline;
  #routed = 0;
  #closed = false;
  readonly #changes = new Serial();

  constructor(pipeline: Pipeline) {
    this.pipeline = pipeline;
    pipeline.addOutput(this);
  }

  /** Records of the source that the filters were given. */
  get routed(): number {
    return this.#routed;
  }

  /** The source is read anew or was closed. */
  get closed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
  }

  /** Changes of one lane are made one after the other. */
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
