export interface Toast {
  readonly id: number;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

const INFO_MS = 6000;
const WARNING_MS = 12_000;
const MOST = 4;

/** Short messages over the window. Errors stay until someone puts them away. */
export class Toasts {
  list = $state.raw<readonly Toast[]>([]);
  #next = 1;

  show(level: Toast['level'], text: string): void {
    // The same failure again is no news.
    if (this.list.some((toast) => toast.text === text && toast.level === level)) return;
    const toast: Toast = { id: this.#next++, level, text };
    this.list = [...this.list, toast].slice(-MOST);
    if (level !== 'error') setTimeout(() => this.dismiss(toast.id), level === 'info' ? INFO_MS : WARNING_MS);
  }

  dismiss(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }
}
