import { EventEmitter } from 'node:events';
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { app, type Event } from 'electron';
import type { ErrorCode } from '../../engine/api/errors.ts';
import { changedState } from '../../engine/api/state-change.ts';
import type { EngineEvents, EngineRequests, EngineState, Refusal, RequestName, ShellEvents, SourceInfo } from '../../engine/api/types.ts';
import type { Demand, FromEngine, GrantUse, ToEngine } from '../../engine/api/wire.ts';
import { withSourcePlaces } from '../../engine/base/process/source-places.ts';
import { cleanStart } from './clean-start.ts';
import { CrashCount } from './crash-count.ts';
import { engineScript } from '../../engine/base/product/engine-script.ts';
import { KnownRecords, type GoneRecords } from './known-records.ts';
import { dataFolder, nodeRuntime, productRoot } from './paths.ts';
import { passOn } from './terminal.ts';

/** A request that the shell or the engine refused, or that the engine could not answer. */
export class RefusalError extends Error {
  override readonly name = 'RefusalError';
  readonly code: ErrorCode;
  readonly place: Refusal['place'];
  constructor(code: ErrorCode, text: string, options?: ErrorOptions & Pick<Refusal, 'place'>) {
    super(text, options);
    this.code = code;
    this.place = options?.place;
  }
}

/** At most this many restarts in `RESTART_WINDOW_MS`; more is a fault that a restart does not mend. */
const RESTART_LIMIT = 5;
const RESTART_WINDOW_MS = 60_000;
/** Milliseconds that a stopping engine may take to write its checkpoints. */
const STOP_GRACE_MS = 3_000;
/** A small young generation: reading takes the same processor time with it, and tens of MB less. */
const YOUNG = '--max-semi-space-size=4';
/** The engine's highest descriptor: the channel of its messages. */
const IPC = 3;
/** Length of the engine's standard error that is kept to explain a crash. */
const STDERR_KEPT = 4_000;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: RefusalError): void;
}

interface SupervisorEvents {
  event: [name: keyof EngineEvents, data: EngineEvents[keyof EngineEvents]];
  lifecycle: [ShellEvents['engine']];
  /** Records of before a crash that are not there any more. */
  gone: [GoneRecords];
}

/** Starts the engine process, restarts it when it crashes, and carries requests and events. */
export class EngineSupervisor extends EventEmitter<SupervisorEvents> {
  #child: ChildProcess | null = null;
  /** Resolves when the engine is ready, or given up: whoever waits for one that ends before waits for the next one. */
  #ready = Promise.withResolvers<void>();
  #isReady = false;
  #stopping = false;
  #nextId = 1;
  #stderr = '';
  readonly #waiting = new Map<number, Waiting>();
  readonly #crashes = new CrashCount(RESTART_WINDOW_MS);
  /** The last known state: its sources are opened again after a crash. */
  #state: EngineState | null = null;
  /** Records of before a crash. */
  readonly #known = new KnownRecords();
  /** Files that were asked for and not yet answered for. */
  readonly #asked = new Set<string>();
  /** Grants of the user's choices, sent again to an engine that is started after a crash. */
  readonly #grants = new Map<string, ToEngine & { kind: 'grant' }>();
  readonly #consent: (demands: readonly Demand[]) => Promise<readonly string[]>;

  /** @param consent returns the keys of the demands that may start */
  constructor(consent: (demands: readonly Demand[]) => Promise<readonly string[]>) {
    super();
    this.#consent = consent;
  }

