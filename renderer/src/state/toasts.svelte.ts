export interface Toast {
  readonly id: number;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  /** An action that answers the toast with one click; null: none. */
  readonly action: ToastAction | null;
}

export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

const INFO_MS = 6000;
const WARNING_MS = 12_000;
const ERROR_MS = 20_000;
const STAYS = { info: INFO_MS, warning: WARNING_MS, error: ERROR_MS } as const;
const MOST = 3;

/** Short messages over the window. All go away but those with an action; warnings and errors are among the alerts, too. */
export class Toasts {
  list = $state.raw<readonly Toast[]>([]);
  #next = 1;
  #held = false;
  readonly #overdue: Toast[] = [];
  readonly #isShaded: () => boolean;

  /** @param isShaded whether a dialog lies over them: none goes away meanwhile */
  constructor(isShaded: () => boolean = () => false) {
    this.#isShaded = isShaded;
  }

  show(level: Toast['level'], text: string, action: ToastAction | null = null): void {
    // The same failure again is no news.
    if (this.list.some((toast) => toast.text === text && toast.level === level)) return;
    const toast: Toast = { id: this.#next++, level, text, action };
    const list = [...this.list, toast];
    // The oldest gives way: one with which nothing can be done, if there is one besides this.
    const gone = list.find((one) => one.action === null && one !== toast) ?? list[0];
    this.list = list.length > MOST ? list.filter((one) => one !== gone) : list;
    if (action === null) this.#leave(toast);
  }

  /** Someone is at them: none goes away. */
  hold(held: boolean): void {
    this.#held = held;
    if (!held) for (const toast of this.#overdue.splice(0)) this.#leave(toast);
  }

  #leave(toast: Toast): void {
    setTimeout(() => {
      if (this.#held) this.#overdue.push(toast);
      else if (this.#isShaded()) this.#leave(toast);
      else this.dismiss(toast.id);
    }, STAYS[toast.level]);
  }

  /** Puts all away but those with which something can be done. */
  clear(): void {
    this.list = this.list.filter(({ action }) => action !== null);
  }

  dismiss(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }
}
