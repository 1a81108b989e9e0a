/** A thread of the engine in which bundled scripts run: one context for each. */
import { readlinkSync } from 'node:fs';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { ScriptContext, type OpenedParcel, type OwnResult, type OwnState } from '../wire/script-context.ts';
import { expectDetached } from '../../base/process/detached-buffers.ts';
import { REPORT_SHARE } from '../contract/report-wait.ts';
import { packBlocks, packTexts, receivedText, unpackedBlocks, unpackedTexts, type SentText } from './packed.ts';
import type { FromThread, LoadMessage, SentParcel, ServeMessage, ThreadStart, ToThread, Work } from './thread-messages.ts';

expectDetached();

const { prelude, answered } = workerData as ThreadStart;
const port = parentPort as MessagePort;
const answers = new Int32Array(answered);
const scripts = new Map<number, ScriptContext>();
/** The code and settings of scripts that several sources share, to load them anew. */
const shared = new Map<number, LoadMessage>();
/** Number of the call under way among those that came with it. */
let underWay = 0;
/** Messages that came while columns were waited for. */
const deferred: ToThread[] = [];

const post = (message: FromThread, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, [...transfer]);

/** Collects garbage. V8 refuses compiled code that was kept under other flags, so the flag is taken back. */
const collect = ((): ((options: { readonly type: 'major' | 'minor' }) => void) => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: { readonly type: 'major' | 'minor' }) => void;
  setFlagsFromString('--no-expose-gc');
  return gc;
})();

/** Bytes that are held when the garbage is gone: all of it, or that which is young. */
function heldBytes(type: 'major' | 'minor'): number {
  collect({ type });
  const { used_heap_size: heap, external_memory: outside } = getHeapStatistics();
  return heap + outside;
}

/** Asks for the columns of a variable, and waits for them: the script that reads it does not go on without. */
function fetchColumns(variable: string): OpenedParcel {
  const before = Atomics.load(answers, 0);
  post({ kind: 'fetch', call: underWay, variable });
  Atomics.wait(answers, 0, before);
  for (;;) {
    const received = receiveMessageOnPort(port) as { readonly message: ToThread } | undefined;
    if (received === undefined) throw new Error('the answer is missing');
    if (received.message.kind === 'columns') return opened(received.message.parcel);
    deferred.push(received.message);
  }
}

/** Bytes that were held before the first script; null: there was none. */
let before: number | null = null;
/** The last measurement: bytes held, and the time until which it is used again. */
let last = { now: 0, until: -1 };

function load(message: LoadMessage): void {
  let isLoaded = true;
  try {
    start(message);
    if (message.isShared) shared.set(message.script, message);
  } catch {
    // The sandbox that is started instead says why.
    isLoaded = false;
  }
  post({ kind: 'loaded', isLoaded });
}

function start({ script, setup, code, filename }: LoadMessage): void {
  const context = new ScriptContext(setup, prelude, fetchColumns);
  // Nothing is old yet.
  before ??= heldBytes('minor');
  context.load(code, filename);
  scripts.set(script, context);
  last.until = -1;
}

/** Forgets a script that has failed. One that several share begins anew for the others: it keeps nothing. */
function failed(script: number): void {
  scripts.delete(script);
  const message = shared.get(script);
  try {
    if (message !== undefined) start(message);
  } catch {
    // Calls from now on are for sandboxes, too.
  }
}

function drop(script: number): void {
  scripts.delete(script);
  shared.delete(script);
}

/** Has a script do something, and measures it. */
function measured(script: number, does: (context: ScriptContext) => void): Work {
  const from = performance.now();
  const cpu = process.threadCpuUsage();
  const context = scripts.get(script);
  try {
    if (context !== undefined) does(context);
  } catch {
    // The call is repeated in a sandbox, which says what is wrong with it.
    failed(script);
  }
  const { user, system } = process.threadCpuUsage(cpu);
  return { ms: performance.now() - from, cpu: user + system };
}

function serveCalls(message: ServeMessage): void {
  const made: OwnResult[] = [];
  const work = measured(message.script, (context) => {
    for (const [number, call] of callsOf(message).entries()) {
      underWay = number;
      made.push('ns' in call ? context.timer(call.ns) : context.process(call.parcel, call.rows));
    }
  });
  const heads = packTexts(made.map(({ head }) => head));
  const arenas = packTexts(made.map(({ arena }) => arena));
  const blocks = packBlocks(made.map(({ block }) => block));
  post({ kind: 'served', heads, arenas, blocks, work }, [blocks.all]);
}

function callsOf({ rows, ticks, heads, blocks, texts }: ServeMessage): ({ ns: bigint } | { rows: number; parcel: OpenedParcel })[] {
  const headTexts = unpackedTexts(heads);
  const parcels = unpackedBlocks(blocks).map((block, i) => ({ head: headTexts[i] as string, block, texts: texts[i] as SentText[] }));
  const times = [...ticks];
  return Array.from(rows, (count) =>
    count < 0 ? { ns: times.shift() as bigint } : { rows: count, parcel: opened(parcels.shift() as SentParcel) },
  );
}

const opened = (parcel: SentParcel): OpenedParcel => ({ ...parcel, texts: parcel.texts.map(receivedText) });

function save(script: number): void {
  const saved: OwnState[] = [];
  const work = measured(script, (context) => saved.push(context.save()));
  post(
    { kind: 'saved', state: saved[0] ?? null, work },
    saved.map(({ block }) => block),
  );
}

function measure(): void {
  const from = performance.now();
  if (from >= last.until) {
    const now = heldBytes('major');
    const to = performance.now();
    last = { now, until: to + (to - from) / REPORT_SHARE };
  }
  const { now } = last;
  post({ kind: 'measured', memory: { now, before: before ?? now } });
}

function serve(message: ToThread): void {
  if (message.kind === 'load') load(message);
  else if (message.kind === 'serve') serveCalls(message);
  else if (message.kind === 'save') save(message.script);
  else if (message.kind === 'measure') measure();
  else if (message.kind === 'drop') drop(message.script);
}

/** Path of the times of this thread, by proc(5). */
function statPath(): string | null {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}/stat`;
  } catch {
    return null;
  }
}

port.on('message', (message: ToThread) => {
  deferred.push(message);
  for (let next = deferred.shift(); next !== undefined; next = deferred.shift()) serve(next);
});
post({ kind: 'started', stat: statPath() });
