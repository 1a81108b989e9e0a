import { visibleText } from '../../engine/api/printable.ts';
import { NotificationRate } from './notification-rate.ts';
import type { MainWindow } from './window.ts';

/** The notifications of the desktop. */
export interface Desktop {
  /** Whether it shows notifications at all, and answers when it is asked to. */
  answers(): Promise<boolean>;
  /** Returns what must be kept for as long as a click is to be heard. */
  show(title: string, body: string, onClick: () => void): object;
}

/** Notifications whose clicks are heard: more than a desktop lists. */
const MOST_KEPT = 100;

interface Waiting {
  readonly title: string;
  readonly text: string;
  /** Its number in the window. */
  readonly alert: number;
  /** Number of alerts that this one takes the place of. */
  readonly before: number;
}

/** Shows alerts on the desktop while the window has no focus; a click brings the window to the front, with the alert. Of those that come too soon, the last one is shown when its time has come, and tells the number of the others. */
export class Notifier {
  readonly #window: Pick<MainWindow, 'hasFocus' | 'focus' | 'send'>;
  readonly #desktop: Desktop;
  readonly #rate: NotificationRate;
  /** Whether the window knows that the desktop does not answer. */
  #told = false;
  #waiting: Waiting | null = null;
  #kept: readonly object[] = [];

  constructor(window: Pick<MainWindow, 'hasFocus' | 'focus' | 'send'>, desktop: Desktop, rate = new NotificationRate()) {
    this.#window = window;
    this.#desktop = desktop;
    this.#rate = rate;
  }

  /** @param alert its number in the window */
  show(title: string, text: string, alert: number): void {
    if (this.#window.hasFocus) return;
    const timed = this.#waiting !== null;
    this.#waiting = { title, text, alert, before: this.#waiting === null ? 0 : this.#waiting.before + 1 };
    if (timed) return;
    const wait = this.#rate.wait();
    if (wait === 0) void this.#showWaiting();
    else setTimeout(() => void this.#showWaiting(), wait);
  }

  async #showWaiting(): Promise<void> {
    const answers = await this.#desktop.answers();
    const waiting = this.#waiting;
    this.#waiting = null;
    if (!answers) this.#tell();
    if (!answers || waiting === null || this.#window.hasFocus) return;
    this.#told = false;
    const { title, text, alert, before } = waiting;
    this.#rate.shown();
    const shown = this.#desktop.show(title, visibleText(before === 0 ? text : `${text}\n(and ${before} more before)`), () => {
      this.#window.focus();
      this.#window.send('alert', { id: alert });
    });
    this.#kept = [...this.#kept.slice(1 - MOST_KEPT), shown];
  }

  /** Tells the window, once, that alerts are shown nowhere else. */
  #tell(): void {
    this.#rate.shown();
    if (!this.#told) this.#window.send('desktopSilent', {});
    this.#told = true;
  }
}
