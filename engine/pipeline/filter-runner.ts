import type { MessageBatch } from '../message/batch.ts';
import { takeRows } from '../message/gather.ts';
import type { Failure, Sandbox, SandboxResult } from '../sandbox/types.ts';
import { MessageTicker, type ClockKind, type Tick } from './clock.ts';
import type { Consumer, Selector } from './consumer.ts';
import { nowNs, sandboxTerminated } from './messages.ts';
import { filterFields, runnerFields, sandboxFields, Stopwatch, type PluginReport } from './plugin-report.ts';
import type { Injector } from './router.ts';

export interface FilterOptions {
  readonly name: string;
  readonly matcher: Selector;
  /** Only messages that are signed by this name. */
  readonly signer?: string;
  readonly sandbox: Sandbox;
  readonly router: Injector;
  /** Whole seconds between ticks; 0: none. */
  readonly tickerInterval: number;
  readonly clock: ClockKind;
  readonly maxMessageLoops: number;
  /** One more tick when it is stopped. */
  readonly timerEventOnShutdown?: boolean;
  readonly onFailures?: (failures: readonly Failure[]) => void;
  readonly onTerminated?: (reason: string) => void;
}

/**
 * Runs one filter: gives it the messages that its matcher selects and its ticks, in one order, and routes what it injects. A
 * filter that breaks a rule of the router ends; what it injected before counts.
 */
export class FilterRunner implements Consumer {
  readonly name: string;
  readonly #options: FilterOptions;
  readonly #ticker: MessageTicker | null;
  readonly #interval: NodeJS.Timeout | null;
  readonly #match = new Stopwatch();
  #pending = 0;
  #loop = 0;
  #ended = false;
  #tickPending = false;
  /** Something was processed since the last tick. */
  #fresh = false;
  /** Results are handled in the order of the calls. */
  #tail: Promise<void> = Promise.resolve();

  constructor(options: FilterOptions) {
    this.name = options.name;
    this.#options = options;
    const ticks = options.tickerInterval > 0;
    this.#ticker = ticks && options.clock === 'message' ? new MessageTicker(options.tickerInterval) : null;
    this.#interval = ticks && options.clock === 'wall' ? setInterval(() => this.#wallTick(), options.tickerInterval * 1000).unref() : null;
  }

  get pending(): number {
    return this.#pending;
  }

  get ended(): boolean {
    return this.#ended;
  }

