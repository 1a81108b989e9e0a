import { lstat, open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { draftBeside } from '../common/draft.ts';
import { EngineError, messageOf } from '../../base/errors.ts';
import { exportPieces } from '../../store/export.ts';
import type { RecordStore } from '../../store/record-store.ts';
import { RecordView } from '../../store/view.ts';
import { Throttle } from '../../base/time/throttle.ts';
import { unwritableReason } from '../../base/files/unwritable.ts';
import type { Grants } from '../common/grants.ts';
import { LIMITS, tooMany } from '../common/limits.ts';
import type { ExportInfo, ExportRequest } from '../../api/export-types.ts';
import type { RecordQuery } from '../../api/types.ts';
import type { ExportTarget } from './export-result.ts';

const TELL_MS = 150;

export interface ExportsOptions {
  /** A chosen file may be written once. */
  readonly grants: Grants;
  readonly store: RecordStore;
  /** Called with the progress of an export. */
  readonly emit: (info: ExportInfo) => void;
  /** Short name of a source. */
  readonly labelOf: (source: number) => string;
  /** Notes of the marked records, by their numbers. */
  readonly notes: () => ReadonlyMap<number, string>;
  /** Whether a file is being read. */
  readonly isRead: (path: string) => boolean;
}

interface Running {
  info: ExportInfo;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** Writes the content of an export. It ends early when the signal of the target is aborted. */
export type Work = (target: ExportTarget) => Promise<void>;

/** Writes records, or rows of results, into files that the user chose. A file appears only when it is complete. */
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
    return this.begin(request.path, 'record', () => this.#recordsOf(request));
  }

  /**
   * Begins to write what `prepare` makes, which is called at once. Returns the number of the export.
   * @throws {EngineError} `limit.reached`, `export.place`, `export.source`, or what `prepare` throws
   */
  begin(path: string, what: ExportInfo['what'], prepare: () => Work): number {
    if (this.#running.size >= LIMITS.exports) throw tooMany('exports', 'Wait until one is done.');
    if (!this.#options.grants.take('export', path)) throw new EngineError('export.place', `Nobody chose ${path} in a dialog.`);
    if (this.#options.isRead(resolve(path))) throw new EngineError('export.source', `${path} is being read. Choose another file.`);
    const work = prepare();
    const id = this.#nextId++;
    const info: ExportInfo = { id, path, what, state: 'running', written: 0, total: 0, problem: null };
    const done = Promise.withResolvers<void>();
    const running: Running = { info, stop: new AbortController(), done: done.promise };
    this.#running.set(id, running);
    void this.#run(running, path, work).finally(done.resolve);
    return id;
  }

  /** Ends an export; the file stays as it was. One that has ended is left alone. */
  async cancel(id: number): Promise<void> {
    const running = this.#running.get(id);
    if (running === undefined) return;
    running.stop.abort();
    await running.done;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((id) => this.cancel(id)));
  }

  async #run(running: Running, path: string, work: Work): Promise<void> {
    const { signal } = running.stop;
    const tell = new Throttle(() => this.#options.emit(running.info), TELL_MS);
    const draft = draftBeside(path);
    try {
      await refuseWhatIsNoFile(path);
      await this.#write(running, draft, work, tell);
      if (!signal.aborted) await rename(draft, path);
      running.info = { ...running.info, state: signal.aborted ? 'canceled' : 'done' };
    } catch (error) {
      running.info = signal.aborted
        ? { ...running.info, state: 'canceled' }
        : { ...running.info, state: 'failed', problem: problemOf(error) };
    }
    tell.stop();
    await rm(draft, { force: true }).catch(() => undefined);
    this.#running.delete(running.info.id);
    this.#options.emit(running.info);
  }

  async #write(running: Running, draft: string, work: Work, tell: Throttle): Promise<void> {
    const file = await open(draft, 'wx');
    try {
      await work({
        signal: running.stop.signal,
        write: async (data, count) => {
          await file.appendFile(data);
          running.info = { ...running.info, written: running.info.written + count };
          tell.request();
        },
        expect: (total) => void (running.info = { ...running.info, total }),
      });
    } finally {
      await file.close();
    }
  }

  /** @throws {EngineError} when the query is wrong */
  #recordsOf({ query, format, columns }: ExportRequest): Work {
    const { view, filled } = fillView(this.#options.store, query);
    return async ({ signal, write, expect }) => {
      const { labelOf, notes } = this.#options;
      try {
        await filled;
        view.freeze();
        expect(view.total);
        for await (const { text, count } of exportPieces(view, { format, columns, labelOf, notes: notes() })) {
          if (signal.aborted) return;
          await write(text, count);
          // Yields to other work, also when all records are in memory and no read yields.
          await new Promise((done) => setImmediate(done));
        }
      } finally {
        view.close();
      }
    };
  }
}

/** Opens a view of the records that the query selects now; `filled` resolves when it has all of them. */
export function fillView(store: RecordStore, query: RecordQuery): { readonly view: RecordView; readonly filled: Promise<void> } {
  const { promise: filled, resolve, reject } = Promise.withResolvers<void>();
  filled.catch(() => undefined);
  // The constructor of the view may call back before it returns.
  let changed = (): void => undefined;
  const view = new RecordView(store, query, () => changed(), reject);
  changed = () => void (view.complete && resolve());
  changed();
  return { view, filled };
}

/** The system's errors name a draft that nobody knows, and not what to do. */
const problemOf = (error: unknown): string => (error instanceof Error && 'syscall' in error ? unwritableReason(error) : messageOf(error));

/** A device or a pipe would be replaced by a file. @throws {EngineError} `export.place` */
async function refuseWhatIsNoFile(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null || found.isFile() || found.isSymbolicLink()) return;
  throw new EngineError('export.place', found.isDirectory() ? 'a folder is in its place' : 'a device, pipe or socket is in its place');
}