  start(): void {
    if (this.#isReady) this.#ready = Promise.withResolvers<void>();
    this.#isReady = false;
    this.emit('lifecycle', { state: 'starting', reason: null });
    try {
      this.#launch();
    } catch (cause) {
      this.#fail(cause instanceof Error ? cause.message : String(cause));
    }
  }

  /** Starts it once more after it has failed, with what was open. */
  startAgain(): void {
    if (this.#child !== null || this.#stopping) return;
    this.#crashes.forget();
    this.start();
  }

  #launch(): void {
    const { file, args } = cleanStart(IPC, nodeRuntime(), ['--disable-sigusr1', YOUNG, engineScript(productRoot())]);
    const child = spawn(file, args, {
      cwd: productRoot(),
      env: engineEnvironment(),
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
      serialization: 'advanced',
      windowsHide: true,
    });
    this.#child = child;
    this.#stderr = '';
    child.stderr?.setEncoding('utf8');
    child.stderr?.on('data', (said: string) => {
      const text = withSourcePlaces(said);
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
      passOn(text);
    });
    // Each in a turn of its own: Node emits messages that arrive together before any promise goes on, so an awaited answer would come after later news.
    child.on('message', (message) => setImmediate(() => this.#receive(child, message as FromEngine)));
    child.on('error', (error) => this.#fail(error.message));
    child.on('exit', (code, signal) => setImmediate(() => this.#exited(child, code, signal)));
  }

  /** Asks the engine; waits while it is starting or restarting. */
  async request<N extends RequestName>(name: N, input: EngineRequests[N]['in']): Promise<EngineRequests[N]['out']> {
    await this.#ready.promise;
    const child = this.#child;
    if (child === null) throw new RefusalError('engine.gone', 'The engine is not running. Start it again in Logs.');
    const id = this.#nextId++;
    const reply = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#post({ kind: 'request', id, name, input });
    const answer = (await reply) as EngineRequests[N]['out'];
    // Even if the engine crashes before it tells its next state, what was closed stays closed.
    if (name === 'source.close') this.#forget((input as EngineRequests['source.close']['in']).id);
    return answer;
  }

  #forget(closed: number): void {
    for (const { id, location } of this.#sources) if (id === closed) this.#known.forget(location);
    if (this.#state !== null) this.#state = { ...this.#state, sources: this.#sources.filter(({ id }) => id !== closed) };
  }

  /** Opens files; what cannot be opened is told by the engine's notices. */
  async openFiles(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    for (const path of paths) this.#asked.add(path);
    this.grant('open', paths);
    const code = await this.request('source.open', { paths: [...paths] }).then(
      () => null,
      (error: RefusalError) => error.code,
    );
    if (code !== 'engine.gone') for (const path of paths) this.#asked.delete(path);
  }

  /** Someone chose files: the window may use them for this, before any request that is made from now on. */
  grant(use: GrantUse, paths: readonly string[]): void {
    for (const path of paths) {
      const grant = { kind: 'grant', use, path } as const;
      if (use !== 'export') this.#grants.set(`${use} ${path}`, grant);
      // Messages keep their order, and a request waits for the engine as this does.
      void this.#ready.promise.then(() => this.#post(grant));
    }
  }

  /** The page of the window is a new one: the views of the one before are closed. */
  async newPage(): Promise<void> {
    await this.#ready.promise;
    this.#post({ kind: 'page' });
  }

  /** Holds a quit back until the engine has written its checkpoints. The system may go on removing what it held of large logs. */
  stopBefore(event: Event): void {
    if (this.#child === null || this.#stopping) return;
    event.preventDefault();
    this.#stopping = true;
    const child = this.#child;
    const quit = (): void => {
      clearTimeout(killer);
      child.off('exit', quit);
      child.off('disconnect', quit);
      app.quit();
    };
    const killer = setTimeout(() => {
      child.kill('SIGKILL');
      quit();
    }, STOP_GRACE_MS);
    child.once('exit', quit);
    // It has written all that is kept: its end may take seconds longer, as the system frees the gigabytes of its records then.
    child.once('disconnect', quit);
    this.#post({ kind: 'stop' });
  }

  #post(message: ToEngine): void {
    this.#child?.send(message, (error) => {
      if (error !== null && message.kind === 'request')
        this.#reject(message.id, { code: 'engine.gone', text: 'The engine stopped during a request.' });
    });
  }

  async #answer(child: ChildProcess, id: number, demands: readonly Demand[]): Promise<void> {
    // A question that cannot be asked is one that was refused.
    const allowed = await this.#consent(demands).catch(() => []);
    // The engine that asked may have ended meanwhile; the next one asks again.
    if (child === this.#child) this.#post({ kind: 'answer', id, allowed });
  }

  #receive(child: ChildProcess, message: FromEngine): void {
    if (message.kind === 'ready') {
      for (const grant of this.#grants.values()) this.#post(grant);
      this.#markReady();
      this.emit('lifecycle', { state: 'running', reason: null });
      this.#reopen();
    } else if (message.kind === 'ask') {
      void this.#answer(child, message.id, message.demands);
    } else if (message.kind === 'event') {
      if (message.name === 'state') this.#take(changedState(this.#state?.pid === message.data.pid ? this.#state : null, message.data));
      this.emit('event', message.name, message.data);
    } else if (message.ok) {
      this.#waiting.get(message.id)?.resolve(message.value);
      this.#waiting.delete(message.id);
    } else this.#reject(message.id, message.error);
  }

  get #sources(): readonly SourceInfo[] {
    return this.#state?.sources ?? [];
  }

  #take(state: EngineState): void {
    this.#state = state;
    for (const gone of this.#known.compare(state.sources)) this.emit('gone', gone);
  }

  #markReady(): void {
    this.#isReady = true;
    this.#ready.resolve();
  }

  #reject(id: number, { code, text, place }: Refusal): void {
    this.#waiting.get(id)?.reject(new RefusalError(code, text, place && { place }));
    this.#waiting.delete(id);
  }

  #exited(child: ChildProcess, code: number | null, signal: NodeJS.Signals | null): void {
    if (child !== this.#child) return;
    this.#child = null;
    for (const id of [...this.#waiting.keys()])
      this.#reject(id, { code: 'engine.gone', text: 'The engine stopped before it could answer.' });
    if (this.#stopping) return;
    this.#known.crashed(this.#sources);
    const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
    const lastWords = this.#stderr
      .trim()
      .split('\n')
      .findLast((line) => /error/i.test(line));
    const reason = lastWords === undefined ? how : `${how}: ${lastWords.trim()}`;
    const crashes = this.#crashes.add();
    if (crashes > RESTART_LIMIT) return this.#fail(`The engine stopped ${crashes} times in a minute (${reason}).`);
    this.start();
    this.emit('lifecycle', { state: 'restarting', reason });
  }

  #fail(reason: string): void {
    this.#child = null;
    this.#markReady();
    this.emit('lifecycle', { state: 'failed', reason });
  }

  /** Opens the files again; listeners are in the workspace, which the engine reads by itself. */
  #reopen(): void {
    const files = this.#sources.filter(({ kind }) => kind === 'file').map(({ location }) => location);
    void this.openFiles([...new Set([...this.#asked, ...files])]).then(() => this.#compare());
  }

  /** Compares the records with those of before a crash, once the files are open again. */
  async #compare(): Promise<void> {
    const state = await this.request('engine.state', {}).catch(() => null);
    if (state === null) return;
    this.#known.reopened();
    this.#take(state);
  }
}

/** Only what the engine needs: nothing that would change how Node starts, such as NODE_OPTIONS. */
function engineEnvironment(): NodeJS.ProcessEnv {
  const names = [
    'PATH',
    'HOME',
    'USER',
    'LOGNAME',
    'SHELL',
    'LANG',
    'LC_ALL',
    'TZ',
    'TMPDIR',
    'TEMP',
    'TMP',
    'SystemRoot',
    'APPDATA',
    'LOCALAPPDATA',
    'USERPROFILE',
    // Needed by commands that the user has typed as a source.
    'XDG_RUNTIME_DIR',
    'XDG_CONFIG_HOME',
    'SSH_AUTH_SOCK',
    'DOCKER_HOST',
    'KUBECONFIG',
    'SLUICEBOX_BUNDLED_IN_HOSTS',
  ];
  const kept = names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  // Compiled code of Node and prepared data of the engine are kept for the next start.
  const compiled = join(dataFolder(), 'compiled');
  return { ...(Object.fromEntries(kept) as NodeJS.ProcessEnv), ...ALLOCATOR, SLUICEBOX_DATA: dataFolder(), NODE_COMPILE_CACHE: compiled };
}

/**
 * For the allocator of glibc: large buffers, which live for one batch, go back to the system when they are freed. By its own rules it keeps
 * them, in an arena for each thread: more than a hundred MB after a million records.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '1048576' };
