import { EngineError } from '../base/errors.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import type { ClockKind } from '../message/types.ts';
import type { Consumer } from './consumer.ts';
import { selectionFor, type Routed, type Selection } from './selection.ts';

export interface RouterOptions {
  /** Batches that one filter or output may have waiting before the inputs have to wait. */
  readonly capacity?: number | undefined;
}

/** Receives the messages that filters inject. */
export interface Injector {
  /** Batches that wait in the queues of all filters and outputs. */
  readonly pending: number;
  /** Routes injected messages; resolves when they, and all injected because of them, are processed. */
  inject(batch: MessageBatch, loop: number): Promise<void>;
}

/** The way of a batch through filters and outputs. */
export interface Passage {
  /** All are done with it, but for outputs that have gathered it and write it later. */
  readonly taken: Promise<void>;
  /** All are done with it. */
  readonly delivered: Promise<void>;
}

const DEFAULT_CAPACITY = 8;

/**
 * Routes every message to the filters and then to the outputs that select it. Messages from inputs wait while a queue is full. Injected
 * ones never wait, since two filters that feed each other would deadlock; the injection limits bound their number.
 */
export class Router implements Injector {
  readonly #capacity: number;
  #filters: readonly Consumer[] = [];
  #outputs: readonly Consumer[] = [];
  #freed: (() => void)[] = [];
  #routed = 0;
  #injecting = 0;
  /** Batches that filters and outputs were given and have not taken, each with the time when it was given. */
  readonly #underWay = new Set<{ readonly consumer: Consumer; readonly since: number }>();
  readonly #stopping = new Set<Consumer>();
  #started = false;
  /** Pending `exclusive` work, during which messages from inputs wait. */
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

  /** Batches of injected messages in processing. */
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

  /** Starts a consumer that is added while the others run, without making the inputs wait. */
  #startLate(consumer: Consumer): void {
    if (this.#started) void consumer.start?.().catch(() => undefined);
  }

  /** Removes a filter or output; it gets no further messages. */
  remove(consumer: Consumer): void {
    this.#filters = this.#filters.filter((other) => other !== consumer);
    this.#outputs = this.#outputs.filter((other) => other !== consumer);
    this.#wake();
  }

  /**
   * Routes a batch from an input. Resolves when every queue has room for it.
   * @param signer name of the messages' signer; '' when they are unsigned
   * @param clock that of their input
   * @param isPatient nobody waits until it is delivered
   */
  async accept(batch: MessageBatch, signer = '', clock: ClockKind = 'wall', isPatient = false): Promise<Passage> {
    while (this.#held !== null || this.#full()) await new Promise<void>((resolve) => this.#freed.push(resolve));
    return this.#route({ batch, loop: 0, signer, injected: false, clock, isPatient });
  }

  /**
   * Runs work between two batches: earlier batches are finished first, later ones wait.
   * @param patience milliseconds to wait for earlier batches; unlimited by default
   * @throws {EngineError} `router.busy` when they took longer; the work was not run then
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
    // Only the timer ends the wait: it may fire a little early by the clock, and it fires once.
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

  /** Routes injected messages, which are unsigned. */
  async inject(batch: MessageBatch, loop: number): Promise<void> {
    this.#injecting++;
    // The service waits for none of its own messages; a filter does.
    const { delivered } = this.#route({ batch, loop, signer: '', injected: true, isPatient: loop === 0 });
    await delivered.finally(() => this.#injecting--);
  }

  #route(routed: Routed): Passage {
    const passages: Promise<{ readonly safe: Promise<void> }>[] = [];
    this.#routed += routed.batch.length;
    for (const consumer of routed.batch.length === 0 ? [] : this.#all()) {
      const selection = selectionFor(consumer, routed);
      if (selection !== null) passages.push(this.#give(consumer, selection));
    }
    const all = Promise.all(passages);
    const taken = all.then(ignore);
    // Whoever waits for the delivery hears of it.
    taken.catch(ignore);
    return { taken, delivered: all.then((given) => Promise.all(given.map(({ safe }) => safe))).then(ignore) };
  }

  async #give(consumer: Consumer, selection: Selection): Promise<{ readonly safe: Promise<void> }> {
    const held = { consumer, since: performance.now() };
    this.#underWay.add(held);
    try {
      if (consumer.gathers === true && consumer.take !== undefined) return await consumer.take(selection);
      await consumer.submit(selection);
      return SAFE;
    } finally {
      this.#underWay.delete(held);
      this.#wake();
    }
  }

  /** Counts the unfinished batches that a filter or output took more than `ms` milliseconds ago. */
  heldLonger(consumer: Consumer, ms: number): number {
    const before = performance.now() - ms;
    let batches = 0;
    for (const held of this.#underWay) if (held.consumer === consumer && held.since < before) batches++;
    return batches;
  }

  /** True when every queue has room. */
  get hasRoom(): boolean {
    return !this.#full();
  }

  /** Tells all filters and outputs that the inputs are idle. Resolves, when all they inject then is processed, to whether any injected something. */
  async idle(): Promise<boolean> {
    const came = await Promise.all(Array.from(this.#all(), async (consumer) => (await consumer.idle?.()) ?? false));
    return came.includes(true);
  }

  /** Has all filters and outputs finish what they have taken: an input waits for that. */
  hurry(): void {
    for (const consumer of this.#all()) consumer.hurry?.();
  }

  /** Makes all outputs reopen their destinations. */
  async reopen(): Promise<void> {
    await Promise.all(this.#outputs.map(async (output) => output.reopen?.()));
  }

  /** True when filters and outputs hold no unfinished messages. */
  get finished(): boolean {
    for (const consumer of this.#all()) if (consumer.pending > 0 || (consumer.backlog ?? 0) > 0) return false;
    return true;
  }

  /** Starts all filters and outputs, before the inputs start. Throws the first of their errors. */
  async start(): Promise<void> {
    this.#started = true;
    await Promise.all(Array.from(this.#all(), async (consumer) => consumer.start?.()));
  }

  /** Tells all filters and outputs that the service is about to stop. */
  closing(): void {
    for (const consumer of this.#all()) consumer.closing?.();
  }

  /** Stops the filters, then the outputs, each after it has finished its messages. */
  async stop(): Promise<void> {
    await this.#stopAll(() => this.#filters);
    await this.#stopAll(() => this.#outputs);
  }

  /** Stops consumers, also those that are added while others are being stopped. */
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

  /** Consumers that `stop` waits for. */
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

const ignore = (): void => undefined;
const SAFE: { readonly safe: Promise<void> } = { safe: Promise.resolve() };
