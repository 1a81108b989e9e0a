import { Backoff, type BackoffOptions } from '../base/time/backoff.ts';
import { messageOf } from '../base/errors.ts';
import type { EndingInput, Input, InputEnd, InputNotice, InputSink, InputStats } from '../inputs/types.ts';

export const isEnding = (input: Input): input is EndingInput => 'ended' in input;

/** Makes the notice that an input failed and is started again after a wait in milliseconds. */
export function restartNotice(name: string, reason: string, wait: number): InputNotice {
  return { level: 'warning', code: 'input.restarted', text: `[${name}] ${reason} It is started again in ${Math.ceil(wait)} ms.` };
}

export interface RestartHooks {
  /** Called when it failed and is started again after a wait in milliseconds. */
  onRestart(reason: string, wait: number): void;
  /** Called when it has ended for good. @param reason of the failure; null: it ended normally */
  onEnd(reason: string | null): void;
}

/** Restarts an input after a failure, with growing waits. One that ended normally stays ended. */
export class RestartedInput implements Input {
  readonly name: string;
  readonly #input: EndingInput;
  readonly #retries: BackoffOptions;
  readonly #backoff: Backoff;
  readonly #hooks: RestartHooks;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;
  #startedAt = 0;
  /** The reason of a failure, until it is started again. */
  #failure: string | null = null;

  constructor(input: EndingInput, retries: BackoffOptions, hooks: RestartHooks) {
    this.name = input.name;
    this.#input = input;
    this.#retries = retries;
    this.#backoff = new Backoff(retries);
    this.#hooks = hooks;
  }

  async start(sink: InputSink): Promise<void> {
    this.#startedAt = performance.now();
    this.#failure = null;
    await this.#input.start(sink);
    void this.#input.ended.then((end) => this.#ended(end, sink));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#input.stop();
  }

  async settle(): Promise<void> {
    await this.#input.settle?.();
  }

  stats(): InputStats {
    return this.#input.stats();
  }

  figures(): Readonly<Record<string, number>> {
    return this.#input.figures?.() ?? {};
  }

  get problem(): string | null {
    return this.#failure;
  }

  #ended({ reason }: InputEnd, sink: InputSink): void {
    if (this.#stopped) return;
    if (reason === null) {
      this.#hooks.onEnd(null);
      return;
    }
    this.#failure = reason;
    // A run longer than the longest wait counts as a success.
    if (performance.now() - this.#startedAt > this.#retries.max_delay) this.#backoff.reset();
    const wait = this.#backoff.next();
    if (wait === null) {
      this.#fail(reason, sink);
      return;
    }
    this.#hooks.onRestart(reason, wait);
    this.#timer = setTimeout(() => void this.start(sink).catch((error: unknown) => this.#fail(messageOf(error), sink)), wait);
  }

  /** Nothing comes any more: it is idle for good. */
  #fail(reason: string, sink: InputSink): void {
    this.#failure = reason;
    this.#hooks.onEnd(reason);
    sink.idle();
  }
}