  async submit(batch: MessageBatch, loop: number, signer = '', injected = loop > 0): Promise<void> {
    if (this.#ended) return;
    const { matcher, signer: wanted } = this.#options;
    const wants = wanted === undefined || wanted === signer;
    const selection = wants ? this.#match.measure(() => matcher.select(batch), batch.length) : NO_ROWS;
    // Injected messages carry the time of their making, so only an input's messages move the clock.
    const ticks = !injected && this.#ticker !== null ? this.#ticker.advance(batch.timestamps) : [];
    if (ticks.length === 0 && selection?.length === 0) return;
    this.#pending++;
    const done: Promise<void>[] = [];
    for (const step of stepsOf(batch.length, selection, ticks)) {
      done.push('ns' in step ? this.#timer(step.ns) : this.#process(batch, step.rows, loop));
    }
    await Promise.all(done).finally(() => this.#pending--);
  }

  /** On the message clock: a tick at the messages' time, when something has come since the last one. */
  idle(): void {
    const now = this.#ticker?.now ?? null;
    if (now === null || !this.#fresh || this.#ended || this.#tickPending) return;
    this.#tick(now);
  }

  async report(capacity: number): Promise<PluginReport> {
    const report = await this.#options.sandbox.report();
    const fields = { ...runnerFields(this.#pending, capacity, this.#match), ...sandboxFields(report), ...filterFields(report) };
    return { name: this.name, fields };
  }

  async stop(): Promise<void> {
    if (this.#interval !== null) clearInterval(this.#interval);
    if (this.#options.timerEventOnShutdown === true && !this.#ended) this.#tick(this.#ticker?.now ?? nowNs());
    let last: Promise<void> | null = null;
    while (last !== this.#tail) await (last = this.#tail);
    this.#ended = true;
    await this.#options.sandbox.stop();
  }

  #wallTick(): void {
    if (!this.#ended && !this.#tickPending) this.#tick(nowNs());
  }

  #tick(ns: bigint): void {
    this.#tickPending = true;
    void this.#timer(ns).finally(() => (this.#tickPending = false));
  }

  #process(batch: MessageBatch, rows: Uint32Array | null, loop: number): Promise<void> {
    this.#fresh = true;
    return this.#enqueue(this.#options.sandbox.process(batch, rows), () => (this.#loop = loop));
  }

  #timer(ns: bigint): Promise<void> {
    this.#fresh = false;
    return this.#enqueue(this.#options.sandbox.timer(ns), () => undefined);
  }

  /** Handles a call's result after those of the calls before it; what it injects may then go around on its own. */
  async #enqueue(call: Promise<SandboxResult>, before: () => void): Promise<void> {
    let caused: Promise<void> = Promise.resolve();
    const settled = call.then(
      (result) => result,
      (error: unknown) => asTermination(error),
    );
    const turn = this.#tail.then(async () => {
      const result = await settled;
      before();
      caused = this.#absorb(result);
    });
    this.#tail = turn;
    await turn;
    await caused;
  }

  async #absorb(result: SandboxResult): Promise<void> {
    if (this.#ended) return;
    if (result.failures.length > 0) this.#options.onFailures?.(result.failures);
    const refusal = result.injected === null ? null : this.#refusal(result.injected);
    const allowed = refusal === null ? result.injected : refusal.allowed;
    const reason = refusal?.reason ?? result.terminated?.reason ?? null;
    const done: Promise<void>[] = [];
    if (allowed !== null && allowed.length > 0) done.push(this.#options.router.inject(allowed, this.#loop + 1));
    if (reason !== null) done.push(this.#end(reason, refusal !== null));
    await Promise.all(done);
  }

  /** The rows of what it injects that would come back to it: what is injected is signed by nobody. */
  #ownRows(injected: MessageBatch): Uint32Array | null {
    return this.#options.signer === undefined ? this.#options.matcher.select(injected) : NO_ROWS;
  }

  /** Why the router does not take what was injected, and the part that came before that. */
  #refusal(injected: MessageBatch): { readonly reason: string; readonly allowed: MessageBatch | null } | null {
    const { maxMessageLoops } = this.#options;
    if (this.#loop + 1 > maxMessageLoops) {
      return { reason: `inject_message: exceeded max_message_loops of ${maxMessageLoops}`, allowed: null };
    }
    const own = this.#ownRows(injected);
    const first = own === null ? (injected.length > 0 ? 0 : undefined) : own[0];
    if (first === undefined) return null;
    const reason = 'inject_message: the message matches the own message_matcher of the filter (circular reference)';
    return {
      reason,
      allowed:
        first === 0
          ? null
          : takeRows(
              injected,
              Uint32Array.from({ length: first }, (_, row) => row),
            ),
    };
  }

  async #end(reason: string, running: boolean): Promise<void> {
    this.#ended = true;
    if (this.#interval !== null) clearInterval(this.#interval);
    const { sandbox, router, onTerminated } = this.#options;
    if (running) await sandbox.stop();
    onTerminated?.(reason);
    const { hostname, pid } = sandbox.spec;
    const message = sandboxTerminated({ plugin: this.name, reason, hostname, pid, timestamp: nowNs() });
    if (this.#ownRows(message)?.length === 0) await router.inject(message, 0);
  }
}

const NO_ROWS = new Uint32Array(0);

type Step = { readonly rows: Uint32Array | null } | { readonly ns: bigint };

/** Cuts the selected rows of a batch at its ticks. */
function* stepsOf(length: number, selection: Uint32Array | null, ticks: readonly Tick[]): Iterable<Step> {
  if (ticks.length === 0) {
    yield { rows: selection };
    return;
  }
  const rows = selection ?? Uint32Array.from({ length }, (_, row) => row);
  let from = 0;
  for (const tick of ticks) {
    let to = from;
    while (to < rows.length && (rows[to] as number) < tick.row) to++;
    if (to > from) yield { rows: rows.subarray(from, to) };
    yield { ns: tick.ns };
    from = to;
  }
  if (from < rows.length) yield { rows: rows.subarray(from) };
}

function asTermination(error: unknown): SandboxResult {
  const reason = error instanceof Error ? error.message : String(error);
  return { injected: null, origins: null, failures: [], terminated: { reason, row: -1 } };
}
