import type { MainWindow } from './window.ts';
import type { LaunchRequest } from './arguments.ts';

type GivenPlace = NonNullable<LaunchRequest['at']>;

/** Hands the window a record that someone named when they started the application, or started it again. */
export class GivenRecord {
  readonly #window: Pick<MainWindow, 'send'>;
  #waiting: GivenPlace | null = null;

  constructor(window: Pick<MainWindow, 'send'>) {
    this.#window = window;
  }

  give({ at }: LaunchRequest): void {
    if (at === undefined) return;
    this.#waiting = at;
    this.#window.send('record', at);
  }

  /** The one that no page has asked for yet; null: none. A page asks when it begins to listen. */
  fetch(): GivenPlace | null {
    const at = this.#waiting;
    this.#waiting = null;
    return at;
  }
}
