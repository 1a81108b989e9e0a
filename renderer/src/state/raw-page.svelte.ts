import { columnVariable } from '../../../engine/api/columns.ts';
import type { RawLine, RecordQuery, UnreadRecord } from '../../../engine/api/types.ts';
import type { Client } from '../lib/api.ts';

/** Place to go to in the file: so many lines before the line with this byte, or before the first record at or after a time. */
interface RawTarget {
  readonly at: number | { readonly time: number };
  readonly before: number;
}

/** The records that a page shows, and the fields that the table has for them. */
interface Wanted {
  readonly query: RecordQuery;
  readonly columns: () => readonly string[];
  /** Facts that they tell beside them. */
  readonly more: () => readonly ('summary' | 'since')[];
}

/** A record that has no number yet, with the names of the columns that its values are of. */
interface AheadRecord extends UnreadRecord {
  readonly columns: readonly string[];
}

/** The part of the file that begins with its byte `first`. */
interface ShownPage {
  /** Lines, or records where these can be told. */
  readonly lines: readonly RawLine[];
  readonly records: readonly AheadRecord[] | null;
  readonly first: number;
  readonly end: number;
  readonly size: number;
}

/** Records that one answer may have, and that are counted. */
const [MOST_ASKED, MOST_COUNTED] = [1000, 20_000];
const END = Number.MAX_SAFE_INTEGER;

/** A page of a file from any byte on, for as long as it is not read: its records where they can be told, or its lines as they stand in it. */
export class RawPage {
  readonly source: number;
  /** null: none came yet, or there are none that can be shown. */
  shown = $state.raw<ShownPage | null>(null);
  /** The engine has answered that the file cannot be shown so. */
  refused = $state(false);
  /** Someone moved. */
  moved = $state(false);
  readonly #client: Client;
  /** null: lines are shown. */
  #wanted: Wanted | null;
  /** 0: there is no place for any yet. */
  #count = 0;
  #target: RawTarget = { at: 0, before: 0 };
  #asking = false;
  #stale = false;

  /** @param wanted the records to show; absent: lines */
  constructor(client: Client, source: number, wanted: Wanted | null = null) {
    this.#client = client;
    this.source = source;
    this.#wanted = wanted;
  }

  get atEnd(): boolean {
    return this.shown !== null && this.shown.end >= this.shown.size;
  }

  /** The records that are shown; none where lines are. */
  get records(): readonly AheadRecord[] {
    return this.shown?.records ?? [];
  }

  /** Byte of the first line, or from which on all records are shown that are wanted. */
  get first(): number {
    return this.shown?.first ?? 0;
  }

  /** Bytes of the lines that are shown. */
  get bytes(): number {
    return this.shown === null ? 0 : this.shown.end - this.first;
  }

  /** Shows so many lines. */
  resize(count: number): void {
    const atEnd = this.#target.at === END;
    this.#count = Math.max(1, count);
    if (atEnd) this.end();
    else this.#ask();
  }

  begin(): void {
    this.#move({ at: 0, before: 0 });
  }

  end(): void {
    this.#move({ at: END, before: this.#count });
  }

  /** Shows the records from the first one at or after a time on. */
  time(time: number): void {
    this.#move({ at: { time }, before: 0 });
  }

  /** Shows the same place of what the file holds now. */
  again(): void {
    if (this.shown !== null) this.#ask();
  }

  /** Moves by lines or records; negative: up. */
  by(count: number): void {
    if (this.shown === null || count === 0) return;
    const { lines, records, end } = this.shown;
    if (count < 0) return this.#move({ at: this.first, before: Math.min(1000, -count) });
    const next = (records ?? lines).slice(count).find(({ at }) => at > this.first);
    if (!this.atEnd) this.#move({ at: next?.at ?? end, before: 0 });
  }

  /** Moves to a part of the file, from 0 to 1. */
  to(part: number): void {
    const range = (this.shown?.size ?? 0) - this.bytes;
    if (part >= 1) this.end();
    else this.#move({ at: Math.floor(part * Math.max(0, range)), before: 0 });
  }

  /** Counts the records from the first one that is shown to the end of the file; null: they are too many, or there is none. */
  async countBehind(): Promise<number | null> {
    const [first] = this.records;
    let counted = 0;
    for (let at = first?.at; at !== undefined && counted < MOST_COUNTED;) {
      const page = await this.#records({ at, before: 0 }, MOST_ASKED);
      if (page === null) return null;
      counted += page.records?.length ?? 0;
      if (page.end >= page.size) return counted;
      at = page.end;
    }
    return null;
  }

  #move(target: RawTarget): void {
    this.moved = true;
    this.#target = target;
    this.#ask();
  }

  /** Asks for the page; while an answer is under way, only the last place is asked for afterwards. */
  #ask(): void {
    this.#stale = true;
    if (!this.#asking && this.#count > 0) void this.#work();
  }

  async #work(): Promise<void> {
    this.#asking = true;
    try {
      while (this.#stale) {
        this.#stale = false;
        const { target, count } = { target: this.#target, count: this.#count };
        this.#take((await this.#records(target, count)) ?? (await this.#lines(target, count)));
      }
    } catch {
      // The source itself tells what cannot be read.
      this.refused = true;
    } finally {
      this.#asking = false;
    }
  }

  async #records(target: RawTarget, count: number): Promise<ShownPage | null> {
    if (this.#wanted === null) return null;
    const { query } = this.#wanted;
    const columns = this.#wanted.columns();
    const variables = columns.map(columnVariable);
    const page = await this.#client.request('source.unread', {
      id: this.source,
      ...target,
      count,
      columns: variables,
      more: [...this.#wanted.more()],
      query,
    });
    return page === null ? null : { ...page, lines: [], records: page.records.map((record) => ({ ...record, columns })) };
  }

  /** Lines, where they are what is wanted. */
  async #lines({ at, before }: RawTarget, count: number): Promise<ShownPage | null> {
    const { sources: _sources, after: _after, ...filters } = this.#wanted?.query ?? {};
    if (typeof at !== 'number' || Object.keys(filters).length > 0) return null;
    const page = await this.#client.request('source.raw', { id: this.source, at, before, count });
    // Its records cannot be told elsewhere, either.
    this.#wanted = null;
    return page === null ? null : { ...page, records: null, first: page.lines[0]?.at ?? page.end };
  }

  #take(page: ShownPage | null): void {
    this.refused = page === null;
    this.shown = page;
    const isShort = page !== null && page.end >= page.size && (page.records ?? page.lines).length < this.#count && this.first > 0;
    // Nothing stands below the end.
    if (isShort && this.#target.at !== END && !this.#stale) this.end();
  }
}
