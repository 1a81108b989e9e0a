import type { Notice } from './types.ts';

/** Notices that are kept for a window that opens later. */
const MAX_KEPT = 500;
/** The same notice is not said again within this time. */
const REPEAT_MS = 10_000;

/** What the user should know, newest last. */
export class NoticeBoard {
  readonly #onNotice: (notice: Notice) => void;
  #notices: Notice[] = [];
  #nextId = 1;
  readonly #lastSaid = new Map<string, number>();

  constructor(onNotice: (notice: Notice) => void) {
    this.#onNotice = onNotice;
  }

  list(): Notice[] {
    return [...this.#notices];
  }

  say(level: Notice['level'], code: string, text: string): void {
    const at = Date.now();
    const key = `${code}\u0000${text}`;
    if (at - (this.#lastSaid.get(key) ?? -Infinity) < REPEAT_MS) return;
    if (this.#lastSaid.size > MAX_KEPT) this.#lastSaid.clear();
    this.#lastSaid.set(key, at);
    const notice = { id: this.#nextId++, at, level, code, text };
    this.#notices = [...this.#notices.slice(1 - MAX_KEPT), notice];
    this.#onNotice(notice);
  }
}
