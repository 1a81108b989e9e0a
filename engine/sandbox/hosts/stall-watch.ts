import type { Stall } from '../contract/types.ts';

/** A sandbox as the watch sees it. */
export interface Watched {
  /** Messages that it has processed, those of the call that is under way included. */
  readonly processed: number;
  /** Messages of its calls that are not processed. */
  readonly waiting: number;
  /** Start of the call that its host serves now, on the clock of the looks; null: its host serves another sandbox, or none. */
  readonly since: number | null;
}

export interface StallNews {
  /** A sandbox holds up what is in front of it. */
  begun(stall: Stall): void;
  /** It does no more. @param seconds how long it did */
  over(seconds: number): void;
}

/** A sandbox that has this many messages processed in the time is slow at most in one call. */
const MOVES = 10;
/** One whose calls were short for so many times the limit holds nothing up any more. */
const CALM = 2;

/**
 * Watches one sandbox: it holds the pipeline up when a call takes longer than the limit, or when messages wait all the time and it has not got through
 * ten of them in that time. One that is busy with many messages in short calls is none. Times are those of a `WorkClock`.
 */
export class StallWatch {
  readonly #limitMs: number;
  readonly #news: StallNews;
  /** Time and count at which it last had got on. */
  #at = 0;
  #processed = 0;
  #begunAt: number | null = null;
  #seenAt = 0;

  constructor(limitMs: number, news: StallNews) {
    this.#limitMs = limitMs;
    this.#news = news;
  }

  /** Looks at the sandbox. Returns how it stalls now; null: it does not. */
  look(now: number, { processed, waiting, since }: Watched): Stall | null {
    if (since === null || waiting === 0 || this.#at === 0) this.#gotOn(now, processed);
    const stall = since === null ? null : this.#stallAt(now, processed, waiting, since);
    if (processed - this.#processed >= MOVES) this.#gotOn(now, processed);
    if (stall !== null) {
      this.#seenAt = now;
      if (this.#begunAt === null) this.#news.begun(stall);
      this.#begunAt ??= now - stall.ms;
    } else if (this.#begunAt !== null && (waiting === 0 || now - this.#seenAt > CALM * this.#limitMs)) {
      this.#news.over(Math.round((now - this.#begunAt) / 1000));
      this.#begunAt = null;
    }
    return this.#begunAt === null ? null : (stall ?? { ms: now - this.#begunAt, messageMs: null, waiting });
  }

  #gotOn(now: number, processed: number): void {
    this.#at = now;
    this.#processed = processed;
  }

  #stallAt(now: number, processed: number, waiting: number, since: number): Stall | null {
    const moved = processed - this.#processed;
    const ms = moved >= MOVES ? now - since : Math.max(now - since, now - this.#at);
    if (ms <= this.#limitMs) return null;
    return { ms, messageMs: moved === 0 ? null : (now - this.#at) / moved, waiting };
  }
}
