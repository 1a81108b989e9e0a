import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EngineError, messageOf } from '../errors.ts';
import { exportPieces } from '../store/export.ts';
import type { RecordStore } from '../store/record-store.ts';
import { RecordView } from '../store/view.ts';
import { Throttle } from '../throttle.ts';
import type { Grants } from './common/grants.ts';
import { LIMITS, tooMany } from './common/limits.ts';
import type { ExportInfo, ExportRequest } from '../api/export-types.ts';
import type { RecordQuery } from '../api/types.ts';

const TELL_MS = 150;

export interface ExportsOptions {
  /** A chosen file may be written once. */
  readonly grants: Grants;
  readonly store: RecordStore;
  /** Hears how far an export is. */
  readonly emit: (info: ExportInfo) => void;
  /** Short name of a source. */
  readonly labelOf: (source: number) => string;
  /** Whether a file is being read. */
  readonly isRead: (path: string) => boolean;
}

interface Running {
  info: ExportInfo;
  canceled: boolean;
  readonly done: Promise<void>;
}

/** Writes the records of a query into files that the user chose. A file appears only when it is complete. */
export class Exports {
  readonly #options: ExportsOptions;
  readonly #running = new Map<number, Running>();
  #nextId = 1;

  constructor(options: ExportsOptions) {
    this.#options = options;
  }

  /**
   * Begins to write the records that the query selects now. Returns the number of the export.
   * @throws {EngineError} `limit.reached`, `export.place`, `export.source`, or when the query is wrong
   */
  start(request: ExportRequest): number {
    const { path, query } = request;
    const { grants } = this.#options;
    if (this.#running.size >= LIMITS.exports) throw tooMany('exports', 'Wait until one is done.');
    if (!grants.take('export', path)) throw new EngineError('export.place', `Nobody chose ${path} in a dialog.`);
    if (this.#options.isRead(resolve(path))) throw new EngineError('export.source', `${path} is being read. Choose another file.`);
    const { view, filled } = fillView(this.#options.store, query);
    const id = this.#nextId++;
    const info: ExportInfo = { id, path, state: 'running', written: 0, total: 0, problem: null };
    const done = Promise.withResolvers<void>();
    const running: Running = { info, canceled: false, done: done.promise };
    this.#running.set(id, running);
    void this.#run(running, view, request, filled).finally(done.resolve);
    return id;
  }

  /** Ends an export; the file stays as it was. One that has ended is left alone. */
  async cancel(id: number): Promise<void> {
    const running = this.#running.get(id);
    if (running === undefined) return;
    running.canceled = true;
    await running.done;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((id) => this.cancel(id)));
  }

  async #run(running: Running, view: RecordView, request: ExportRequest, filled: Promise<void>): Promise<void> {
    const tell = new Throttle(() => this.#options.emit(running.info), TELL_MS);
    const draft = `${request.path}.${randomBytes(8).toString('hex')}.part`;
    try {
      await filled;
      view.freeze();
      running.info = { ...running.info, total: view.total };
      await this.#write(running, view, request, draft, tell);
      if (!running.canceled) await rename(draft, request.path);
      running.info = { ...running.info, state: running.canceled ? 'canceled' : 'done' };
    } catch (error) {
      running.info = { ...running.info, state: 'failed', problem: messageOf(error) };
    }
    view.close();
    tell.stop();
    await rm(draft, { force: true }).catch(() => undefined);
    this.#running.delete(running.info.id);
    this.#options.emit(running.info);
  }

  async #write(running: Running, view: RecordView, { format, columns }: ExportRequest, draft: string, tell: Throttle): Promise<void> {
    const file = await open(draft, 'wx');
    try {
      for await (const { text, count } of exportPieces(view, { format, columns, labelOf: this.#options.labelOf })) {
        if (running.canceled) return;
        await file.appendFile(text);
        running.info = { ...running.info, written: running.info.written + count };
        tell.request();
        // Yields to other work, also when all records are in memory and no read yields.
        await new Promise((done) => setImmediate(done));
      }
    } finally {
      await file.close();
    }
  }
}

/** Opens a view of the records that the query selects now; `filled` resolves when it has all of them. */
function fillView(store: RecordStore, query: RecordQuery): { readonly view: RecordView; readonly filled: Promise<void> } {
  const { promise: filled, resolve, reject } = Promise.withResolvers<void>();
  filled.catch(() => undefined);
  // The constructor of the view may call back before it returns.
  let changed = (): void => undefined;
  const view = new RecordView(store, query, () => changed(), reject);
  changed = () => void (view.complete && resolve());
  changed();
  return { view, filled };
}
