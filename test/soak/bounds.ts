import { HTTP_SHARE } from './configuration.ts';
import type { OutputName } from './soak.ts';

/** Of a record and its line end. */
const MEAN_BYTES = 95;
/** An input hands over batches of at most half a MiB, up to eight of which may be on their way into the disk buffers. */
const MOST_UNDER_WAY = (8 * (512 << 10)) / MEAN_BYTES;
/** An output notes after `cursor_update_count` messages and one more what it has delivered, and may be one such portion ahead. */
const PORTIONS: Readonly<Record<OutputName, number>> = { file: 0, tcp: 2 * 51, http: 2 * 2 };
/** Bytes that a TCP output sends again after a reset at most. */
const RESENT_BYTES = 8 << 20;

/** MB a minute by which a service may seem to grow in twenty minutes: a line through a heap that is collected now and then is never quite level. */
export const MOST_GROWTH = { engine: 1.5, hosts: 0.5 };

/**
 * How many records may come again, by output: it adds up what each kill and each failure of a target allows (docs/architecture.md, "Disk buffers and
 * deliveries"), by what was under way at that moment.
 */
export class Bounds {
  readonly #allowed: Record<OutputName, number> = { file: 0, tcp: 0, http: 0 };

  get allowed(): Readonly<Record<OutputName, number>> {
    return { ...this.#allowed };
  }

  /**
   * The engine was killed. A host may be killed for nothing.
   * @param unacknowledged records that stand in the logs behind the checkpoint of the input
   * @param unsent records that the TCP output had in its file to be sent again
   */
  engineKilled(unacknowledged: number, unsent: number): void {
    const readAgain = Math.min(MOST_UNDER_WAY, unacknowledged);
    this.#allowed.file += readAgain + PORTIONS.file;
    this.#allowed.tcp += readAgain + PORTIONS.tcp + unsent;
    // Every tenth record of each log.
    this.#allowed.http += readAgain / HTTP_SHARE + 2 + PORTIONS.http;
  }

  /** The TCP server has reset a connection over which it had read so many records lately. */
  reset(recent: number): void {
    this.#allowed.tcp += Math.min(recent, RESENT_BYTES / MEAN_BYTES);
  }

  /** The HTTP server has taken a record, and its sender may not know it. */
  unanswered(): void {
    this.#allowed.http++;
  }
}
