/** Number of batches that a filter or output has held for too long. */
export interface Leak {
  readonly name: string;
  readonly batches: number;
}

export interface LeakWatchOptions {
  /** Returns the filters and outputs that hold any. */
  readonly leaks: () => readonly Leak[];
  readonly tell: (text: string) => void;
}

const INTERVAL_MS = 30_000;

/** Reports every half minute which filters and outputs hold messages for too long. */
export class LeakWatch {
  readonly #options: LeakWatchOptions;
  readonly #timer: NodeJS.Timeout;

  constructor(options: LeakWatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const leaks = this.#options.leaks();
    if (leaks.length === 0) return;
    const total = leaks.reduce((sum, { batches }) => sum + batches, 0);
    const holders = leaks.map(({ name, batches }) => `[${name}] ${batches}`).join(', ');
    this.#options.tell(`${total} batches of messages are held for longer than max_pack_idle: ${holders}`);
  }
}
