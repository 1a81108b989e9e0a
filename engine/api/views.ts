import type { EngineEvents, RecordQuery } from './types.ts';
import { EngineError } from '../errors.ts';
import { RecordView, type RecordStore } from '../store/index.ts';
import { Throttle } from '../throttle.ts';

/** At most so often a view says that it changed. */
const CHANGED_INTERVAL_MS = 34;

interface OpenView {
  readonly view: RecordView;
  readonly changed: Throttle;
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

  /** @throws {EngineError} when the query cannot be compiled */
  open(query: RecordQuery): number {
    const id = this.#nextId++;
    const changed = new Throttle(() => this.#tell(id), CHANGED_INTERVAL_MS);
    const view = new RecordView(this.#store, query, () => changed.request(), this.#failed);
    this.#views.set(id, { view, changed });
    changed.request();
    return id;
  }

  /** @throws {EngineError} `view.unknown` */
  get(id: number): RecordView {
    const found = this.#views.get(id);
    if (!found) throw new EngineError('view.unknown', `There is no view ${id}.`);
    return found.view;
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

  #tell(id: number): void {
    const view = this.#views.get(id)?.view;
    if (view) this.#changed({ view: id, total: view.total, scanned: view.scanned, records: this.#store.records });
  }
}
