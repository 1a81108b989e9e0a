import type { InputNotice } from './types.ts';

/** So many notices of a kind are told at once; of those that follow, only the number. */
const BURST = 20;
const WINDOW_MS = 10_000;

interface Kind {
  since: number;
  told: number;
  untold: number;
}

/** Tells notices that others can cause, such as clients that are refused, so seldom that they cannot fill the log. */
export class RareNotices {
  readonly #tell: (notice: InputNotice) => void;
  readonly #kinds = new Map<string, Kind>();

  constructor(tell: (notice: InputNotice) => void) {
    this.#tell = tell;
  }

  /** Tells a notice, or counts it when many of its code were told just now. */
  tell(notice: InputNotice): void {
    const now = performance.now();
    let kind = this.#kinds.get(notice.code);
    if (kind === undefined || now - kind.since > WINDOW_MS) {
      kind = { since: now, told: 0, untold: kind?.untold ?? 0 };
      this.#kinds.set(notice.code, kind);
    }
    if (kind.told === BURST) {
      kind.untold++;
      return;
    }
    kind.told++;
    const more = kind.untold === 0 ? '' : ` ${kind.untold} others like this were not told.`;
    kind.untold = 0;
    this.#tell({ ...notice, text: notice.text + more });
  }
}
