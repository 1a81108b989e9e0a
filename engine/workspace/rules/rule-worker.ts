import { Worker } from 'node:worker_threads';
import type { Found, FromRules, Loaded, RuleSources, ToRules } from './rule-protocol.ts';

const ENTRY = new URL('./rule-thread.ts', import.meta.url);

type Waiting = PromiseWithResolvers<FromRules>;

/** Rules in a thread of their own. */
export class RuleWorker {
  readonly #worker = new Worker(ENTRY, { name: 'rules', env: {} });
  readonly #waiting: Waiting[] = [];
  #ended: Error | null = null;

  /** @param changed is called when files of the rules have changed */
  constructor(changed: () => void) {
    this.#worker.unref();
    this.#worker.on('message', (message: FromRules) => {
      if (message.kind === 'changed') changed();
      else this.#waiting.shift()?.resolve(message);
    });
    this.#worker.on('error', (error) => this.#end(new Error(`the thread of the rules has ended: ${String(error)}`, { cause: error })));
    this.#worker.on('exit', () => this.#end(new Error('the thread of the rules has ended')));
  }

  /** @throws {Error} */
  async load(sources: RuleSources): Promise<Loaded> {
    const reply = await this.#ask({ kind: 'load', sources });
    if (reply.kind !== 'loaded') throw new Error('the thread of the rules gave another answer');
    return reply.loaded;
  }

  begin(): void {
    this.#worker.postMessage({ kind: 'begin' } satisfies ToRules);
  }

  /** The memory of the records goes to the thread. @throws {Error} */
  async search(bytes: Uint8Array<ArrayBuffer>, rows: Uint32Array | null): Promise<Found> {
    const reply = await this.#ask({ kind: 'search', bytes, rows }, [bytes.buffer]);
    if (reply.kind !== 'found') throw new Error('the thread of the rules gave another answer');
    return reply.found;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  async #ask(message: ToRules, memory: ArrayBuffer[] = []): Promise<FromRules> {
    if (this.#ended !== null) throw this.#ended;
    const waiting: Waiting = Promise.withResolvers();
    this.#waiting.push(waiting);
    this.#worker.postMessage(message, memory);
    const reply = await waiting.promise;
    if (reply.kind === 'failed') throw new Error(reply.text);
    return reply;
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
