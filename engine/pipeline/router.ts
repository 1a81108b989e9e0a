import type { MessageBatch } from '../message/batch.ts';
import type { Consumer } from './consumer.ts';

export interface RouterOptions {
  /** Batches that one filter or output may have waiting before the inputs have to wait. */
  readonly capacity?: number;
}

/** Takes what filters inject. */
export interface Injector {
  /** Routes injected messages; resolves when everything that they caused is done. */
  inject(batch: MessageBatch, loop: number): Promise<void>;
}

const DEFAULT_CAPACITY = 8;

/**
 * Brings every message to every filter and then to every output. Messages from inputs wait while a queue is full; injected
 * ones never wait, or two filters that feed each other would stand still: their number is bounded by the injection limits.
 */
export class Router implements Injector {
  readonly #capacity: number;
  #filters: readonly Consumer[] = [];
  #outputs: readonly Consumer[] = [];
  #freed: (() => void)[] = [];
  #routed = 0;
  #injecting = 0;
  /** Something is exchanged: messages from inputs wait until it is done. */
  #held: Promise<unknown> | null = null;

  constructor(options: RouterOptions = {}) {
    this.#capacity = options.capacity ?? DEFAULT_CAPACITY;
  }

  /** Messages that passed, injected ones included. */
  get routed(): number {
    return this.#routed;
  }

  /** Batches that wait in the queues of all filters and outputs. */
  get pending(): number {
    let pending = 0;
    for (const consumer of this.#all()) pending += consumer.pending;
    return pending;
  }

  get capacity(): number {
    return this.#capacity;
  }

  get filters(): readonly Consumer[] {
    return this.#filters;
  }

  get outputs(): readonly Consumer[] {
    return this.#outputs;
  }

  /** Batches of injected messages that are under way. */
  get injecting(): number {
    return this.#injecting;
  }

  addFilter(filter: Consumer): void {
    this.#filters = [...this.#filters, filter];
  }

  addOutput(output: Consumer): void {
    this.#outputs = [...this.#outputs, output];
  }

  /** Takes a filter or output out; it gets no further messages. */
  remove(consumer: Consumer): void {
    this.#filters = this.#filters.filter((other) => other !== consumer);
    this.#outputs = this.#outputs.filter((other) => other !== consumer);
    this.#wake();
  }

  /**
   * Routes a batch that comes from an input. Resolves when it has been taken, which is when every queue has room;
   * `delivered` resolves when all filters and outputs are done with it.
   * @param signer who signed the messages; '' when nobody did
   */
  async accept(batch: MessageBatch, signer = ''): Promise<{ readonly delivered: Promise<void> }> {
    while (this.#held !== null || this.#full()) await new Promise<void>((resolve) => this.#freed.push(resolve));
    return { delivered: this.#route(batch, 0, signer, false) };
  }

  /** Does something between two batches: those that were taken before are through, those that come wait. */
  async exclusive(work: () => Promise<void>): Promise<void> {
    while (this.#held !== null) await this.#held;
    const turn = this.#whenThrough().then(work);
    this.#held = turn.catch(() => undefined);
    try {
      await turn;
    } finally {
      this.#held = null;
      this.#wake();
    }
  }

  async #whenThrough(): Promise<void> {
    while (this.pending > 0) await new Promise<void>((resolve) => this.#freed.push(resolve));
  }

  /** What a filter injects is signed by nobody. */
  async inject(batch: MessageBatch, loop: number): Promise<void> {
    this.#injecting++;
    await this.#route(batch, loop, '', true).finally(() => this.#injecting--);
  }

  async #route(batch: MessageBatch, loop: number, signer: string, injected: boolean): Promise<void> {
    if (batch.length === 0) return;
    this.#routed += batch.length;
    const done: Promise<void>[] = [];
    for (const consumer of this.#all()) done.push(consumer.submit(batch, loop, signer, injected).finally(() => this.#wake()));
    await Promise.all(done);
  }

  /** Tells all filters that their source has nothing more to say for now. */
  idle(): void {
    for (const consumer of this.#all()) consumer.idle();
  }

  /** Lets all outputs open anew what they write to. */
  async reopen(): Promise<void> {
    await Promise.all(this.#outputs.map(async (output) => output.reopen?.()));
  }

  /** Stops the filters, then the outputs, each after it has finished what it has. */
  async stop(): Promise<void> {
    await Promise.all(this.#filters.map((filter) => filter.stop()));
    await Promise.all(this.#outputs.map((output) => output.stop()));
  }

  *#all(): Iterable<Consumer> {
    yield* this.#filters;
    yield* this.#outputs;
  }

  #full(): boolean {
    for (const consumer of this.#all()) if (consumer.pending >= this.#capacity) return true;
    return false;
  }

  #wake(): void {
    const waiting = this.#freed;
    this.#freed = [];
    for (const resolve of waiting) resolve();
  }
}
