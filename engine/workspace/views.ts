import type { EngineEvents, RecordQuery, TopValues } from '../api/types.ts';
import { EngineError } from '../errors.ts';
import type { RecordStore } from '../store/record-store.ts';
import { ValueCount } from '../store/top-values.ts';
import { RecordView } from '../store/view.ts';
import { Throttle } from '../throttle.ts';
import { LIMITS, tooMany } from './common/limits.ts';

/** Milliseconds that one answer may spend on counting values. */
const COUNT_MS = 80;

/** Least milliseconds between two change events of a view. */
const CHANGED_INTERVAL_MS = 34;
/** The same while more records arrive than anyone can read: showing them would take time from reading them. */
const RUSH_INTERVAL_MS = 150;
const RUSH_RECORDS = 1000;

interface OpenView {
  readonly view: RecordView;
  readonly changed: Throttle;
  /** Records in the store at the last change event. */
  told: number;
  /** The count of values that is under way. */
  counting: ValueCount | null;
}

/** The views that windows have open, by number. */
export class ViewRegistry {
  readonly #store: RecordStore;
  readonly #changed: (event: EngineEvents['view.changed']) => void;
  readonly #failed: (error: unknown) => void;
  readonly #views = new Map<number, OpenView>();
  #nextId = 1;

  constructor(store: RecordStore, changed: (event: EngineEvents['view.changed']) => void, failed: (error: unknown) => void) {
    this.#store = store;
    this.#changed = changed;
    this.#failed = failed;
  }

  /** @throws {EngineError} `limit.reached`, or when the query cannot be compiled */
  open(query: RecordQuery): number {
    if (this.#views.size >= LIMITS.views) throw tooMany('views', 'Reload the window.');
    const id = this.#nextId++;
    const changed = new Throttle(
      () => this.#tell(id),
      () => this.#intervalOf(id),
    );
    const view = new RecordView(this.#store, query, () => changed.request(), this.#failed);
    this.#views.set(id, { view, changed, told: 0, counting: null });
    changed.request();
    return id;
  }

  /** @throws {EngineError} `view.unknown` */
  get(id: number): RecordView {
    return this.#find(id).view;
  }

  /**
   * Counts the values of a variable, or goes on counting them.
   * @throws {EngineError} `view.unknown`
   */
  async top(id: number, variable: string, limit: number): Promise<TopValues> {
    const found = this.#find(id);
    let { counting } = found;
    if (counting === null || counting.variable !== variable || counting.revision !== found.view.revision) {
      found.counting = counting = new ValueCount(this.#store, found.view, variable);
    }
    await counting.advance(COUNT_MS);
    if (counting.complete && found.counting === counting) found.counting = null;
    return counting.top(limit);
  }

  close(id: number): void {
    const found = this.#views.get(id);
    found?.view.close();
    found?.changed.stop();
    this.#views.delete(id);
  }

  closeAll(): void {
    for (const id of [...this.#views.keys()]) this.close(id);
  }

  #find(id: number): OpenView {
    const found = this.#views.get(id);
    if (!found) throw new EngineError('view.unknown', `There is no view ${id}.`);
    return found;
  }

  #intervalOf(id: number): number {
    const told = this.#views.get(id)?.told ?? 0;
    return this.#store.records - told > RUSH_RECORDS ? RUSH_INTERVAL_MS : CHANGED_INTERVAL_MS;
  }

  #tell(id: number): void {
    const open = this.#views.get(id);
    if (!open) return;
    const { total, scanned, revision } = open.view;
    const { records } = this.#store;
    open.told = records;
    this.#changed({ view: id, total, scanned, records, revision });
  }
}
