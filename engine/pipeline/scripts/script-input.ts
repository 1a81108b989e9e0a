import type { End } from '../../api/ends.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { Backoff, type BackoffOptions } from '../../base/time/backoff.ts';
import { messageOf } from '../../base/errors.ts';
import type { Input, InputSink, InputStats } from '../../inputs/types.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { encodedBytes } from '../../message/protobuf/message-size.ts';
import { endOf } from '../../sandbox/contract/errors.ts';
import type { InputSandbox, InputStatus, SandboxReport } from '../../sandbox/contract/types.ts';
import type { SourceFeed } from './source-feed.ts';
import { TickSchedule } from './tick-schedule.ts';

export interface ScriptInputOptions {
  readonly sandbox: InputSandbox;
  /** Source that the script reads from. */
  readonly source?: SourceFeed | undefined;
  /** Whole seconds between two calls of process_message; 0: it is called once. */
  readonly tickerInterval: number;
  /** Retries and restart function for a script that has failed. Absent: it is not started again. */
  readonly restart?: { readonly retries: BackoffOptions; readonly start: () => Promise<InputSandbox> } | undefined;
  /** process_message refused to work this time. */
  readonly onFailure: (reason: string) => void;
  /** It has failed and is started again. @param wait milliseconds until then */
  readonly onRestart: (end: End, wait: number) => void;
  /** It has ended by itself. @param end null: as it was meant to, after its only call */
  readonly onEnd: (end: End | null) => void;
}

/** Time that `stop` waits for acknowledgements. */
const ACKNOWLEDGE_MS = 1000;

/**
 * Makes an input of a script: process_message is called at once, and again at each tick. It waits while the pipeline does not take what
 * it injects. Its state is kept only after all that it injected has been through, so that a restart repeats messages rather than losing them.
 */
export class ScriptInput implements Input {
  readonly name: string;
  readonly #options: ScriptInputOptions;
  readonly #ticks: TickSchedule | null;
  readonly #backoff: Backoff | null;
  readonly #stop = new AbortController();
  #sandbox: InputSandbox;
  #loop: Promise<void> = Promise.resolve();
  #bytes = 0;
  #records = 0;
  #outstanding = 0;
  #through = Promise.withResolvers<void>();

  constructor(options: ScriptInputOptions) {
    this.name = options.sandbox.spec.name;
    this.#options = options;
    this.#sandbox = options.sandbox;
    this.#ticks = options.tickerInterval > 0 ? new TickSchedule(options.tickerInterval * 1000) : null;
    this.#backoff = options.restart === undefined ? null : new Backoff(options.restart.retries);
  }

  async start(sink: InputSink): Promise<void> {
    const deliver = (batch: MessageBatch, through: () => void): Promise<void> => this.#deliver(batch, sink, through);
    await this.#options.source?.start(sink, deliver, () => sink.idle());
    this.#ticks?.start();
    this.#loop = this.#run(sink);
  }

  /** A call that is under way is interrupted. Between two calls, what was injected is first let through, so that the state is not ahead of it. */
  async stop(): Promise<void> {
    const waiting = this.#ticks?.waiting === true;
    this.#stop.abort();
    this.#ticks?.stop();
    if (waiting && this.#outstanding > 0) await Promise.race([this.#through.promise, delay(ACKNOWLEDGE_MS, null, { ref: false })]);
    const { source } = this.#options;
    await Promise.all([this.#sandbox.stop(), source?.close()]);
    await this.#loop;
    await source?.stop();
  }

  stats(): InputStats {
    return { bytes: this.#bytes, records: this.#records, dropped: this.#options.source?.dropped ?? 0, totalBytes: this.#bytes };
  }

  /** Figures of its source. */
  figures(): Readonly<Record<string, number>> {
    return this.#options.source?.figures() ?? {};
  }

  get problem(): string | null {
    return this.#options.source?.problem ?? null;
  }

  /** Returns the report of the script's sandbox. */
  report(): Promise<SandboxReport> {
    return this.#sandbox.report();
  }

  get #stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  async #run(sink: InputSink): Promise<void> {
    for (;;) {
      const failure = await this.#call(sink);
      if (this.#stopping) return;
      if (failure === null) {
        this.#backoff?.reset();
        sink.idle();
        if (this.#ticks === null) return this.#options.onEnd(null);
        await this.#ticks.next();
      } else if (!(await this.#startAgain(failure))) {
        await this.#options.source?.abandon();
        sink.idle();
        return this.#options.onEnd(failure);
      }
      if (this.#stopping) return;
    }
  }

  /** Calls process_message once. Returns its end; null: it goes on. */
  async #call(sink: InputSink): Promise<End | null> {
    const { source } = this.#options;
    const sandbox = this.#sandbox;
    const take = (batch: MessageBatch): Promise<void> => (source === undefined ? this.#deliver(batch, sink) : source.take(batch));
    const end = await sandbox.run(take, source).catch((error: unknown) => ({ ...endOf(error), reason: messageOf(error), row: -1 }));
    if ('reason' in end) return end;
    if (end.code > 0) return statusEnd(end);
    const { preservation = '' } = sandbox.spec;
    await source?.finish(async () => sandbox.save?.(preservation));
    if (end.code < 0) this.#options.onFailure(end.text);
    return null;
  }

  /** Starts the script again, as often as it takes and is allowed; false: it stays ended. */
  async #startAgain(failure: End): Promise<boolean> {
    const { restart, onRestart } = this.#options;
    let end = failure;
    for (let wait = this.#backoff?.next() ?? null; wait !== null && restart !== undefined; wait = this.#backoff?.next() ?? null) {
      onRestart(end, wait);
      await delay(wait, null, { signal: this.#stop.signal }).catch(() => undefined);
      if (this.#stopping) return true;
      this.#options.source?.rewind();
      try {
        const successor = await restart.start();
        this.#sandbox = successor;
        if (this.#stopping) await successor.stop();
        return true;
      } catch (error) {
        end = { ...endOf(error), reason: messageOf(error) };
      }
    }
    return false;
  }

  /** @param through called when it has been through */
  async #deliver(batch: MessageBatch, sink: InputSink, through: () => void = () => undefined): Promise<void> {
    this.#records += batch.length;
    this.#bytes += encodedBytes(batch);
    if (this.#outstanding++ === 0) this.#through = Promise.withResolvers();
    await sink.deliver({ batch, firstLine: 0, acknowledge: () => this.#acknowledged(through) });
  }

  #acknowledged(through: () => void): void {
    this.#outstanding--;
    through();
    if (this.#outstanding > 0) return;
    this.#through.resolve();
    if (this.#ticks?.waiting === true && !this.#stopping) this.#sandbox.checkpoint();
  }
}

const statusEnd = ({ code, text }: InputStatus): End => ({
  code: 'script.status',
  reason: text || `process_message() returned ${code}`,
  said: text === '' ? undefined : text,
});
