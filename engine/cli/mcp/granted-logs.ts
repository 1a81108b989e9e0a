import { setTimeout as delay } from 'node:timers/promises';
import type { RecordQuery } from '../../api/record-types.ts';
import { visibleText } from '../../api/printable.ts';
import type { SourceInfo } from '../../api/types.ts';
import { EngineError } from '../../base/errors.ts';
import { Serial } from '../../base/time/serial.ts';
import { EngineProcess } from './engine-process.ts';
import { isWithin, type GrantedPlace } from '../../assistants/granted-places.ts';

/** A mistake of the asker, or something that keeps the answer away; the text is the answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** A log as an asker names it. */
export interface GrantedLog {
  /** Its name in questions, such as `f1`. */
  readonly id: string;
  /** The name that its records have, by which the window finds them as well: that of its file, or the id where that would not do. */
  readonly name: string;
  /** The file or pattern that was granted, also where a copy of it is read. */
  readonly path: string;
  readonly source: SourceInfo;
}

/** A place that is read for one that was granted. */
export interface ReadPlace extends GrantedPlace {
  /** The original of a copy; absent: it is none. */
  readonly original?: string;
}

/** Part of a question. */
export interface Asking {
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

export interface GrantedLogsOptions {
  /** Folder for the records. */
  readonly folder: string;
  readonly memoryMib: number;
  /** The lookups of expressions and queries; absent: none. */
  readonly lookups?: string | undefined;
  /** A folder of decoders of the user; absent: none. */
  readonly scripts?: string | undefined;
  /** The places that may be read, as they are now. */
  readonly places: () => Promise<readonly ReadPlace[]>;
  /** Tells an asker what to do when there is no file; absent: to look at the list. */
  readonly nothing?: string | undefined;
  readonly complain: (text: string) => void;
}

const POLL_MS = 60;
/** Starts of the engine after which it is given up. */
const MOST_STARTS = 6;
const READING: readonly SourceInfo['state'][] = ['opening', 'reading'];

/** The logs that were granted, read by an engine of their own. Nothing else can be named. */
export class GrantedLogs {
  readonly #options: GrantedLogsOptions;
  readonly #turns = new Serial();
  /** Names of sources, by their locations. */
  readonly #ids = new Map<string, string>();
  readonly #withheld = new Set<string>();
  #opened: readonly ReadPlace[] = [];
  /** The logs of the last list. */
  #logs: readonly GrantedLog[] = [];
  #engine: EngineProcess | null = null;
  #starts = 0;

  constructor(options: GrantedLogsOptions) {
    this.#options = options;
  }

  /** The engine, with all that was granted open in it. @throws {Refusal} when it has ended too often */
  engine(): Promise<EngineProcess> {
    return this.#turns.run(async () => {
      if (this.#engine === null || this.#engine.isGone) {
        if (++this.#starts > MOST_STARTS) throw new Refusal('The engine has ended several times: these files cannot be read here.');
        this.#engine = new EngineProcess(this.#options);
        this.#opened = [];
      }
      await this.#open(this.#engine);
      return this.#engine;
    });
  }

