import { PageCache } from './page-cache.ts';

const PAGE_ROWS = 100;
const PAGES_KEPT = 60;
const AT_ONCE = 2;

export interface Fetched<T> {
  readonly total: number;
  readonly start: number;
  readonly rows: readonly T[];
}

interface FeedOptions<T> {
  readonly fetch: (start: number, count: number) => Promise<Fetched<T>>;
  /** Rows arrived: the visible rows can be read again. */
  readonly arrived: (total: number) => void;
  readonly failed: (error: unknown) => void;
}

const NO_WISH = { first: 0, end: 0, total: 0, around: true };

/**
 * Fetches the visible rows. Only the newest range counts: while someone drags through a hundred million rows, rows that were passed before
 * they were requested are never requested.
 */
export class RowFeed<T> {
  readonly #options: FeedOptions<T>;
  readonly #cache = new PageCache<T>(PAGE_ROWS, PAGES_KEPT);
  readonly #underWay = new Set<number>();
  #wish = NO_WISH;
  #version = 0;
  #list = 0;

  constructor(options: FeedOptions<T>) {
    this.#options = options;
  }

  /**
   * The rows from `first` to `end`, exclusive, or null; in both cases absent or stale ones are fetched, and a page around them.
   * @param around false: without that page, for rows that follow the end are other ones soon
   */
  want(first: number, end: number, total: number, around = true): T[] | null {
    this.#wish = { first, end, total, around };
    this.#fetchNext();
    return this.#cache.slice(first, end);
  }

  /** One row, if it is cached. */
  get(row: number): T | undefined {
    return this.#cache.get(row);
  }

  /** Says that rows may have changed: the old ones are shown until new ones come. */
  invalidate(): void {
    this.#version++;
    this.#fetchNext();
  }

  /** Says that the list is another one: rows of the old one must not be shown. */
  reset(): void {
    this.#version++;
    this.#list++;
    this.#cache.clear();
    this.#underWay.clear();
    this.#wish = NO_WISH;
  }

  /** Missing pages: those with visible rows first, then one on each side. */
  #pagesByNeed(): number[] {
    const { first, end, total, around: wanted } = this.#wish;
    const seen = this.#cache.missing(first, end, total, this.#version);
    if (!wanted) return seen;
    const around = this.#cache.missing(Math.max(0, first - PAGE_ROWS), Math.min(total, end + PAGE_ROWS), total, this.#version);
    return [...seen, ...around.filter((page) => !seen.includes(page))];
  }

  #fetchNext(): void {
    for (const page of this.#pagesByNeed()) {
      if (this.#underWay.size >= AT_ONCE) return;
      if (!this.#underWay.has(page)) void this.#fetch(page);
    }
  }

  async #fetch(page: number): Promise<void> {
    const version = this.#version;
    const list = this.#list;
    this.#underWay.add(page);
    try {
      const reply = await this.#options.fetch(page * PAGE_ROWS, PAGE_ROWS);
      if (list !== this.#list) return;
      this.#underWay.delete(page);
      this.#cache.put(page, reply.rows, version, reply.total);
      this.#options.arrived(reply.total);
      this.#fetchNext();
    } catch (error) {
      if (list !== this.#list) return;
      this.#underWay.delete(page);
      this.#options.failed(error);
    }
  }
}
