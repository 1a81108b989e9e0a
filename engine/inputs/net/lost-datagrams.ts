import type { InputNotice } from '../types.ts';

/** Least time between two notices about lost datagrams. */
const TELL_MS = 30_000;

export interface Losses {
  /** Datagrams that the system dropped because its buffer for the socket was full. */
  readonly kernel: number;
  /** Datagrams that found no room in the input's queue, or were left in it at the end. */
  readonly queue: number;
}

/** Tells of lost datagrams: now and then while it runs, and the rest at the end. */
export class LostDatagrams {
  readonly #name: string;
  readonly #receiveBytes: number;
  readonly #notice: (notice: InputNotice) => void;
  #told: Losses = { kernel: 0, queue: 0 };
  #toldAt = -Infinity;

  /**
   * @param name of the input
   * @param receiveBytes size of the system's buffer
   */
  constructor(name: string, receiveBytes: number, notice: (notice: InputNotice) => void) {
    this.#name = name;
    this.#receiveBytes = receiveBytes;
    this.#notice = notice;
  }

  /** Takes the losses since the start, and tells those that are new when it is time for that. */
  update(losses: Losses): void {
    if (performance.now() - this.#toldAt >= TELL_MS) this.#tell(losses);
  }

  /** Takes the losses of the whole run, and tells those that are new and the sum. */
  end(losses: Losses): void {
    this.#tell(losses, this.#toldAt > -Infinity);
  }

  #tell(losses: Losses, withSum = false): void {
    const kernel = losses.kernel - this.#told.kernel;
    const queue = losses.queue - this.#told.queue;
    if (kernel + queue === 0) return;
    this.#told = losses;
    this.#toldAt = performance.now();
    const sum = withSum ? ` (${losses.kernel + losses.queue} in all)` : '';
    const text = `Input ${this.#name} lost ${kernel + queue} datagrams${sum}: ${this.#causes(kernel, queue).join('; ')}.`;
    this.#notice({ level: 'warning', code: 'datagrams.dropped', text });
  }

  #causes(kernel: number, queue: number): string[] {
    const causes: string[] = [];
    if (kernel > 0) {
      const buffer = `whose buffer of ${this.#receiveBytes} bytes was full`;
      causes.push(`${kernel} in the system, ${buffer} (raise its limit; Linux: net.core.rmem_max)`);
    }
    if (queue > 0)
      causes.push(`${queue} here, since more came than could be worked on (raise queue_size for bursts, or send over TCP, which waits)`);
    return causes;
  }
}
