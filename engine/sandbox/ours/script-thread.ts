import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PreparedText } from '../../base/product/prepared.ts';
import { preludeCode } from '../code/bundle.ts';
import { CallWatch, timesIn } from '../hosts/call-watch.ts';
import { setupOf } from './context-setup.ts';
import { packBlocks, packTexts, sentText, unpackedBlocks, unpackedTexts } from './packed.ts';
import type { OpenedParcel, OwnResult } from '../wire/script-context.ts';
import type { SandboxSpec } from '../contract/types.ts';
import type { FromThread, ServedMessage, ThreadMemory, ThreadStart, ToThread, Work } from './thread-messages.ts';

const ENTRY = new URL('./thread.ts', import.meta.url);

/** Variables that tell Node whether, and in which folder, it keeps compiled code. */
const CACHE_SETTINGS: ReadonlySet<string> = new Set(['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE']);

/** Bytes of values, in MiB, that the scripts of a thread may hold: many times what they do, as V8 can only end a thread that comes to it in small steps. */
const OLD_GENERATION_MIB = 128;
const START_MS = 60_000;

/** A thread has ended before it gave an answer. */
export class ThreadLostError extends Error {
  override readonly name = 'ThreadLostError';
  /** It was at this call. */
  readonly wasUnderWay: boolean;

  constructor(wasUnderWay: boolean) {
    super('the thread has ended');
    this.wasUnderWay = wasUnderWay;
  }
}

/** A call of process_message, or a tick. */
export type ThreadCall = { readonly rows: number; readonly parcel: OpenedParcel } | { readonly ns: bigint };

/** The results of calls, up to the first one that a sandbox is to serve. */
export interface ThreadAnswer {
  readonly results: readonly OwnResult[];
  readonly work: Work;
}

interface ServeOptions {
  readonly fetch: (call: number, variable: string) => OpenedParcel;
  /** Milliseconds that all of them may take. */
  readonly allowedMs: number;
}

interface Waiting {
  /** Milliseconds that the thread may take; 0: as long as it likes. */
  readonly allowedMs: number;
  /** Columns for the script while it runs. */
  readonly fetch?: ServeOptions['fetch'];
  readonly resolve: (message: FromThread) => void;
  readonly reject: (error: ThreadLostError) => void;
}

/**
 * A thread of this process in which bundled scripts run. It serves one call after the other. One that takes too long, or more memory than it may, ends with the
 * thread: its calls are rejected with a ThreadLostError.
 */
export class ScriptThread {
  readonly #worker: Worker;
  readonly #answered = new SharedArrayBuffer(4);
  readonly #waiting: Waiting[] = [];
  readonly #scripts = new Set<number>();
  #nextScript = 1;
  #stat: string | null = null;
  #watch: CallWatch | null = null;
  #isLost = false;

