import { Notification } from 'electron';
import { NotificationRate } from './notification-rate.ts';
import type { MainWindow } from './window.ts';

/** Shows desktop notifications while the window has no focus; a click brings it to the front, with its alerts. */
export class Notifier {
  readonly #window: MainWindow;
  readonly #rate = new NotificationRate();

  constructor(window: MainWindow) {
    this.#window = window;
  }

  show(title: string, text: string): void {
    if (!Notification.isSupported() || this.#window.browserWindow?.isFocused() === true) return;
    const held = this.#rate.take();
    if (held === null) return;
    const body = held === 0 ? text : `${text}\n(and ${held} more before)`;
    const notification = new Notification({ title, body });
    notification.on('click', () => {
      this.#window.focus();
      this.#window.send('command', { id: 'view.alerts' });
    });
    notification.show();
  }
}
