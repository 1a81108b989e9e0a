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
const MOST = 4;

/** Short messages over the window. Errors stay until someone puts them away. */
export class Toasts {
  list = $state.raw<readonly Toast[]>([]);
  #next = 1;

  show(level: Toast['level'], text: string, action: ToastAction | null = null): void {
    // The same failure again is no news.
    if (this.list.some((toast) => toast.text === text && toast.level === level)) return;
    const toast: Toast = { id: this.#next++, level, text, action };
    this.list = [...this.list, toast].slice(-MOST);
    if (level !== 'error') setTimeout(() => this.dismiss(toast.id), level === 'info' ? INFO_MS : WARNING_MS);
  }

  /** Puts all away but those with which something can be done. */
  clear(): void {
    this.list = this.list.filter(({ action }) => action !== null);
  }

  dismiss(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }
}