  constructor() {
    const workerData: ThreadStart = { prelude: preludeCode(), answered: this.#answered };
    // With the cache its code need not be stripped of types again, which would load a compiler.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => CACHE_SETTINGS.has(name)));
    this.#worker = new Worker(ENTRY, { workerData, name: 'scripts', env, resourceLimits: { maxOldGenerationSizeMb: OLD_GENERATION_MIB } });
    this.#worker.unref();
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    // The end of the thread says enough.
    this.#worker.on('error', () => this.#lose());
    this.#worker.on('exit', () => this.#lose());
    this.#waiting.push({ allowedMs: START_MS, resolve: () => undefined, reject: () => undefined });
    this.#look();
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Scripts that it has. */
  get scripts(): number {
    return this.#scripts.size;
  }

  /** Calls that it has not answered. */
  get open(): number {
    return this.#waiting.length;
  }

  /** Loads a script and returns its number; null: it does not load here. @param code the script, with all that it imports */
  async load(spec: SandboxSpec, code: PreparedText): Promise<number | null> {
    const script = this.#nextScript++;
    this.#scripts.add(script);
    const loading = { kind: 'load', script, setup: setupOf(spec), code, filename: basename(spec.script) } as const;
    const answer = await this.#ask(loading, { allowedMs: spec.limits.callMs });
    if (answer.kind === 'loaded' && answer.isLoaded) return script;
    this.#scripts.delete(script);
    return null;
  }

  /** Runs calls, one after the other. @param fetch brings the columns that a call wants besides, by its number */
  async serve(script: number, calls: readonly ThreadCall[], { fetch, allowedMs }: ServeOptions): Promise<ThreadAnswer> {
    const parcels = calls.flatMap((call) => ('ns' in call ? [] : [call.parcel]));
    const blocks = packBlocks(parcels.map(({ block }) => block));
    const message = {
      kind: 'serve',
      script,
      rows: Int32Array.from(calls, (call) => ('ns' in call ? -1 : call.rows)),
      ticks: BigInt64Array.from(calls.flatMap((call) => ('ns' in call ? [call.ns] : []))),
      heads: packTexts(parcels.map(({ head }) => head)),
      blocks,
      texts: parcels.map(({ texts }) => texts.map(sentText)),
    } as const;
    const answer = (await this.#ask(message, { allowedMs, fetch }, [blocks.all])) as ServedMessage;
    const [heads, arenas] = [unpackedTexts(answer.heads), unpackedTexts(answer.arenas)];
    const results = unpackedBlocks(answer.blocks).map((block, i) => ({ head: heads[i] as string, arena: arenas[i] as string, block }));
    return { results, work: answer.work };
  }

  /** Has the state of a script after the calls so far. */
  async save(script: number, allowedMs: number): Promise<FromThread & { readonly kind: 'saved' }> {
    return (await this.#ask({ kind: 'save', script }, { allowedMs })) as FromThread & { readonly kind: 'saved' };
  }

  /** Bytes that are held by its scripts together. */
  async memory(): Promise<ThreadMemory> {
    const answer = await this.#ask({ kind: 'measure' }, { allowedMs: 0 });
    return (answer as FromThread & { readonly kind: 'measured' }).memory;
  }

  drop(script: number): void {
    if (this.#scripts.delete(script) && !this.#isLost) this.#post({ kind: 'drop', script });
  }

  /** Ends it, whatever it does. */
  end(): void {
    this.#lose();
    void this.#worker.terminate();
  }

  #ask(message: ToThread, how: Omit<Waiting, 'resolve' | 'reject'>, transfer: readonly ArrayBuffer[] = []): Promise<FromThread> {
    if (this.#isLost) return Promise.reject(new ThreadLostError(false));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...how, resolve, reject });
      this.#post(message, transfer);
      if (this.#waiting.length === 1) this.#look();
    });
  }

  #post(message: ToThread, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, [...transfer]);
  }

  #receive(message: FromThread): void {
    if (this.#isLost) return;
    const [first] = this.#waiting;
    if (message.kind === 'fetch') {
      const { texts, ...parcel } = (first?.fetch as ServeOptions['fetch'])(message.call, message.variable);
      this.#post({ kind: 'columns', parcel: { ...parcel, texts: texts.map(sentText) } });
      Atomics.add(new Int32Array(this.#answered), 0, 1);
      Atomics.notify(new Int32Array(this.#answered), 0);
      return;
    }
    if (message.kind === 'started') this.#stat = message.stat;
    this.#waiting.shift();
    this.#look();
    first?.resolve(message);
  }

  /** Watches the call that is the next to be answered, and keeps the process alive for it. */
  #look(): void {
    this.#watch?.stop();
    this.#watch = null;
    const [first] = this.#waiting;
    if (first === undefined) this.#worker.unref();
    else this.#worker.ref();
    const allowedMs = first?.allowedMs ?? 0;
    if (allowedMs === 0) return;
    const usedMs = (): number | null => (this.#stat === null ? null : timesIn(this.#stat));
    this.#watch = new CallWatch({ usedMs, allowedMs, graceMs: 0, onDue: () => this.end() });
  }

  #lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#watch?.stop();
    for (const [i, { reject }] of this.#waiting.splice(0).entries()) reject(new ThreadLostError(i === 0));
  }
}
