import { NotificationRate } from './notification-rate.ts';
import type { MainWindow } from './window.ts';

/** The notifications of the desktop. */
export interface Desktop {
  isSupported(): boolean;
  show(title: string, body: string, onClick: () => void): void;
}

/** Shows alerts on the desktop while the window has no focus; a click brings the window to the front, with the alert. */
export class Notifier {
  readonly #window: Pick<MainWindow, 'hasFocus' | 'focus' | 'send'>;
  readonly #desktop: Desktop;
  readonly #rate: NotificationRate;

  constructor(window: Pick<MainWindow, 'hasFocus' | 'focus' | 'send'>, desktop: Desktop, rate = new NotificationRate()) {
    this.#window = window;
    this.#desktop = desktop;
    this.#rate = rate;
  }

  /** @param alert its number in the window */
  show(title: string, text: string, alert: number): void {
    if (!this.#desktop.isSupported() || this.#window.hasFocus) return;
    const held = this.#rate.take();
    if (held === null) return;
    this.#desktop.show(title, held === 0 ? text : `${text}\n(and ${held} more before)`, () => {
      this.#window.focus();
      this.#window.send('alert', { id: alert });
    });
  }
}
