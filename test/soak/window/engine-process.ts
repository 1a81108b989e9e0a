import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { changedState } from '../../../engine/api/state-change.ts';
import type { EngineRequests, EngineState, RequestName } from '../../../engine/api/types.ts';
import type { FromEngine, GrantUse, ToEngine } from '../../../engine/api/wire.ts';

const MAIN = join(import.meta.dirname, '../../../engine/index.ts');

/** The engine of a window as its shell starts it, which can be killed. It confirms what the engine asks. */
export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #confirms: boolean;
  readonly #ready: Promise<void>;
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  readonly #ended: Promise<unknown>;
  #nextId = 1;
  /** The last state that it has told; null: none yet. */
  state: EngineState | null = null;
  /** Texts of its warnings and errors. */
  readonly problems: string[] = [];

  /** @param confirms whether what it asks is allowed */
  constructor(folder: string, confirms = true) {
    this.#confirms = confirms;
    this.#child = fork(MAIN, [folder], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#ended = once(this.#child, 'exit');
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ready = promise;
    this.#child.on('message', (message) => this.#receive(message as FromEngine, resolve));
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Records that it shows of a kind of source. */
  shown(kind: string): number {
    return this.state?.sources.filter((source) => source.kind === kind).reduce((sum, { records }) => sum + records, 0) ?? 0;
  }

  async request<N extends RequestName>(name: N, input: EngineRequests[N]['in']): Promise<EngineRequests[N]['out']> {
    await this.#ready;
    const id = this.#nextId++;
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#post({ kind: 'request', id, name, input });
    return await answer;
  }

  async grant(use: GrantUse, path: string): Promise<void> {
    await this.#ready;
    this.#post({ kind: 'grant', use, path });
  }

  /** All records that it has, as they were read. @param sources only those of these */
  async lines(sources?: readonly number[]): Promise<string[]> {
    const { view } = await this.request('view.open', { query: sources === undefined ? {} : { sources: [...sources] } });
    let text = '';
    for (let start = 0; ;) {
      const piece = await this.request('view.text', { view, start, count: 50_000, format: 'raw' });
      if (piece.count === 0) break;
      start += piece.count;
      text += piece.text.endsWith('\n') ? piece.text : `${piece.text}\n`;
    }
    await this.request('view.close', { view });
    return text.split('\n').slice(0, -1);
  }

  /** Whether it shows a listener that has taken back what was received before. */
  get listens(): boolean {
    return this.state?.sources.some(({ kind, restoring, state }) => kind === 'tcp' && state === 'listening' && restoring !== true) === true;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Stops it as the shell does when the window is closed. */
  async stop(): Promise<void> {
    this.#post({ kind: 'stop' });
    await this.#ended;
  }

  #post(message: ToEngine): void {
    this.#child.send(message, () => undefined);
  }

  #receive(message: FromEngine, ready: () => void): void {
    if (message.kind === 'ready') ready();
    else if (message.kind === 'ask')
      this.#post({ kind: 'answer', id: message.id, allowed: this.#confirms ? message.demands.map(({ key }) => key) : [] });
    else if (message.kind === 'event') {
      if (message.name === 'state') this.state = changedState(this.state, message.data);
      if (message.name === 'notice' && message.data.level !== 'info') this.problems.push(message.data.text);
    } else {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.ok) waiting?.resolve(message.value);
      else waiting?.reject(new Error(message.error.text));
    }
  }
}
