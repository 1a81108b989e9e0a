import { Backoff, type BackoffOptions } from '../base/time/backoff.ts';
import { messageOf } from '../base/errors.ts';
import type { ListenAddress } from '../inputs/net/address.ts';
import type { Input, InputNotice, InputSink, InputStats } from '../inputs/types.ts';

/** An input that listens on a port and can be started again when that failed. */
export interface Listener extends Input {
  /** Address it listens on; null when it does not. */
  address(): ListenAddress | null;
}

export const isListener = (input: Input): input is Listener => 'address' in input;

/** Restarts a listener whose port cannot be opened, with growing waits. */
export class RetriedListener implements Input {
  readonly name: string;
  readonly #listener: Listener;
  readonly #backoff: Backoff;
  readonly #onGivenUp: (reason: string) => void;
  #timer: NodeJS.Timeout | null = null;
  #starting: Promise<void> = Promise.resolve();
  #stopped = false;
  #problem = '';

  /** @param onGivenUp called with the reason after the last attempt */
  constructor(listener: Listener, retries: BackoffOptions, onGivenUp: (reason: string) => void) {
    this.name = listener.name;
    this.#listener = listener;
    this.#backoff = new Backoff(retries);
    this.#onGivenUp = onGivenUp;
  }

  async start(sink: InputSink): Promise<void> {
    this.#starting = this.#attempt(sink);
    await this.#starting;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#starting;
    await this.#listener.stop();
  }

  stats(): InputStats {
    return this.#listener.stats();
  }

  figures(): Readonly<Record<string, number>> {
    return this.#listener.figures?.() ?? {};
  }

  get problem(): string | null {
    return this.#listener.address() === null ? this.#problem || 'It does not listen.' : null;
  }

  async #attempt(sink: InputSink): Promise<void> {
    await this.#listener.start({
      deliver: (batch) => sink.deliver(batch),
      idle: () => sink.idle(),
      ended: (stream) => sink.ended?.(stream),
      notice: (notice) => this.#notice(notice, sink),
    });
    if (this.#stopped) return;
    if (this.#listener.address() !== null) {
      if (this.#problem !== '') sink.notice({ level: 'info', code: 'port.open', text: `Input ${this.name} listens now.` });
      this.#problem = '';
      this.#backoff.reset();
      return;
    }
    const wait = this.#backoff.next();
    if (wait === null) this.#giveUp(this.#problem, sink);
    else this.#timer = setTimeout(() => this.#retry(sink), wait);
  }

  #retry(sink: InputSink): void {
    this.#starting = this.#attempt(sink).catch((error: unknown) => this.#giveUp(messageOf(error), sink));
  }

  /** Nothing comes any more: it is idle for good. */
  #giveUp(reason: string, sink: InputSink): void {
    this.#onGivenUp(reason);
    sink.idle();
  }

  /** Passes notices on, but reports a port that stays closed only once. */
  #notice(notice: InputNotice, sink: InputSink): void {
    if (notice.level === 'error' && this.#listener.address() === null) {
      if (notice.text === this.#problem) return;
      this.#problem = notice.text;
    }
    sink.notice(notice);
  }
}
