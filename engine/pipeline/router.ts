import { EngineError } from '../errors.ts';
import type { MessageBatch } from '../message/batch.ts';
import type { Consumer } from './consumer.ts';
import { selectionFor, type Routed, type Selection } from './selection.ts';

export interface RouterOptions {
  /** Batches that one filter or output may have waiting before the inputs have to wait. */
  readonly capacity?: number;
}

/** Takes what filters inject. */
export interface Injector {
  /** Batches that wait in the queues of all filters and outputs. */
  readonly pending: number;
  /** Routes injected messages; resolves when everything that they caused is done. */
  inject(batch: MessageBatch, loop: number): Promise<void>;
}

const DEFAULT_CAPACITY = 8;

/**
 * Brings every message to the filters and then to the outputs that want it. Messages from inputs wait while a queue is full; injected
 * ones never wait, or two filters that feed each other would stand still: their number is bounded by the injection limits.
 */
export class Router implements Injector {
  readonly #capacity: number;
  #filters: readonly Consumer[] = [];
  #outputs: readonly Consumer[] = [];
  #freed: (() => void)[] = [];
  #routed = 0;
  #injecting = 0;
  /** What filters and outputs have taken and not finished, with the time when they took it. */
  readonly #underWay = new Set<{ readonly consumer: Consumer; readonly since: number }>();
  readonly #stopping = new Set<Consumer>();
  #started = false;
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
    this.#startLate(filter);
  }

  addOutput(output: Consumer): void {
    this.#outputs = [...this.#outputs, output];
    this.#startLate(output);
  }

  /** One that is added while the others run does not make the inputs wait. */
  #startLate(consumer: Consumer): void {
    if (this.#started) void consumer.start?.().catch(() => undefined);
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
    return { delivered: this.#route({ batch, loop: 0, signer, injected: false }) };
  }

  /**
   * Does something between two batches: those that were taken before are through, those that come wait.
   * @param patience milliseconds for what was taken before; without end when it is absent
   * @throws {EngineError} `router.busy` when that was not enough; nothing was done then
   */
  async exclusive(work: () => Promise<void>, patience = Infinity): Promise<void> {
    while (this.#held !== null) await this.#held;
    const turn = this.#whenThrough(patience).then(work);
    this.#held = turn.catch(() => undefined);
    try {
      await turn;
    } finally {
      this.#held = null;
      this.#wake();
    }
  }

  async #whenThrough(patience: number): Promise<void> {
    // The timer alone says when it is enough: by the clock it may come a little early, and there is no second one.
    let isEnough = false;
    const giveUp = (): void => {
      isEnough = true;
      this.#wake();
    };
    const timer = patience === Infinity ? undefined : setTimeout(giveUp, patience);
    while (this.pending > 0 && !isEnough) await new Promise<void>((resolve) => this.#freed.push(resolve));
    clearTimeout(timer);
    const busy = Array.from(this.#all(), ({ name, pending }) => (pending > 0 ? [`[${name}]`] : [])).flat();
    if (busy.length > 0)
      throw new EngineError('router.busy', `${busy.join(', ')} did not finish what was given to it, so nothing could be exchanged`);
  }

  /** What a filter injects is signed by nobody. */
  async inject(batch: MessageBatch, loop: number): Promise<void> {
    this.#injecting++;
    await this.#route({ batch, loop, signer: '', injected: true }).finally(() => this.#injecting--);
  }

  async #route(routed: Routed): Promise<void> {
    const { length } = routed.batch;
    if (length === 0) return;
    this.#routed += length;
    const done: Promise<void>[] = [];
    for (const consumer of this.#all()) {
      const selection = selectionFor(consumer, routed);
      if (selection !== null) done.push(this.#submit(consumer, selection));
    }
    await Promise.all(done);
  }

  async #submit(consumer: Consumer, selection: Selection): Promise<void> {
    const held = { consumer, since: performance.now() };
    this.#underWay.add(held);
    try {
      await consumer.submit(selection);
    } finally {
      this.#underWay.delete(held);
      this.#wake();
    }
  }

  /** Batches that a filter or output has taken so long ago and not finished. @param ms milliseconds */
  heldLonger(consumer: Consumer, ms: number): number {
    const before = performance.now() - ms;
    let batches = 0;
    for (const held of this.#underWay) if (held.consumer === consumer && held.since < before) batches++;
    return batches;
  }

  /** Whether every queue has room. */
  get hasRoom(): boolean {
    return !this.#full();
  }

  /** Tells all filters that their source has nothing more to say for now. Resolves to whether something came of that, when it has been through. */
  async idle(): Promise<boolean> {
    const came = await Promise.all(Array.from(this.#all(), async (consumer) => (await consumer.idle?.()) ?? false));
    return came.includes(true);
  }

  /** Lets all outputs open anew what they write to. */
  async reopen(): Promise<void> {
    await Promise.all(this.#outputs.map(async (output) => output.reopen?.()));
  }

  /** Whether nothing is kept by filters and outputs that they have not finished. */
  get finished(): boolean {
    for (const consumer of this.#all()) if (consumer.pending > 0 || (consumer.backlog ?? 0) > 0) return false;
    return true;
  }

  /** Prepares all filters and outputs, before the inputs start. Throws what the first of them throws. */
  async start(): Promise<void> {
    this.#started = true;
    await Promise.all(Array.from(this.#all(), async (consumer) => consumer.start?.()));
  }

  /** Tells all filters and outputs that the service is about to stop. */
  closing(): void {
    for (const consumer of this.#all()) consumer.closing?.();
  }

  /** Stops the filters, then the outputs, each after it has finished what it has. */
  async stop(): Promise<void> {
    await this.#stopAll(() => this.#filters);
    await this.#stopAll(() => this.#outputs);
  }

  /** Also those that are added while others are being stopped. */
  async #stopAll(consumers: () => readonly Consumer[]): Promise<void> {
    const stopped = new Set<Consumer>();
    for (;;) {
      const running = consumers().filter((consumer) => !stopped.has(consumer));
      if (running.length === 0) return;
      for (const consumer of running) stopped.add(consumer);
      await Promise.all(running.map((consumer) => this.#stopOne(consumer)));
    }
  }

  async #stopOne(consumer: Consumer): Promise<void> {
    this.#stopping.add(consumer);
    await consumer.stop().finally(() => this.#stopping.delete(consumer));
  }

  /** What `stop` waits for. */
  get stopping(): readonly Consumer[] {
    return [...this.#stopping];
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
