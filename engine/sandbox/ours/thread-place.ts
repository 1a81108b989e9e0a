import type { PreparedText } from '../../base/product/prepared.ts';
import type { SandboxResult, SandboxSpec } from '../contract/types.ts';
import { MAX_VARIABLES } from '../hosts/host-line.ts';
import type { PastCall } from '../wire/journal.ts';
import { OutboundBatch } from '../wire/outbound.ts';
import type { SavedScript } from '../wire/preservation.ts';
import { trustedResultOf } from '../wire/result.ts';
import { MAX_COLUMNS, openedBatch, openedParcel, savedScript } from './direct-script.ts';
import { ThreadLostError, type LoadedScript, type ScriptThread, type ThreadCall } from './script-thread.ts';
import type { Work } from './thread-messages.ts';
import type { ThreadPool } from './thread-pool.ts';

/** Code units of text in a batch, above which a sandbox takes it: what a decoder makes of it may be more than a thread can be held to. */
const MOST_TEXT = 1 << 21;

export interface ThreadOptions {
  readonly pool: ThreadPool;
  /** Reads the script, with all that it imports. */
  readonly code: () => PreparedText;
}

/** Result of a call, with what is to be noted of it in its turn. */
export interface Done {
  readonly result: SandboxResult;
  readonly rows: number;
  /** Number of the script's global variables. */
  readonly globals: number;
  readonly work: Work;
}

/** A script in a thread. */
interface Place {
  readonly thread: ScriptThread;
  readonly script: LoadedScript;
}

/** The place of a script in a thread, in another thread when that has ended, unless the script keeps something: that has gone with the thread. */
export class ThreadPlace {
  readonly #spec: SandboxSpec;
  readonly #options: ThreadOptions;
  readonly #keeps: boolean;
  #place: Promise<Place | null>;

  /** Loads the script in a thread; null: it does not load there. @param keeps it keeps something from one call to the next */
  static async start(spec: SandboxSpec, options: ThreadOptions, keeps: boolean): Promise<ThreadPlace | null> {
    const place = await placeIn(spec, options);
    return place === null ? null : new ThreadPlace(spec, options, { place, keeps });
  }

  private constructor(spec: SandboxSpec, options: ThreadOptions, { place, keeps }: { readonly place: Place; readonly keeps: boolean }) {
    this.#spec = spec;
    this.#options = options;
    this.#keeps = keeps;
    this.#place = Promise.resolve(place);
  }

  /** The thread; null: it has ended. */
  async thread(): Promise<ScriptThread | null> {
    const place = await this.#place;
    return place === null || place.thread.isLost ? null : place.thread;
  }

  drop(): void {
    void this.#place.then((place) => place?.thread.drop(place.script.number));
  }

  /** Runs calls one after the other. Returns what was done up to the first call that a sandbox is to serve, which says what is wrong with it. */
  async serve(calls: readonly PastCall[]): Promise<readonly Done[]> {
    for (;;) {
      try {
        const place = await this.#placed();
        return place === null ? [] : await this.#serveIn(place, calls);
      } catch (error) {
        const wasWaiting = error instanceof ThreadLostError && !error.wasUnderWay;
        if (!wasWaiting || this.#keeps) return [];
      }
    }
  }

  /** The state after the calls so far, null when it cannot be had, and the microseconds that it took. */
  async save(): Promise<{ readonly state: SavedScript | null; readonly cpu: number }> {
    try {
      const place = await this.#placed();
      const saved = await place?.thread.save(place.script.number, this.#spec.limits.callMs);
      return { state: saved?.state ? savedScript(saved.state) : null, cpu: saved?.work.cpu ?? 0 };
    } catch {
      return { state: null, cpu: 0 };
    }
  }

  /** @throws {ThreadLostError} */
  async #serveIn({ thread, script }: Place, calls: readonly PastCall[]): Promise<readonly Done[]> {
    const batches = calls.map((call) => (call.kind === 'timer' ? null : new OutboundBatch(call.batch, call.selection)));
    const sent = callsFor(calls, batches, script.variables);
    if (sent.length === 0) return [];
    const { results, work } = await thread.serve(script.number, sent, {
      fetch: (call, variable) => openedParcel((batches[call] as OutboundBatch).deliver(variable)),
      allowedMs: this.#spec.limits.callMs,
    });
    const each = { ms: work.ms / results.length, cpu: work.cpu / results.length };
    const done: Done[] = [];
    for (const [i, made] of results.entries()) {
      const batch = batches[i] ?? null;
      const { result, head } = trustedResultOf(this.#spec, calls[i] as PastCall, made, batch);
      if (head.ended !== null || head.fields.length > MAX_COLUMNS) break;
      for (const name of head.used) if (script.variables.size < MAX_VARIABLES) script.variables.add(name);
      done.push({ result, rows: batch?.length ?? 0, globals: head.globals, work: each });
    }
    return done;
  }

  async #placed(): Promise<Place | null> {
    const last = this.#place;
    const place = await last;
    if (place?.thread.isLost !== true) return place;
    if (this.#keeps) return null;
    if (this.#place === last) this.#place = placeIn(this.#spec, this.#options);
    return this.#place;
  }
}

/** The calls up to the first one whose text is too long. */
function callsFor(calls: readonly PastCall[], batches: readonly (OutboundBatch | null)[], variables: ReadonlySet<string>): ThreadCall[] {
  const sent: ThreadCall[] = [];
  for (const [i, call] of calls.entries()) {
    if (call.kind === 'timer') {
      sent.push({ ns: call.ns });
      continue;
    }
    const batch = batches[i] as OutboundBatch;
    const parcel = openedBatch(batch, call, variables);
    // The head has the text of a column with one value.
    if (parcel.texts.reduce((sum, text) => sum + text.length, parcel.head.length) > MOST_TEXT) break;
    sent.push({ rows: batch.length, parcel });
  }
  return sent;
}

async function placeIn(spec: SandboxSpec, { pool, code }: ThreadOptions): Promise<Place | null> {
  try {
    const text = code();
    const thread = pool.pick();
    const script = await thread.load(spec, text);
    return script === null ? null : { thread, script };
  } catch {
    // It is not as it was shipped, or the thread has ended meanwhile, perhaps by this very script: the sandbox that is started instead knows.
    return null;
  }
}
