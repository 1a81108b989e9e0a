import type { NoticeCode } from '../../api/notices.ts';

/** Something that is told: a line of a log, a notice of the window. */
interface Notice {
  /** Its kind; absent: it is told each time. */
  readonly code?: NoticeCode;
  /** The plugin that it is about. */
  readonly subject?: string;
  readonly text: string;
}

/** Notices of a kind that are told at once; as many again when there was none for a minute. */
const BURST = 20;
const WINDOW_MS = 60_000;

/** Kinds that come once for each file, or that scripts throttle themselves, and that are told each time. */
const UNLIMITED: ReadonlySet<NoticeCode> = new Set(['decoder.recognised', 'alert']);

interface Kind<N> {
  since: number;
  told: number;
  untold: number;
  total: number;
  last: N;
  /** Runs while some are untold, and for a minute after that. */
  timer: NodeJS.Timeout | null;
}

/**
 * Tells notices of one kind and plugin, which others can cause for each record, so seldom that they cannot fill a log: the first twenty, then once a
 * minute how many more there were, with the last of them, and at the end the sum.
 */
export class RareNotices<N extends Notice> {
  readonly #tell: (notice: N) => void;
  readonly #kinds = new Map<string, Kind<N>>();

  constructor(tell: (notice: N) => void) {
    this.#tell = tell;
  }

  /** Tells a notice, or counts it when many of its kind were told just now. */
  tell(notice: N): void {
    if (notice.code === undefined || UNLIMITED.has(notice.code)) return this.#tell(notice);
    const kind = this.#kindOf(notice);
    kind.total++;
    if (kind.told < BURST) {
      kind.told++;
      return this.#tell(notice);
    }
    kind.untold++;
    kind.last = notice;
    kind.timer ??= this.#startTimer(kind, kind.since + WINDOW_MS - performance.now());
  }

  /** Tells what was only counted. */
  close(): void {
    for (const kind of this.#kinds.values()) {
      if (kind.timer === null) continue;
      clearTimeout(kind.timer);
      this.#sum(kind, 'until the end');
    }
    this.#kinds.clear();
  }

  #kindOf(notice: N): Kind<N> {
    const key = `${notice.code}\0${notice.subject ?? ''}`;
    const now = performance.now();
    const known = this.#kinds.get(key);
    if (known !== undefined && (known.timer !== null || now - known.since < WINDOW_MS)) return known;
    const kind = { since: now, told: 0, untold: 0, total: 0, last: notice, timer: null };
    this.#kinds.set(key, kind);
    return kind;
  }

  #startTimer(kind: Kind<N>, ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#minuteOver(kind), ms).unref();
  }

  #minuteOver(kind: Kind<N>): void {
    // While the flood goes on there is one line a minute; after a minute without any it is a new one.
    kind.timer = kind.untold === 0 ? null : this.#startTimer(kind, WINDOW_MS);
    kind.since = kind.timer === null ? -Infinity : performance.now();
    this.#sum(kind, 'in the last minute');
  }

  #sum(kind: Kind<N>, when: string): void {
    const { untold, total, last } = kind;
    if (untold === 0) return;
    kind.untold = 0;
    const sum = `… ${number(untold)} more like this ${when}, ${number(total)} in all, the last one: `;
    this.#tell({ ...last, text: sum + last.text });
  }
}

const number = (value: number): string => value.toLocaleString('en-US');
