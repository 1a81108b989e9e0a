import type { MessageBatch } from '../message/batch/batch.ts';
import {
  NO_RESULT,
  DEFAULT_LIMITS,
  type Sandbox,
  type SandboxReport,
  type SandboxResult,
  type SandboxSpec,
  type SandboxState,
  type End,
} from '../sandbox/contract/types.ts';

const UNDECIDED: SandboxSpec = {
  name: 'undecided',
  kind: 'decoder',
  script: '',
  modules: [],
  config: {},
  limits: DEFAULT_LIMITS,
  hostname: '',
  pid: 0,
};

/**
 * A decoder that is chosen while records flow already, and can be exchanged between two batches. Without one, records pass as they are; so they do
 * after one has ended, and those that it did not take are refused.
 */
export class LateDecoder implements Sandbox {
  readonly #onEnd: (end: End) => void;
  #decoder: Sandbox | null = null;

  /** @param onEnd told why the decoder ended */
  constructor(onEnd: (end: End) => void) {
    this.#onEnd = onEnd;
  }

  get spec(): SandboxSpec {
    return this.#decoder?.spec ?? UNDECIDED;
  }

  get state(): SandboxState {
    return 'running';
  }

  /** Decodes by this one from the next batch on; null: not at all. Resolves when the one before has ended. */
  async use(decoder: Sandbox | null): Promise<void> {
    const before = this.#decoder;
    this.#decoder = decoder;
    await before?.stop();
  }

  async process(batch: MessageBatch, selection: Uint32Array | null): Promise<SandboxResult> {
    const decoder = this.#decoder;
    if (decoder === null) return { ...NO_RESULT, injected: batch };
    const result = await decoder.process(batch, selection);
    if (result.terminated === null) return result;
    const { row, ...end } = result.terminated;
    if (this.#decoder === decoder) this.#decoder = null;
    this.#onEnd(end);
    const first = Math.max(0, row);
    const rest = Array.from({ length: batch.length - first }, (_, i) => ({
      row: first + i,
      reason: `the decoder has ended: ${end.reason}`,
    }));
    return { ...result, failures: [...result.failures, ...rest], terminated: null };
  }

  async timer(): Promise<SandboxResult> {
    return Promise.resolve(NO_RESULT);
  }

  async report(): Promise<SandboxReport> {
    if (this.#decoder !== null) return this.#decoder.report();
    const none = { current: 0, maximum: 0, limit: 0 };
    return {
      state: 'running',
      lastError: null,
      processed: 0,
      failures: 0,
      injected: 0,
      averageNs: 0,
      memory: none,
      instructions: none,
      output: none,
    };
  }

  async stop(): Promise<void> {
    await this.use(null);
  }
}
