interface Page<T> {
  readonly rows: readonly T[];
  readonly version: number;
  /** Rows that the list had when the page was read. */
  readonly total: number;
}

/**
 * Rows of a long list in pages of equal size; the least recently used page is dropped first. A page of an older version is stale: it is
 * still shown, and requested again.
 */
export class PageCache<T> {
  readonly pageSize: number;
  readonly #capacity: number;
  readonly #pages = new Map<number, Page<T>>();

  /** @param capacity pages that are kept */
  constructor(pageSize: number, capacity: number) {
    this.pageSize = pageSize;
    this.#capacity = capacity;
  }

  /** Keeps the rows that begin at a page's first row. */
  put(page: number, rows: readonly T[], version: number, total: number): void {
    this.#pages.delete(page);
    this.#pages.set(page, { rows, version, total });
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= this.#capacity) break;
      this.#pages.delete(oldest);
    }
  }

  /** The rows from `first` to `end`, exclusive; null when any of them is not there. */
  slice(first: number, end: number): T[] | null {
    const found: T[] = [];
    for (let row = first; row < end; row++) {
      const value = this.get(row);
      if (value === undefined) return null;
      found.push(value);
    }
    return found;
  }

  /** One row, undefined when it is not there. Its page counts as used. */
  get(row: number): T | undefined {
    const number = Math.floor(row / this.pageSize);
    const page = this.#pages.get(number);
    if (page === undefined) return undefined;
    this.#pages.delete(number);
    this.#pages.set(number, page);
    return page.rows[row - number * this.pageSize];
  }

  /** Pages from `first` to `end`, exclusive, that are absent, stale, or shorter than they can be since the list grew. */
  missing(first: number, end: number, total: number, version: number): number[] {
    const wanted: number[] = [];
    for (let page = Math.floor(first / this.pageSize); page * this.pageSize < end; page++) {
      const known = this.#pages.get(page);
      const full = Math.min(this.pageSize, total - page * this.pageSize);
      const grew = known !== undefined && known.rows.length < full && total > known.total;
      if (known === undefined || known.version !== version || grew) wanted.push(page);
    }
    return wanted;
  }

  clear(): void {
    this.#pages.clear();
  }
}
