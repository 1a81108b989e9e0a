import { firstIndex } from '../../message/binary-search.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import { alarmPositions, type AlarmLevel } from '../alarms.ts';
import { cellsOf, NO_CELLS, type CellList } from '../cells.ts';
import { NO_ROWS, packRows, type Rows } from '../query.ts';
import type { RecordStore } from '../record-store.ts';
import { rawText } from '../segment.ts';
import type { SegmentScout } from './segment-scout.ts';
import { markMatches, type TextSearch } from './text-search.ts';
import type { ViewEntry } from '../view-entry.ts';

/** Finds some of the rows that a view shows. Positions are those among the rows of an entry, ascending; null: all. */
export interface Finder {
  /** The positions, as far as known without the records; undefined: they are needed. */
  known(entry: ViewEntry): Rows | undefined;
  /** Waits for what may soon be known without the records; null: nothing. */
  settled?(entry: ViewEntry): Promise<void> | null;
  find(entry: ViewEntry, stored: MessageBatch): Rows;
}

/** Milliseconds of work after which others get their turn. */
const SLICE_MS = 4;

/** Looks up positions, and lets others have their turn while many entries are looked at. */
export class Positions {
  readonly #store: RecordStore;
  readonly #finder: Finder;
  #sliceEnd = 0;

  constructor(store: RecordStore, finder: Finder) {
    this.#store = store;
    this.#finder = finder;
  }

  async of(entry: ViewEntry): Promise<Rows> {
    if (performance.now() > this.#sliceEnd) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#sliceEnd = performance.now() + SLICE_MS;
    }
    if (this.#finder.known(entry) === undefined) await this.#finder.settled?.(entry);
    return this.#finder.known(entry) ?? this.#finder.find(entry, await this.#store.load(entry.segment));
  }
}

/** Rows that the text of a search is in. What was found is kept with the entry. */
export class TextFinder implements Finder {
  readonly #search: TextSearch;
  readonly #scout: SegmentScout | null;
  #closed = false;
  readonly #found = new WeakMap<ViewEntry, { readonly rows: Rows; readonly cells: CellList }>();

  constructor(search: TextSearch, scout: SegmentScout | null = null) {
    this.#search = search;
    this.#scout = scout;
  }

  known(entry: ViewEntry): Rows | undefined {
    if (entry.count === 0 || this.#closed) return NO_ROWS;
    const found = this.#found.get(entry);
    if (found !== undefined) return found.rows;
    return this.#scout?.rulesOut(entry.segment) === true ? NO_ROWS : undefined;
  }

  settled({ segment }: ViewEntry): Promise<void> | null {
    return this.#scout?.settled(segment) ?? null;
  }

  /** Finds nothing more, so that whoever looks for something is done soon. */
  close(): void {
    this.#closed = true;
    this.#scout?.close();
  }

  /** The cells of an entry that hold hits, as far as they are known. */
  cells(entry: ViewEntry): CellList {
    return this.#found.get(entry)?.cells ?? NO_CELLS;
  }

  find(entry: ViewEntry, stored: MessageBatch): Rows {
    const rows = packRows(this.#marks(entry, stored));
    this.#found.set(entry, { rows, cells: cellsOf(rows, entry.count) });
    return rows;
  }

  #marks({ rows, count }: ViewEntry, stored: MessageBatch): Uint8Array {
    const text = rawText(stored);
    if (rows !== null && count * 4 < stored.length) {
      return Uint8Array.from(rows, (row) => {
        const line = text.at(row);
        return this.#search.test(line, 0, line.length) ? 1 : 0;
      });
    }
    const found = new Uint8Array(stored.length);
    markMatches(text.columns, stored.length, this.#search, found);
    return rows === null ? found : Uint8Array.from(rows, (row) => found[row] as number);
  }
}

/** Rows with errors or warnings. */
export class AlarmFinder implements Finder {
  readonly level: AlarmLevel;

  constructor(level: AlarmLevel) {
    this.level = level;
  }

  known({ alarms }: ViewEntry): Rows | undefined {
    return alarms[this.level].length === 0 ? NO_ROWS : undefined;
  }

  find({ rows }: ViewEntry, stored: MessageBatch): Rows {
    return alarmPositions(stored, rows, this.level);
  }
}

/** Rows that are certain records. */
export class RecordFinder implements Finder {
  readonly #ids: readonly number[];

  /** @param ids numbers of records, ascending */
  constructor(ids: readonly number[]) {
    this.#ids = ids;
  }

  known(entry: ViewEntry): Rows {
    const { firstId, length } = entry.segment;
    const found: number[] = [];
    for (let i = firstAtLeast(this.#ids, firstId); i < this.#ids.length && (this.#ids[i] as number) < firstId + length; i++)
      found.push((this.#ids[i] as number) - firstId);
    return positionsOf(found, entry);
  }

  find(entry: ViewEntry): Rows {
    return this.known(entry);
  }
}

/** Rows that have later columns: those of which a rule is true. */
export class LaterFinder implements Finder {
  readonly #store: RecordStore;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  known(entry: ViewEntry): Rows {
    const [column] = this.#store.laterOf(entry.segment);
    return column === undefined ? NO_ROWS : positionsOf(column.rows ?? [], entry);
  }

  find(entry: ViewEntry): Rows {
    return this.known(entry);
  }
}

/** The positions of rows of a segment (ascending) among those of an entry. */
function positionsOf(found: ArrayLike<number>, { rows }: ViewEntry): Rows {
  const positions: number[] = [];
  for (let i = 0; i < found.length; i++) {
    const row = found[i] as number;
    const position = rows === null ? row : firstAtLeast(rows, row);
    if (rows === null || rows[position] === row) positions.push(position);
  }
  return positions.length === 0 ? NO_ROWS : Uint32Array.from(positions);
}

/** Index of the first number of an ascending list that is not below one; the length when there is none. */
export const firstAtLeast = (list: ArrayLike<number>, least: number): number =>
  firstIndex(list.length, (i) => (list[i] as number) >= least);
