import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ErrorCode } from '../../api/errors.ts';
import type { EngineEvents, EngineRequests, RequestName } from '../../api/types.ts';
import type { FromEngine, ToEngine } from '../../api/wire.ts';
import { EngineError } from '../../base/errors.ts';
import { engineScript } from '../../base/product/engine-script.ts';
import { MemoryGuard } from '../../sandbox/hosts/memory-guard.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The sources of the engine, or in a package of npm their bundle. */
const ENTRY = fileURLToPath(new URL('../../index.ts', import.meta.url));
/** Variables of the environment that the engine needs: it starts no command, and connects to nothing. */
const ENVIRONMENT = [
  'PATH',
  'HOME',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'NODE_COMPILE_CACHE',
  'SLUICEBOX_BUNDLED_IN_HOSTS',
];
/** For the allocator of glibc: large buffers go back to the system when they are freed. */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '1048576' };
const STOP_MS = 3000;

type ViewNews = EngineEvents['view.changed'];

interface EngineProcessOptions {
  /** For its records. */
  readonly folder: string;
  /** Its memory, beyond which it is ended on Linux. */
  readonly memoryMib: number;
  /** The folder of its lookups; absent: it has none. */
  readonly lookups?: string | undefined;
  /** The folder of further decoders; absent: there is none. */
  readonly scripts?: string | undefined;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The engine of the window as a process of its own, without a window: it reads the files that it is granted, and whatever else it would start is refused. */
export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #guard: MemoryGuard | null;
  readonly #waiting = new Map<number, Waiting>();
  readonly #views = new Map<number, ViewNews>();
  readonly #ready = Promise.withResolvers<void>();
  #wake = Promise.withResolvers<void>();
  #nextId = 1;
  /** It has ended. */
  isGone = false;

  constructor({ folder, memoryMib, lookups = '', scripts = '' }: EngineProcessOptions) {
    const script = engineScript(ROOT);
    const env = Object.fromEntries(ENVIRONMENT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
    this.#child = spawn(
      process.execPath,
      [
        '--disable-sigusr1',
        '--max-semi-space-size=4',
        '--disable-warning=ExperimentalWarning',
        script.endsWith('.mjs') ? script : ENTRY,
        folder,
        lookups,
        scripts,
      ],
      {
        env: { ...env, ...ALLOCATOR, SLUICEBOX_DATA: folder },
        // Standard output belongs to the protocol.
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        serialization: 'advanced',
        windowsHide: true,
      },
    );
    this.#guard = this.#child.pid === undefined ? null : MemoryGuard.of(this.#child.pid);
    this.#guard?.bound(memoryMib * 2 ** 20);
    this.#guard?.busy(true);
    this.#child.on('message', (message) => this.#receive(message as FromEngine));
    this.#child.on('error', () => this.#end());
    this.#child.on('exit', () => this.#end());
    this.#ready.promise.catch(() => undefined);
  }

  /** The engine may read this file, or what fits this pattern. */
  async grant(path: string): Promise<void> {
    await this.#ready.promise;
    this.#post({ kind: 'grant', use: 'open', path });
  }

  /** Asks the engine. @throws {EngineError} as it refuses; the signal's reason, when that is aborted before */
  async request<N extends RequestName>(name: N, input: EngineRequests[N]['in'], signal?: AbortSignal): Promise<EngineRequests[N]['out']> {
    await this.#ready.promise;
    signal?.throwIfAborted();
    const id = this.#nextId++;
    const reply = Promise.withResolvers<unknown>();
    const abort = (): void => reply.reject(signal?.reason as Error);
    signal?.addEventListener('abort', abort);
    this.#waiting.set(id, reply);
    this.#post({ kind: 'request', id, name, input });
    try {
      return await reply.promise;
    } finally {
      this.#waiting.delete(id);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Waits until a view has looked at all records. */
  async settled(view: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      if (this.isGone) throw gone();
      const news = this.#views.get(view);
      if (news !== undefined && !news.nearby && news.scanned >= news.records) return;
      await Promise.race([this.#wake.promise, once(signal, 'abort')]);
    }
  }

  async closeView(view: number): Promise<void> {
    if (!this.isGone) await this.request('view.close', { view }).catch(() => undefined);
    this.#views.delete(view);
  }

  async stop(): Promise<void> {
    if (this.isGone) return;
    const killer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
    this.#post({ kind: 'stop' });
    await once(this.#child, 'exit');
    clearTimeout(killer);
  }

  /** Ends it at once. */
  kill(): void {
    this.#child.kill('SIGKILL');
    this.#end();
  }

  #post(message: ToEngine): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
    else this.#end();
  }

  #receive(message: FromEngine): void {
    switch (message.kind) {
      case 'ready':
        return this.#ready.resolve();
      case 'ask':
        return this.#post({ kind: 'answer', id: message.id, allowed: [] });
      case 'reply': {
        const waiting = this.#waiting.get(message.id);
        if (message.ok) waiting?.resolve(message.value);
        else waiting?.reject(new EngineError(message.error.code, message.error.text, { place: message.error.place }));
        return;
      }
      case 'event':
        if (message.name !== 'view.changed') return;
        this.#views.set(message.data.view, message.data);
        this.#wakeAll();
    }
  }

  #wakeAll(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  #end(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.#guard?.release();
    this.#ready.reject(gone());
    for (const waiting of this.#waiting.values()) waiting.reject(gone());
    this.#wakeAll();
  }
}

const GONE: ErrorCode = 'engine.gone';
const gone = (): EngineError =>
  new EngineError(GONE, 'The engine has ended, most likely for want of memory. Ask again: it is started anew.');