  async #open(engine: EngineProcess): Promise<void> {
    const granted = await this.#options.places();
    const within = await Promise.all(granted.map((place) => isWithin(place.path, [place])));
    const places = granted.filter((_, at) => within[at]);
    for (const { path } of granted.filter((_, at) => !within[at])) this.#withhold(path);
    const known = new Set(this.#opened.map(({ path }) => path));
    const taken = this.#opened.filter(({ path }) => !granted.some((place) => place.path === path));
    for (const { path } of places) {
      if (known.has(path)) continue;
      await engine.grant(path);
      await engine.request('source.open', { paths: [path] });
    }
    this.#opened = places;
    const { sources } = await engine.request('engine.state', {});
    for (const { id, location } of sources) {
      if (!this.#ids.has(location)) this.#ids.set(location, `f${this.#ids.size + 1}`);
      if (await isWithin(location, places)) continue;
      await engine.request('source.close', { id });
      if (!(await isWithin(location, taken))) this.#withhold(location);
    }
  }

  /** Says once that a place is left out. */
  #withhold(location: string): void {
    if (this.#withheld.has(location)) return;
    this.#withheld.add(location);
    this.#options.complain(`${location} leads out of what was granted: it is left out`);
  }

  /** All logs as they are now. */
  async list(signal: AbortSignal): Promise<GrantedLog[]> {
    const engine = await unlessAborted(this.engine(), signal);
    const { sources } = await engine.request('engine.state', {}, signal);
    const files = sources.filter(({ kind, location }) => kind === 'file' && this.#ids.has(location));
    this.#logs = files.map((source) => {
      const id = this.#ids.get(source.location) ?? '';
      const original = this.#opened.find(({ path }) => path === source.location)?.original;
      // The folder of a copy tells nobody anything.
      const isPlain = PLAIN_NAME.test(source.label) && visibleText(source.label) === source.label && !ID.test(source.label);
      const name = isPlain && !(original !== undefined && source.label.includes('/')) ? source.label : id;
      return { id, name, path: original ?? source.location, source };
    });
    return [...this.#logs];
  }

  /** The log of an id or of a name of records, as of the last list. */
  named(name: string): GrantedLog | undefined {
    return this.#logs.find((log) => log.id === name) ?? this.#logs.find((log) => log.name === name);
  }

  /** The log of this name. @throws {Refusal} */
  async log(id: string, { signal }: Asking): Promise<GrantedLog> {
    const logs = await this.list(signal);
    const found = logs.find((log) => log.id === id);
    if (found !== undefined) return found;
    const known = logs.slice(0, 20).map((log) => log.id);
    throw new Refusal(`There is no file of this id. Files are named by the ids of list_files, not by paths: ${known.join(', ')}`);
  }

  /** Waits until the logs of these names are read. @returns their sources @throws {Refusal} */
  async read(ids: readonly string[] | undefined, asking: Asking): Promise<GrantedLog[]> {
    for (;;) {
      const all = await this.list(asking.signal);
      const wanted = ids === undefined ? all : await Promise.all(ids.map((id) => this.log(id, asking)));
      if (wanted.length === 0) throw new Refusal(this.#options.nothing ?? 'No file is open: see list_files.');
      const reading = wanted.filter(({ source }) => READING.includes(source.state) || source.restoring === true);
      if (reading.length === 0) return wanted;
      const [done, total] = (['bytes', 'totalBytes'] as const).map((part) => wanted.reduce((sum, { source }) => sum + source[part], 0)) as [
        number,
        number,
      ];
      asking.progress(done, Math.max(done, total));
      try {
        await delay(POLL_MS, null, { signal: asking.signal });
      } catch {
        throw new Refusal(`The files are still being read (${done} of ${total} bytes): ask again in a moment.`);
      }
    }
  }

  /** Does something with a view of the records that a query selects, once it has looked at all. */
  async view<T>(query: RecordQuery, { signal }: Asking, work: (engine: EngineProcess, view: number) => Promise<T>): Promise<T> {
    const engine = await unlessAborted(this.engine(), signal);
    const { view } = await engine.request('view.open', { query }, signal);
    try {
      await engine.settled(view, signal);
      return await work(engine, view);
    } finally {
      await engine.closeView(view);
    }
  }

  /** The number of a record in its file, from 1; null: it is not there any more. */
  async numbers(source: number, records: readonly number[], asking: Asking): Promise<(number | null)[]> {
    return this.view({ sources: [source] }, asking, (engine, view) =>
      Promise.all(
        records.map(async (id) => {
          const { row } = await engine.request('view.locate', { view, id }, asking.signal);
          return row === null ? null : row + 1;
        }),
      ),
    );
  }

  /** Ends the engine if it does not answer any more. */
  async unstick(): Promise<void> {
    const engine = this.#engine;
    if (engine === null || engine.isGone) return;
    await engine.request('record.last', {}, AbortSignal.timeout(STUCK_MS)).catch((error: unknown) => {
      if (!(error instanceof EngineError)) engine.kill();
    });
  }

  async stop(): Promise<void> {
    await this.#engine?.stop();
  }
}

const STUCK_MS = 5000;
const ID = /^f\d+$/;
/** Names that can stand in front of the number of a record. */
const PLAIN_NAME = /^[^#\t\n]{1,200}$/;

/** Result of a promise, unless the signal is aborted before. @throws {Refusal} */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(new Refusal('The files are still being made ready: ask again in a moment.'));
  signal.addEventListener('abort', abort);
  try {
    signal.throwIfAborted();
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
