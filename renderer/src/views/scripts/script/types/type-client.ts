import type { TypeAnswer, TypeQuestion, TypeQuestions } from './protocol.ts';

/** Asks TypeScript's language service, which runs in a worker of its own from the first question on. */
export class TypeClient {
  readonly #typed: () => boolean;
  #worker: Worker | null = null;
  #nextId = 1;
  readonly #waiting = new Map<number, (value: unknown) => void>();

  /** @param typed whether the script is TypeScript, as opposed to JavaScript */
  constructor(typed: () => boolean) {
    this.#typed = typed;
  }

  /** @returns the answer for this text; null: there is none, or it was closed meanwhile */
  async ask<N extends keyof TypeQuestions>(name: N, text: string, input: TypeQuestions[N]['in']): Promise<TypeQuestions[N]['out'] | null> {
    const id = this.#nextId++;
    const answer = new Promise<unknown>((done) => this.#waiting.set(id, done));
    const question: TypeQuestion = { id, typed: this.#typed(), text, name, input };
    this.#running().postMessage(question);
    return (await answer) as TypeQuestions[N]['out'] | null;
  }

  /** Ends the worker. */
  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const done of this.#waiting.values()) done(null);
    this.#waiting.clear();
  }

  #running(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'types' });
    worker.onmessage = ({ data }: MessageEvent<TypeAnswer>) => {
      this.#waiting.get(data.id)?.(data.value);
      this.#waiting.delete(data.id);
    };
    worker.onerror = () => this.close();
    this.#worker = worker;
    return worker;
  }
}
