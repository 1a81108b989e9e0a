import type { TrialReply, TrialRequest } from '../../../../../engine/api/types.ts';
import { errorText, type Client } from '../../../lib/api.ts';

const TYPING_MS = 400;

/** Tries a script while it is edited: one trial at a time, the last request wins. */
export class Trial {
  reply = $state.raw<TrialReply | null>(null);
  /** The reason why it could not be tried. */
  refused = $state.raw<string | null>(null);
  busy = $state(false);
  readonly #client: Client;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #next: TrialRequest | null = null;
  /** The last request as text, to find out whether the next one is the same: each reply makes new objects of the same settings. */
  #wanted = '';
  #closed = false;

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Tries it after a pause in typing, unless the same was wanted before.
   * @param available records that the source has for it: with more of them it is tried again
   */
  want(request: TrialRequest, available: number): void {
    const wanted = JSON.stringify([request, available]);
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    this.#next = request;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), TYPING_MS);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    while (this.#next !== null && !this.#closed) {
      const request = this.#next;
      this.#next = null;
      try {
        this.reply = await this.#client.request('script.try', request);
        this.refused = null;
      } catch (error) {
        this.refused = errorText(error);
      }
    }
    this.busy = false;
  }
}
