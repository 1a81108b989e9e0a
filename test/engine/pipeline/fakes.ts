import type { MessageBatch } from '../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { concatBatches } from '../../../engine/message/batch/gather.ts';
import type { Message } from '../../../engine/message/types.ts';
import type { Consumer } from '../../../engine/pipeline/consumer.ts';
import { selectionFor, type Routed, type Selection } from '../../../engine/pipeline/selection.ts';
import {
  NO_RESULT,
  DEFAULT_LIMITS,
  type CallTimes,
  type Sandbox,
  type SandboxReport,
  type SandboxResult,
  type SandboxSpec,
  type SandboxState,
} from '../../../engine/sandbox/contract/types.ts';

export const specOf = (name: string): SandboxSpec => ({
  name,
  kind: 'filter',
  script: `/${name}.ts`,
  modules: [],
  config: {},
  limits: DEFAULT_LIMITS,
  hostname: 'box1',
  pid: 42,
});

/** Code of a fake script for a message: returns messages to inject, or a failure's reason. */
export type Process = (message: Message, row: number) => readonly Message[] | string;

export interface FakeOptions {
  readonly process?: Process;
  readonly timer?: (ns: bigint) => readonly Message[];
  /** Holds every call back until it resolves. */
  readonly gate?: () => Promise<void>;
  /** Times of calls for each result. @param timed how many calls were to be timed in any case */
  readonly times?: (timed: number) => CallTimes;
}

/** A sandbox whose script is a function of the test; calls are served in order, as in a real one. */
export class FakeSandbox implements Sandbox {
  readonly spec: SandboxSpec;
  readonly calls: string[] = [];
  state: SandboxState = 'running';
  readonly #options: FakeOptions;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(spec: string | SandboxSpec, options: FakeOptions) {
    this.spec = typeof spec === 'string' ? specOf(spec) : spec;
    this.#options = options;
  }

  process(batch: MessageBatch, selection: Uint32Array | null, timed = 0): Promise<SandboxResult> {
    const { times } = this.#options;
    return this.#queue(() => ({ ...this.#process(batch, selection), ...(times === undefined ? {} : { times: times(timed) }) }));
  }

  terminate(): void {
    this.state = 'terminated';
  }

  timer(ns: bigint): Promise<SandboxResult> {
    return this.#queue(() => {
      this.calls.push(`timer ${ns}`);
      const injected = this.#options.timer?.(ns) ?? [];
      return injected.length === 0 ? NO_RESULT : { ...NO_RESULT, injected: batchOf(injected) };
    });
  }

  async report(): Promise<SandboxReport> {
    const none = { current: 0, maximum: 0, limit: 0 };
    const { state } = this;
    return { state, lastError: null, processed: 0, failures: 0, injected: 0, memory: none, instructions: none, output: none, averageNs: 0 };
  }

  async stop(): Promise<void> {
    await this.#tail;
    if (this.state === 'running') this.state = 'stopped';
  }

  #queue(work: () => SandboxResult): Promise<SandboxResult> {
    const result = this.#tail.then(async () => {
      await this.#options.gate?.();
      if (this.state !== 'running') throw new Error(`the sandbox is ${this.state}`);
      return work();
    });
    this.#tail = result.catch(() => undefined);
    return result;
  }

  #process(batch: MessageBatch, selection: Uint32Array | null): SandboxResult {
    const rows = selection === null ? Array.from({ length: batch.length }, (_, row) => row) : [...selection];
    const parts: MessageBatch[] = [];
    const origins: number[] = [];
    const failures: { row: number; reason: string }[] = [];
    for (const row of rows) {
      const message = batch.message(row);
      this.calls.push(message.payload ?? message.type ?? '');
      const out = this.#options.process?.(message, row) ?? [];
      if (out === 'die') {
        this.state = 'terminated';
        return {
          injected: parts.length > 0 ? concatBatches(parts) : null,
          origins: new Uint32Array(origins),
          failures,
          terminated: { code: 'script.throws', reason: 'died', row },
        };
      }
      if (typeof out === 'string') failures.push({ row, reason: out });
      else {
        for (const injected of out) parts.push(batchOf([injected]));
        origins.push(...out.map(() => row));
      }
    }
    return { injected: parts.length > 0 ? concatBatches(parts) : null, origins: new Uint32Array(origins), failures, terminated: null };
  }
}

/** A message of this payload at this second. */
export const message = (payload: string, second = 0, more: Partial<Message> = {}): Message => ({
  uuid: new Uint8Array(16),
  timestamp: BigInt(second) * 1_000_000_000n,
  payload,
  fields: [],
  ...more,
});

export const payloads = (batch: MessageBatch): string[] =>
  Array.from({ length: batch.length }, (_, row) => batch.message(row).payload ?? '');

/** Hands a consumer what it wants of a batch, as the router does. */
export async function hand(consumer: Consumer, batch: MessageBatch, routed: Partial<Routed> = {}): Promise<void> {
  const selection = selectionFor(consumer, { batch, loop: 0, signer: '', injected: false, ...routed });
  if (selection !== null) await consumer.submit(selection);
}

/** Remembers everything that was routed. */
export class Recorder implements Consumer {
  readonly name = 'recorder';
  readonly pending = 0;
  readonly seen: Message[] = [];
  readonly loops: number[] = [];

  async submit({ batch, loop }: Selection): Promise<void> {
    for (let row = 0; row < batch.length; row++) this.seen.push(batch.message(row));
    this.loops.push(loop);
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  payloads = (): string[] => this.seen.map(({ payload, type }) => payload ?? type ?? '');
}
