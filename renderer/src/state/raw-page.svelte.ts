import type { RawLines } from '../../../engine/api/types.ts';
import type { Client } from '../lib/api.ts';

/** Place to go to in the file: so many lines before the line with this byte. */
interface RawTarget {
  readonly at: number;
  readonly before: number;
}

const END = Number.MAX_SAFE_INTEGER;

/** A page of the lines of a file as they stand in it, from any byte on, for as long as its records are not decoded. */
export class RawPage {
  readonly source: number;
  /** null: none came yet, or there are none that can be shown. */
  shown = $state.raw<RawLines | null>(null);
  /** The engine has answered that the file cannot be shown so. */
  refused = $state(false);
  /** Someone moved. */
  moved = $state(false);
  readonly #client: Client;
  #count = 1;
  #target: RawTarget = { at: 0, before: 0 };
  #asking = false;
  #stale = false;

  constructor(client: Client, source: number) {
    this.#client = client;
    this.source = source;
  }

  get atEnd(): boolean {
    return this.shown !== null && this.shown.end >= this.shown.size;
  }

  /** Byte of the first line. */
  get first(): number {
    return this.shown?.lines[0]?.at ?? 0;
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

  /** Moves by lines; negative: up. */
  by(lines: number): void {
    if (this.shown === null || lines === 0) return;
    if (lines < 0) this.#move({ at: this.first, before: Math.min(1000, -lines) });
    else if (!this.atEnd) this.#move({ at: this.shown.lines[lines]?.at ?? this.shown.end, before: 0 });
  }

  /** Moves to a part of the file, from 0 to 1. */
  to(part: number): void {
    const range = (this.shown?.size ?? 0) - this.bytes;
    if (part >= 1) this.end();
    else this.#move({ at: Math.floor(part * Math.max(0, range)), before: 0 });
  }

  #move(target: RawTarget): void {
    this.moved = true;
    this.#target = target;
    this.#ask();
  }

  /** Asks for the page; while an answer is under way, only the last place is asked for afterwards. */
  #ask(): void {
    this.#stale = true;
    if (!this.#asking) void this.#work();
  }

  async #work(): Promise<void> {
    this.#asking = true;
    try {
      while (this.#stale) {
        this.#stale = false;
        this.#take(await this.#client.request('source.raw', { id: this.source, ...this.#target, count: this.#count }));
      }
    } catch {
      // The source itself tells what cannot be read.
      this.refused = true;
    } finally {
      this.#asking = false;
    }
  }

  #take(page: RawLines | null): void {
    this.refused = page === null;
    this.shown = page;
    const wants = this.#target.at !== END && page !== null && page.lines.length < this.#count && this.first > 0;
    // Nothing stands below the end.
    if (wants && !this.#stale) this.end();
  }
}
