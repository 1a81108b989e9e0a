import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PreparedText } from '../../base/product/prepared.ts';
import { preludeCode } from '../code/bundle.ts';
import { CallWatch, timesIn } from '../hosts/call-watch.ts';
import { setupOf, startVariables } from './context-setup.ts';
import { packBlocks, packTexts, sentText, unpackedBlocks, unpackedTexts } from './packed.ts';
import type { OpenedParcel, OwnResult } from '../wire/script-context.ts';
import { keepsNothing, type SandboxSpec } from '../contract/types.ts';
import type { FromThread, LoadMessage, ServedMessage, ThreadMemory, ThreadStart, ToThread, Work } from './thread-messages.ts';

const ENTRY = new URL('./thread.ts', import.meta.url);

/** Variables that tell Node whether, and in which folder, it keeps compiled code. */
const CACHE_SETTINGS: ReadonlySet<string> = new Set(['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE']);

/** Bytes of values, in MiB, that the scripts of a thread may hold: many times what they do, as V8 can only end a thread that comes to it in small steps. */
const OLD_GENERATION_MIB = 128;
const START_MS = 60_000;
/** Messages that are sent before the answers to those in front of them, so that the thread has its next work: with those of hundreds of files it would have no room. */
const SENT_AHEAD = 4;

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
  /** null: its start. */
  readonly message: ToThread | null;
  readonly transfer: readonly ArrayBuffer[];
  /** Milliseconds that the thread may take; 0: as long as it likes. */
  readonly allowedMs: number;
  /** Columns for the script while it runs. */
  readonly fetch?: ServeOptions['fetch'];
  readonly resolve: (message: FromThread) => void;
  readonly reject: (error: ThreadLostError) => void;
}

/** A script of a thread. */
export interface LoadedScript {
  readonly number: number;
  /** Variables that it reads, as far as is known: it tells of each one once. */
  readonly variables: Set<string>;
}

/** A script that a thread has, and what it was made from. */
interface KnownScript {
  readonly setup: string;
  /** Its code, with all that it imports. */
  readonly code: string;
  /** It keeps nothing: all that want the same one share it. */
  readonly isShared: boolean;
  /** null: it does not load here. */
  readonly loaded: Promise<LoadedScript | null>;
  users: number;
}

/**
 * A thread of this process in which bundled scripts run. It serves one call after the other. One that takes too long, or more memory than it may, ends with the
 * thread: its calls are rejected with a ThreadLostError.
 */
export class ScriptThread {
  readonly #worker: Worker;
  readonly #answered = new SharedArrayBuffer(4);
  /** In the order of their answers. */
  readonly #waiting: Waiting[] = [];
  /** Number of those in front that were sent. */
  #sent = 0;
  readonly #scripts = new Map<number, KnownScript>();
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
    this.#waiting.push({ message: null, transfer: [], allowedMs: START_MS, resolve: () => undefined, reject: () => undefined });
    this.#send();
    this.#look();
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Scripts that it has; one that several share counts for each of them. */
  get scripts(): number {
    return [...this.#scripts.values()].reduce((sum, { users }) => sum + users, 0);
  }

  /** Calls that it has not answered. */
  get open(): number {
    return this.#waiting.length;
  }

  /** Loads a script; null: it does not load here. @param code the script, with all that it imports */
  load(spec: SandboxSpec, code: PreparedText): Promise<LoadedScript | null> {
    const isShared = keepsNothing(spec);
    const setup = setupOf(spec);
    const known = [...this.#scripts.values()].find((one) => isShared && one.isShared && one.setup === setup && one.code === code.text);
    if (known !== undefined) {
      known.users++;
      return known.loaded;
    }
    const number = this.#nextScript++;
    const loaded = this.#load(spec, { kind: 'load', script: number, setup, code, filename: basename(spec.script), isShared });
    this.#scripts.set(number, { setup, code: code.text, isShared, loaded, users: 1 });
    return loaded;
  }

  async #load(spec: SandboxSpec, message: LoadMessage): Promise<LoadedScript | null> {
    const answer = await this.#ask(message, { allowedMs: spec.limits.callMs });
    if (answer.kind === 'loaded' && answer.isLoaded) return { number: message.script, variables: startVariables(spec) };
    this.#scripts.delete(message.script);
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

  /** Lets go of a script, for one of those that use it. */
  drop(script: number): void {
    const dropped = this.#scripts.get(script);
    if (dropped === undefined || --dropped.users > 0) return;
    this.#scripts.delete(script);
    if (!this.#isLost) this.#post({ kind: 'drop', script });
  }

  /** Ends it, whatever it does. */
  end(): void {
    this.#lose();
    void this.#worker.terminate();
  }

  #ask(message: ToThread, how: Pick<Waiting, 'allowedMs' | 'fetch'>, transfer: readonly ArrayBuffer[] = []): Promise<FromThread> {
    if (this.#isLost) return Promise.reject(new ThreadLostError(false));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message, transfer, ...how, resolve, reject });
      this.#send();
      if (this.#waiting.length === 1) this.#look();
    });
  }

  #send(): void {
    for (let next = this.#waiting[this.#sent]; next !== undefined && this.#sent < SENT_AHEAD; next = this.#waiting[this.#sent]) {
      this.#sent++;
      if (next.message !== null) this.#post(next.message, next.transfer);
    }
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
    this.#sent--;
    this.#send();
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
